import {
  type CommitOutcome,
  type DealPart,
  type DealWith,
  type Indexed,
  type IndexOwner,
  type IndexRange,
  indexedFields,
  type KeyOf,
  type ListedKind,
  type PortFailure,
  type RecordKind,
  type RecordRange,
  type Store,
  type Stored,
  shapeOf,
  type Tenant,
  type TimedKind,
  ulidOf,
  unavailable,
  type Value,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { createTurns } from '../shared/turns.js';
import { listDeals } from './deal-list.js';
import {
  acrossKey,
  type Entry,
  endOf,
  entryKey,
  keyOf,
  rowOf,
  subjectIndex,
  tenantKey,
} from './entries.js';
import { type KeyValueLike, readRange } from './key-value-like.js';
import { planCommit, type TenantEntry } from './plan-commit.js';

/**
 * Makes a complete store from an ordered key-value store: records, indexes, counts, logs of events
 * and reserved integers are its entries, and a write is one batch. If `kv` has no transactions,
 * this must be the only process and the only store that writes to it.
 *
 * @example
 * ```ts
 * import { createKeyValueStore, type KeyValueLike } from 'dealwright/key-value';
 *
 * const open = (kv: KeyValueLike) => createKeyValueStore(kv);
 * ```
 */
export function createKeyValueStore(kv: KeyValueLike): Store {
  const inTurn = createTurns();
  const exclusively = <T>(run: (within: KeyValueLike) => Promise<T>): PromiseLike<T> =>
    kv.transaction?.(run) ?? inTurn(() => run(kv));

  async function byPartnerId<P extends DealPart>(
    tenant: Tenant,
    partner_id: string,
    parts: readonly P[],
  ): Promise<DealWith<P> | undefined> {
    const gte = entryKey('record', tenant, 'deal', partner_id);
    // the deal comes first: its parts are read only on request
    const limit = parts.length === 0 ? 1 : undefined;
    const found = await readRange<Entry>(kv, { gte, lt: endOf(gte) }, limit);
    const rowsOf = (kind: string) =>
      found.flatMap((each) => (each.kind === kind ? [rowOf(each)] : []));
    const [deal] = rowsOf('deal');
    return (
      deal &&
      ({ ...Object.fromEntries(parts.map((part) => [part, rowsOf(part)])), deal } as DealWith<P>)
    );
  }

  return {
    commit(tenant, write) {
      let outcome: PortFailure['outcome'] = 'none';
      const decide = async (within: KeyValueLike): Promise<CommitOutcome> => {
        const plan = await planCommit(within, tenant, write);
        if ('outcome' in plan) return plan;
        outcome = 'unknown';
        await within.batch(plan);
        return { outcome: 'committed' };
      };
      return answer(
        () => exclusively(decide),
        () => ({ outcome }),
      );
    },

    reserve(environment, count) {
      const key = keyOf('reserved', environment);
      let retryable = true;
      const take = async (within: KeyValueLike) => {
        const last = Number((await within.get(key)) ?? 0);
        retryable = count <= Number.MAX_SAFE_INTEGER - last;
        if (!retryable) throw new Error('all integers are reserved');
        await within.batch([{ type: 'put', key, value: String(last + count) }]);
        return last + 1;
      };
      return answer(
        () => exclusively(take),
        () => ({ outcome: 'none', retryable }),
      );
    },

    identity() {
      const key = keyOf('store');
      return answer(async () => {
        const known = await kv.get(key);
        if (known !== undefined) return JSON.parse(known) as string;
        return exclusively(async (within) => {
          const found = await within.get(key);
          if (found !== undefined) return JSON.parse(found) as string;
          const made = ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
          await within.batch([{ type: 'put', key, value: JSON.stringify(made) }]);
          return made;
        });
      });
    },

    deals: {
      byId: (tenant, id, parts) =>
        answer(async () => {
          const key = await kv.get(entryKey('number', tenant, 'deal', id));
          return key === undefined ? undefined : byPartnerId(tenant, JSON.parse(key), parts);
        }),
      byPartnerId: (tenant, partner_id, parts) =>
        answer(() => byPartnerId(tenant, partner_id, parts)),
      byPaymentToken: (tenant, payment_token, parts) =>
        answer(async () => {
          const at = entryKey('index', tenant, 'deal', 'payment_token', payment_token);
          const [found] = await readRange<Entry>(kv, { gte: at, lt: endOf(at) }, 1);
          // a deal keeps its name and its token
          return found && byPartnerId(tenant, String(found.row['partner_id']), parts);
        }),
      list: (tenant, filter, range) => answer(() => listDeals(kv, tenant, filter, range)),
    },

    workFiles: {
      recorded: (tenant, ids) =>
        answer(async () => {
          const load = (id: string) => kv.get(entryKey('record', tenant, 'work_file', id));
          const found = await Promise.all(ids.map(load));
          return ids.filter((_, at) => found[at] !== undefined);
        }),
    },

    events: {
      after: (tenant, cursor = '0', limit) =>
        answer(async () => {
          const own = await kv.get(tenantKey(tenant));
          const last = own === undefined ? 0 : (JSON.parse(own) as TenantEntry).events;
          const after = Number(cursor);
          if (!/^(?:0|[1-9]\d{0,15})$/.test(cursor) || after > last) return 'invalid_cursor';
          const end = Math.min(after + limit, last);
          const range = {
            gte: entryKey('event', tenant, 'event', after + 1),
            lt: entryKey('event', tenant, 'event', end + 1),
          };
          const events = await readRange<Stored<'event'>>(kv, range, end - after);
          return { events, cursor: String(end), end: String(last) };
        }),
      of: (tenant, subject, sequence, limit) =>
        answer(() => {
          const keyAt = (...from: readonly number[]) =>
            entryKey('index', tenant, 'event', subjectIndex, subject, ...from);
          const range = { gte: keyAt(sequence + 1), lt: endOf(keyAt()) };
          return readRange<Stored<'event'>>(kv, range, limit);
        }),
    },

    records: {
      byKey: <K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) =>
        answer(async () => {
          const found = await kv.get(entryKey('record', tenant, kind, key));
          return found === undefined ? undefined : rowOf<K>(JSON.parse(found));
        }),
      list: <K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) =>
        answer(async () => {
          const found = await listRecords(kv, tenant, kind, range);
          return found.map((entry) => rowOf<K>(entry));
        }),
      byIndex: (owner, kind, range) => answer(() => findByIndex(kv, owner, kind, range)),
    },

    due: <K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      under = '',
    ) =>
      answer(async () => {
        const index = shapeOf(kind).indexes.find((each) => each.at(-1) === 'due_at') ?? [];
        const above = index.length > 1 ? [under] : [];
        const timeKey = (...times: readonly string[]) =>
          entryKey('index', tenant, kind, index.join(), ...above, ...times);
        const range = { gte: timeKey(), lt: endOf(timeKey(before)) };
        const found = await readRange<Entry>(kv, range, limit);
        return found.map((entry) => rowOf<K>(entry));
      }),

    tenants: (after, limit) =>
      answer(async () => {
        const range = { gte: after ? endOf(tenantKey(after)) : 'tenant', lt: endOf('tenant') };
        const found = await readRange<TenantEntry>(kv, range, limit, ({ events }) => events > 0);
        return found.map(({ environment, partner, events }) => {
          return { tenant: { environment, partner }, end: String(events) };
        });
      }),
  };
}

