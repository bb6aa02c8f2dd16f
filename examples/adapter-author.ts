import {
  type AnyRow,
  type DealPart,
  type DealWith,
  fits,
  type Indexed,
  type IndexOwner,
  type IndexRange,
  indexedFields,
  judge,
  type KeyOf,
  type Kind,
  type ListedDeal,
  type ListedKind,
  listedFields,
  passes,
  type RecordKind,
  type RecordRange,
  type Store,
  type Stored,
  shapeOf,
  type Tenant,
  type TimedKind,
  unavailable,
  type Value,
} from 'dealwright/ports';
import { ok } from 'neverthrow';

/** The fields that a list of deals compares for equality. */
const traits = ['attention', 'email_key', 'freelancer_status', 'status'] as const;

/** A store over a `Map`. Lists of deals have indexes; for the rest it scans. */
export function createToyStore(): Store {
  const saved = new Map<string, { kind: Kind; owner: string; row: AnyRow }>();
  const logs = new Map<string, { readonly tenant: Tenant; readonly events: Stored<'event'>[] }>();
  const lastNumber = { production: 0, sandbox: 0 };

  // all deals of a tenant, and those with one value: each in the order of a list
  const lists = new Map<string, AnyRow[]>();
  const listOf = (tenant: Tenant, trait?: string, value?: Value) => {
    const name = JSON.stringify([ownerOf(tenant, 'deal'), trait, value]);
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    return list;
  };
  const listsWith = (tenant: Tenant, row: AnyRow) => [
    listOf(tenant),
    ...traits.map((trait) => listOf(tenant, trait, row[trait])),
  ];

  // a record that all partners of an environment share has no partner
  const ownerOf = ({ environment, partner }: Tenant, kind: Kind) =>
    JSON.stringify([environment, shapeOf(kind).of === 'tenant' ? partner : null]);
  const nameOf = (tenant: Tenant, kind: Kind, key: Value) =>
    JSON.stringify([ownerOf(tenant, kind), kind, key]);
  const find = (tenant: Tenant, kind: Kind, key: Value) =>
    saved.get(nameOf(tenant, kind, key))?.row;
  const put = (tenant: Tenant, kind: Kind, row: AnyRow) => {
    const name = nameOf(tenant, kind, row[shapeOf(kind).key] ?? null);
    const before = saved.get(name)?.row;
    saved.set(name, { kind, owner: ownerOf(tenant, kind), row });
    if (kind !== 'deal') return;
    if (before) for (const list of listsWith(tenant, before)) list.splice(list.indexOf(before), 1);
    for (const list of listsWith(tenant, row)) list.splice(startOf(list, placeOf(row)), 0, row);
  };
  const select = (tenant: Tenant, kind: Kind, where: AnyRow = {}) =>
    [...saved.values()]
      .filter((each) => each.kind === kind && each.owner === ownerOf(tenant, kind))
      .map(({ row }): AnyRow => ({ ...row }))
      .filter((row) => Object.entries(where).every(([field, value]) => row[field] === value))
      .sort((a, b) => ascending(a[shapeOf(kind).key], b[shapeOf(kind).key]));
  const under = (tenant: Tenant, kind: Kind, key?: Value) =>
    select(tenant, kind, key === undefined ? {} : { [String(shapeOf(kind).under?.by)]: key });

  const dealWith = <P extends DealPart>(tenant: Tenant, where: AnyRow, parts: readonly P[]) => {
    const [deal] = select(tenant, 'deal', where);
    if (deal === undefined) return ok(undefined);
    const found = parts.map((part) => [part, under(tenant, part, deal['partner_id'] ?? null)]);
    return ok({ deal, ...Object.fromEntries(found) } as DealWith<P>);
  };

  return {
    commit(tenant, write) {
      const judged = judge(write, {
        find: (kind, key) => find(tenant, kind, key),
        count: (kind, key, where) =>
          under(tenant, kind, key).filter((row) => fits(row, where)).length,
      });
      if (judged.outcome !== 'holds') return ok(judged);
      // from here on nothing fails; a database has a transaction around all of it
      const { attempt, insert, change, subject, events } = write;
      const before = subject && find(tenant, subject.kind, subject.key);
      const version = Number(before?.['version'] ?? 0);
      if (subject && before) {
        put(tenant, subject.kind, { ...before, version: version + events.length });
      }
      for (const { kind, row } of insert) {
        const own = shapeOf(kind).isSubject ? { attempt, version: events.length } : { attempt };
        put(tenant, kind, { ...row, ...own });
      }
      for (const { kind, key, set } of change) {
        put(tenant, kind, { ...find(tenant, kind, key), ...set });
      }
      const owner = ownerOf(tenant, 'event');
      const log = logs.get(owner) ?? { tenant: { ...tenant }, events: [] };
      logs.set(owner, log);
      const numbered = events.map((each, at) => ({ ...each, sequence: version + at + 1 }));
      log.events.push(...structuredClone(numbered));
      return ok({ outcome: 'committed' });
    },

    reserve(environment, count) {
      const first = lastNumber[environment] + 1;
      if (count > Number.MAX_SAFE_INTEGER - lastNumber[environment]) {
        return unavailable({ outcome: 'none', retryable: false });
      }
      lastNumber[environment] += count;
      return ok(first);
    },

    deals: {
      byId: (tenant, id, parts) => dealWith(tenant, { id }, parts),
      byPartnerId: (tenant, partner_id, parts) => dealWith(tenant, { partner_id }, parts),
      byPaymentToken: (tenant, payment_token, parts) => dealWith(tenant, { payment_token }, parts),
      list(tenant, filter, { direction, from, limit }) {
        const trait = traits.find((each) => filter[each] !== undefined);
        const list = trait ? listOf(tenant, trait, filter[trait]) : listOf(tenant);
        const isOlder = direction === 'older';
        // a blank comes before every character of an attempt
        const edge = from && placeOf({ ...from }) + (isOlder ? '' : ' ');
        const start = edge === undefined ? (isOlder ? list.length : 0) : startOf(list, edge);
        const page: ListedDeal[] = [];
        for (let at = isOlder ? start - 1 : start; page.length < limit; at += isOlder ? -1 : 1) {
          const deal = list[at] as Stored<'deal'> | undefined;
          if (deal === undefined) break;
          const shown = [...listedFields, 'attempt' as const].map((field) => [field, deal[field]]);
          if (passes(filter, deal)) page.push(Object.fromEntries(shown));
        }
        return ok(isOlder ? page : page.reverse());
      },
    },

    workFiles: {
      recorded: (tenant, ids) => ok(ids.filter((id) => find(tenant, 'work_file', id))),
    },

    events: {
      after(tenant, cursor = '0', limit) {
        const all = logs.get(ownerOf(tenant, 'event'))?.events ?? [];
        if (!/^\d{1,15}$/.test(cursor) || Number(cursor) > all.length) return ok('invalid_cursor');
        const events = structuredClone(all.slice(Number(cursor), Number(cursor) + limit));
        const after = String(Number(cursor) + events.length);
        return ok({ events, cursor: after, end: String(all.length) });
      },
      of(tenant, subject, sequence, limit) {
        const all = logs.get(ownerOf(tenant, 'event'))?.events ?? [];
        const own = all.filter((each) => each.subject === subject && each.sequence > sequence);
        return ok(structuredClone(own.slice(0, limit)));
      },
    },

    records: {
      byKey<K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) {
        const row = find(tenant, kind, key);
        return ok(row && ({ ...row } as AnyRow & Stored<K>));
      },
      list<K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) {
        const { key } = shapeOf(kind);
        const { direction, after, limit } = range;
        const isUp = direction === 'ascending';
        const isOnPage = (row: AnyRow) =>
          after === undefined || ascending(row[key], after) * (isUp ? 1 : -1) > 0;
        const all = under(tenant, kind, range.under).filter(isOnPage);
        const found = isUp ? all : all.reverse();
        return ok(found.slice(0, limit) as (AnyRow & Stored<K>)[]);
      },
      byIndex<K extends RecordKind>(
        { environment, partner }: IndexOwner,
        kind: K,
        range: IndexRange,
      ) {
        const { index, equal, from = '', to, direction, after, limit } = range;
        const rest = index.slice(equal.length);
        const sign = direction === 'ascending' ? 1 : -1;
        const compare = (row: AnyRow, values: readonly (Value | undefined)[]) => {
          const at = rest.findIndex((field, nth) => row[field] !== values[nth]);
          return at < 0 ? 0 : sign * ascending(row[rest[at] ?? ''], values[at]);
        };
        const isInRange = (row: AnyRow) => {
          const next = row[rest[0] ?? ''];
          const isAfter = after === undefined || compare(row, after) > 0;
          const isWithin =
            ascending(next, from) >= 0 && (to === undefined || ascending(next, to) < 0);
          const isSame = equal.every((value, nth) => row[index[nth] ?? ''] === value);
          return isAfter && isWithin && isSame && index.every((field) => row[field] !== null);
        };
        const owned = [...saved.values()].flatMap((each) => {
          const [where, whose] = JSON.parse(each.owner) as [string, string];
          const isOwned = where === environment && whose === (partner ?? whose);
          return each.kind === kind && isOwned ? [{ partner: whose, row: each.row }] : [];
        });
        const found = owned
          .filter(({ row }) => isInRange(row))
          .sort((a, b) =>
            compare(
              a.row,
              rest.map((field) => b.row[field]),
            ),
          );
        return ok(
          found.slice(0, limit).map(({ partner, row }) => {
            const fields = kind === 'deal' ? indexedFields : Object.keys(row);
            const shown = Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
            return { partner, row: shown as Indexed<K>['row'] };
          }),
        );
      },
    },

    due<K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      parent?: string,
    ) {
      const found = (under(tenant, kind, parent) as Stored<K>[])
        .filter(({ due_at }) => due_at !== null && due_at <= before)
        .sort((a, b) => ascending(a.due_at, b.due_at));
      return ok(found.slice(0, limit));
    },

    tenants(after, limit) {
      const owners = [...logs.keys()];
      const start = after === undefined ? 0 : owners.indexOf(ownerOf(after, 'event')) + 1;
      const all = [...logs.values()].map(({ tenant, events }) => {
        return { tenant: { ...tenant }, end: String(events.length) };
      });
      return ok(all.slice(start, start + limit));
    },
  };
}

/** Both parts have one length each, so that their text sorts as they do. */
function placeOf({ created_at, attempt }: AnyRow): string {
  return `${created_at}${attempt}`;
}

/** The index of the first deal in a list that is not before this place. */
function startOf(list: readonly AnyRow[], place: string): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(list[middle] ?? {}) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** By code point, as databases compare text: JavaScript compares code units. */
function ascending(a: Value = null, b: Value = null): number {
  const [left, right] = [a, b].map((value) =>
    typeof value === 'string' ? Array.from(value, pointOf).join('') : (value ?? ''),
  ) as [string | number, string | number];
  return left === right ? 0 : left < right ? -1 : 1;
}

function pointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0');
}
