import {
  type AnyRow,
  type DealPart,
  type DealWith,
  fits,
  type IndexOwner,
  type IndexRange,
  judge,
  type KeyOf,
  type Kind,
  type ListedKind,
  type RecordKind,
  type RecordRange,
  records,
  type Store,
  type StoreArchive,
  type Stored,
  shapeOf,
  type Tenant,
  type TenantLog,
  type TimedKind,
  ulidOf,
  unavailable,
  type Where,
  type WriteSet,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createArchive } from './archive.js';
import { entriesIn, listDeals } from './deal-list.js';
import { type Entry, wholeRow } from './entry.js';
import { indexed } from './indexes.js';
import { prune } from './prune.js';
import {
  copyOf,
  copyOfEvent,
  createDatabase,
  entryOf,
  environments,
  eventsOf,
  insertEntry,
  noteEnd,
  noteIndexes,
  type TenantTables,
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
  const { watch, tell } = createWatchers();
  const dealWith = <P extends DealPart>(entry: Entry | undefined, parts: readonly P[]) => {
    if (entry === undefined) return ok(undefined);
    const found: Record<string, unknown> = { deal: { ...wholeRow(entry) } };
    for (const part of parts) {
      const own = entry.parts?.[part];
      found[part] = own === undefined ? [] : own.map((each) => ({ ...wholeRow(each) }));
    }
    return ok(found as DealWith<P>);
  };
  return {
    commit(tenant, write) {
      const own = tenantTables(database, tenant);
      const judged = judge(write, {
        find(kind, key) {
          const entry = entryOf(own, kind, key);
          return entry && wholeRow(entry);
        },
        count: (kind, under, where) => countOf(own, kind, under, where),
      });
      if (judged.outcome !== 'holds') return ok(judged);
      apply(own, write);
      if (write.events.length > 0) tell(own.tenant);
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
        return dealWith(own.tables.deal.byNumber.get(id), parts);
      },
      byPartnerId(tenant, partner_id, parts) {
        const own = tenantTables(database, tenant);
        return dealWith(entryOf(own, 'deal', partner_id), parts);
      },
      byPaymentToken(tenant, payment_token, parts) {
        return dealWith(tenantTables(database, tenant).byToken.get(payment_token), parts);
      },
      list(tenant, filter, range) {
        const own = tenantTables(database, tenant);
        return ok(listDeals(own, filter, range));
      },
    },
    workFiles: {
      recorded(tenant, ids) {
        const { byKey } = tenantTables(database, tenant).tables.work_file;
        return ok(ids.filter((id) => byKey.has(id)));
      },
    },
    events: {
      after(tenant, cursor, limit) {
        const { events } = tenantTables(database, tenant);
        const position = /^(?:0|[1-9]\d{0,15})$/.test(cursor ?? '0') ? Number(cursor ?? '0') : -1;
        if (position < 0 || position > events.length) return ok('invalid_cursor');
        const page = events.slice(position, position + limit).map(copyOfEvent);
        const [cursorAfter, end] = [String(position + page.length), String(events.length)];
        return ok({ events: page, cursor: cursorAfter, end });
      },
      of(tenant, subject, sequence, limit) {
        const own = eventsOf(tenantTables(database, tenant), subject);
        // some events of a contractor may be in the logs of other tenants
        const start = own.findIndex((event) => event.sequence > sequence);
        return ok(start < 0 ? [] : own.slice(start, start + limit).map(copyOfEvent));
      },
    },
    records: {
      byKey<K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) {
        const entry = entryOf(tenantTables(database, tenant), kind, key);
        return ok(entry && ({ ...wholeRow(entry) } as AnyRow & Stored<K>));
      },
      list<K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) {
        const found = entriesIn(tenantTables(database, tenant), kind, range);
        return ok(found.map((entry) => ({ ...wholeRow(entry) }) as AnyRow & Stored<K>));
      },
      byIndex<K extends RecordKind>(
        { environment, partner }: IndexOwner,
        kind: K,
        range: IndexRange,
      ) {
        const { indexes } =
          partner === undefined
            ? { indexes: database[environment].across[kind] }
            : tenantTables(database, { environment, partner }).tables[kind];
        return ok(indexes.find(range).map((entry) => indexed(kind, entry)));
      },
    },
    due<K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      under?: string,
    ) {
      const found = dueIn(tenantTables(database, tenant), kind, before, limit, under);
      return ok(found.map((entry) => ({ ...wholeRow(entry) }) as AnyRow & Stored<K>));
    },
    tenants(after, limit, before) {
      const all = environments.flatMap((environment) => [
        ...database[environment].tenants.values(),
      ]);
      const isLast = ({ tenant }: TenantTables) =>
        tenant.environment === after?.environment && tenant.partner === after.partner;
      const found: TenantLog[] = [];
      // a tenant without due records keeps its place
      for (let at = all.findIndex(isLast) + 1; at < all.length && found.length < limit; at += 1) {
        const own = all[at] as TenantTables;
        if (own.events.length === 0 || (before !== undefined && !hasDue(own, before))) continue;
        found.push({ tenant: { ...own.tenant }, end: String(own.events.length) });
      }
      return ok(found);
    },
    identity() {
      const random = crypto.getRandomValues(new Uint8Array(16));
      database.identity ??= ulidOf(Date.now(), random);
      return ok(database.identity);
    },
    prune: (kind, before, limit) => ok(prune(database, kind, before, limit)),
    watch,
    archive: createArchive(database),
  };
}