/** A part of a range of an index, of one tenant or of all of an environment. */
async function findByIndex<K extends RecordKind>(
  kv: KeyValueLike,
  { environment, partner }: IndexOwner,
  kind: K,
  { index, equal, from, to, direction, after, limit }: IndexRange,
): Promise<readonly Indexed<K>[]> {
  const keyAt = (...values: readonly Value[]) =>
    partner === undefined
      ? acrossKey(environment, kind, index, ...equal, ...values)
      : entryKey('index', { environment, partner }, kind, index.join(), ...equal, ...values);
  const isUp = direction === 'ascending';
  const last = after && keyAt(...after);
  const starts = [keyAt(...(from === undefined ? [] : [from]))];
  const ends = [to === undefined ? endOf(keyAt()) : keyAt(to)];
  if (last !== undefined && isUp) starts.push(endOf(last));
  if (last !== undefined && !isUp) ends.push(last);
  const [gte = '', lt = ''] = [starts.sort().at(-1), ends.sort()[0]];
  const found = await readRange<Entry & { partner?: string }>(
    kv,
    { gte, lt, reverse: !isUp },
    limit,
  );
  return found.map((entry): Indexed<K> => {
    const row = rowOf<K>(entry);
    const shown =
      kind === 'deal' ? Object.fromEntries(indexedFields.map((name) => [name, row[name]])) : row;
    return { partner: entry.partner ?? partner ?? '', row: shown as Indexed<K>['row'] };
  });
}

/** A part of the range of a kind, or of those under one record. */
function listRecords(
  kv: KeyValueLike,
  tenant: Tenant,
  kind: ListedKind,
  { under, direction, after, limit }: RecordRange,
): Promise<readonly Entry[]> {
  const by = shapeOf(kind).under?.by;
  const keyAt = (...key: readonly string[]) =>
    under === undefined || by === undefined
      ? entryKey('record', tenant, kind, ...key)
      : entryKey('index', tenant, kind, by, under, ...key);
  const isUp = direction === 'ascending';
  const [first, last] = [keyAt(), endOf(keyAt())];
  const gte = isUp && after !== undefined ? endOf(keyAt(after)) : first;
  const lt = isUp || after === undefined ? last : keyAt(after);
  return readRange<Entry>(kv, { gte, lt, reverse: !isUp }, limit);
}

/** The answer to a read or a reservation: a failure has no effect. */
async function answer<T>(
  ask: () => PromiseLike<T>,
  failure: () => Parameters<typeof unavailable>[0] = () => ({ outcome: 'none' }),
): Promise<Result<T, PortFailure>> {
  try {
    return ok(await ask());
  } catch (cause) {
    return unavailable({ ...failure(), cause });
  }
}
