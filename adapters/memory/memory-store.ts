import {
  type DealPart,
  type DealWith,
  judge,
  type Store,
  type StoreArchive,
  shapeOf,
  type Tenant,
  unavailable,
  type WriteSet,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createArchive } from './archive.js';
import { insertInOrder, listDeals, regroup } from './deal-list.js';
import {
  createDatabase,
  type Database,
  type Entry,
  environments,
  insertEntry,
  type TenantTables,
  tableOf,
  tenantTables,
} from './tables.js';

/** A store that keeps everything in memory, for tests and for trying things out. */
export interface MemoryStore extends Store {
  readonly archive: StoreArchive;
}

/**
 * Makes an empty store: the reference implementation of the storage port. It decides each call in
 * one synchronous step.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const store = createMemoryStore();
 * ```
 */
export function createMemoryStore(): MemoryStore {
  const database = createDatabase();
  const dealWith = <P extends DealPart>(
    own: TenantTables,
    entry: Entry | undefined,
    parts: readonly P[],
  ) => {
    if (entry === undefined) return ok(undefined);
    const { row } = entry;
    const found: Record<string, unknown> = { deal: { ...row } };
    for (const part of parts) {
      const { key } = shapeOf(part);
      const entries = tableOf(database, own, part).under.get(String(row['partner_id'])) ?? [];
      found[part] = entries
        .map((each) => ({ ...each.row }))
        .sort((a, b) => ((a[key] ?? 0) < (b[key] ?? 0) ? -1 : 1));
    }
    return ok(found as DealWith<P>);
  };
  return {
    commit(tenant, write) {
      const own = tenantTables(database, tenant);
      const judged = judge(write, {
        find: (kind, key) => tableOf(database, own, kind).byKey.get(key)?.row,
        count: (kind, under) => tableOf(database, own, kind).under.get(under)?.length ?? 0,
      });
      if (judged.outcome !== 'holds') return ok(judged);
      apply(database, own, write);
      return ok({ outcome: 'committed' });
    },
    reserve(environment, count) {
      const tables = database[environment];
      const first = tables.lastNumber + 1;
      if (first + (count - 1) > Number.MAX_SAFE_INTEGER) {
        const cause = new Error('all integers are given out');
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
      tables.lastNumber += count;
      return ok(first);
    },
    deals: {
      byId(tenant, id, parts) {
        const own = tenantTables(database, tenant);
        return dealWith(own, tableOf(database, own, 'deal').byNumber.get(id), parts);
      },
      byPartnerId(tenant, partner_id, parts) {
        const own = tenantTables(database, tenant);
        return dealWith(own, tableOf(database, own, 'deal').byKey.get(partner_id), parts);
      },
      list(tenant, filter, range) {
        const own = tenantTables(database, tenant);
        return ok(listDeals(own.deals, tableOf(database, own, 'deal').byKey, filter, range));
      },
    },
    workFiles: {
      recorded(tenant, ids) {
        const { byKey } = tableOf(database, tenantTables(database, tenant), 'work_file');
        return ok(ids.filter((id) => byKey.has(id)));
      },
    },
    events: {
      after(tenant, cursor, limit) {
        const { events } = tenantTables(database, tenant);
        const position = /^(?:0|[1-9]\d{0,15})$/.test(cursor ?? '0') ? Number(cursor ?? '0') : -1;
        if (position < 0 || position > events.length) return ok('invalid_cursor');
        const page = events.slice(position, position + limit).map((event) => ({ ...event }));
        return ok({ events: page, cursor: String(position + page.length) });
      },
    },
    tenants(after, limit) {
      const all = environments.flatMap((environment) =>
        [...database[environment].tenants.values()]
          .filter(({ events }) => events.length > 0)
          .map(({ tenant }) => ({ ...tenant })),
      );
      const isAfter = (each: Tenant) =>
        each.environment === after?.environment && each.partner === after.partner;
      const start = all.findIndex(isAfter) + 1;
      return ok(all.slice(start, start + limit));
    },
    archive: createArchive(database),
  };
}

/** Makes a write whose expectations hold. */
function apply(
  database: Database,
  own: TenantTables,
  { attempt, insert, change, subject, events }: WriteSet,
): void {
  const { tenant } = own;
  let sequence = 0;
  if (subject !== undefined) {
    const entry = tableOf(database, own, subject.kind).byKey.get(subject.key);
    sequence = Number(entry?.row['version'] ?? 0);
    if (entry !== undefined) entry.row = { ...entry.row, version: sequence + events.length };
  }
  for (const { kind, row } of insert) {
    const shape = shapeOf(kind);
    const version = shape.isSubject ? { version: events.length } : undefined;
    const entry: Entry = { tenant, row: { ...row, attempt, ...version } };
    insertEntry(tableOf(database, own, kind), shape, entry);
    if (kind === 'deal') insertInOrder(own.deals, entry);
  }
  for (const { kind, key, set } of change) {
    const entry = tableOf(database, own, kind).byKey.get(key) as Entry;
    entry.row = { ...entry.row, ...set };
    if (kind === 'deal') regroup(own.deals, entry);
  }
  for (const event of events) {
    sequence += 1;
    own.events.push({ ...event, sequence });
  }
}