/** The kinds whose `due_at` has its own index. */
const dueKinds = (Object.keys(records) as Kind[]).filter((kind) =>
  shapeOf(kind).indexes.some(([field]) => field === 'due_at'),
) as TimedKind[];

function hasDue(own: TenantTables, before: string): boolean {
  return dueKinds.some((kind) => dueIn(own, kind, before, 1).length > 0);
}

/** The records of a kind that are due, under this one if they are read by their parent. */
function dueIn(
  { tables }: TenantTables,
  kind: TimedKind,
  before: string,
  limit: number,
  under = '',
): readonly Entry[] {
  const { shape, indexes } = tables[kind];
  const index = shape.indexes.find((each) => each.at(-1) === 'due_at') ?? [];
  return indexes.find({
    index: [...index, shape.key],
    equal: index.slice(0, -1).map(() => under),
    // after every key of this time
    to: `${before}\u0001`,
    direction: 'ascending',
    limit,
  });
}

/** The number of records of a kind, under another one or of the tenant. */
function countOf(
  own: TenantTables,
  kind: RecordKind,
  under: string | undefined,
  where: Where,
): number {
  const { byKey, shape } = own.tables[kind];
  const parent = under === undefined ? undefined : (shape.under?.kind as RecordKind);
  const entries =
    parent === undefined || under === undefined
      ? [...byKey.values()]
      : (entryOf(own, parent, under)?.parts?.[kind] ?? []);
  for (const _ in where) return entries.filter((entry) => fits(wholeRow(entry), where)).length;
  return entries.length;
}

/** Makes a write whose expectations hold. */
function apply(own: TenantTables, { attempt, insert, change, subject, events }: WriteSet): void {
  const { tenant } = own;
  /** The subject, unless the write inserts it. */
  let moved = subject;
  for (const { kind, row } of insert) {
    const { key, isSubject } = own.tables[kind].shape;
    if (kind === moved?.kind && (row as AnyRow)[key] === moved.key) moved = undefined;
    const version = isSubject ? events.length : undefined;
    const kept = { tenant, attempt, version, row: { ...row }, isWhole: false, parts: undefined };
    insertEntry(own, kind, kept);
  }
  let sequence = 0;
  const raised = moved && entryOf(own, moved.kind, moved.key);
  if (raised !== undefined) {
    sequence = Number(wholeRow(raised)['version']);
    raised.row = Object.assign({ ...raised.row }, { version: sequence + events.length });
  }
  for (const { kind, key, set } of change) {
    const entry = entryOf(own, kind, key) as Entry;
    // its row was copied above already, to raise its version
    entry.row = Object.assign(entry === raised ? entry.row : { ...wholeRow(entry) }, set);
    if (set && 'ends_at' in set) noteEnd(own.tables[kind].ending, entry);
    noteIndexes(own, kind, entry);
  }
  for (const event of events) {
    sequence += 1;
    const { id, type, at, actor, cause } = event;
    const data = copyOf(event.data);
    // no spread: V8 is slow to add a member to a copy
    own.events.push({ id, type, subject: event.subject, sequence, at, actor, cause, data });
  }
}

type Listener = Parameters<NonNullable<Store['watch']>>[0];

/** The listeners to growing logs, each called in its own turn: an error of one affects no other. */
export function createWatchers() {
  const all = new Set<{ readonly listener: Listener }>();
  const call = (own: { readonly listener: Listener }, tenant: Tenant) => {
    try {
      if (all.has(own)) own.listener({ ...tenant });
    } catch {
      // an error of a listener is not the store's
    }
  };
  return {
    watch(listener: Listener) {
      const own = { listener };
      all.add(own);
      return () => void all.delete(own);
    },
    tell(tenant: Tenant) {
      for (const own of all) queueMicrotask(() => call(own, tenant));
    },
  };
}
