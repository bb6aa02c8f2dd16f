import {
  type AnyRow,
  type ArchiveRecord,
  type IndexRange,
  isStored,
  isTenant,
  isUlid,
  type Kind,
  type RecordKind,
  records,
  type StoreArchive,
  type Stored,
  shapeOf,
  type Tenant,
  type Value,
} from 'dealwright/ports';
import { type Entry, wholeRow } from './entry.js';
import {
  copyOfEvent,
  createDatabase,
  type Database,
  environments,
  eventsOf,
  insertEntry,
  tenantTables,
} from './tables.js';

/** All deals of a tenant. */
const oldestFirst: IndexRange = {
  index: ['created_at', 'attempt'],
  equal: [],
  direction: 'ascending',
  limit: Number.POSITIVE_INFINITY,
};

const kinds = Object.keys(records) as Kind[];

/** The archive of a memory store. */
export function createArchive(database: Database): StoreArchive {
  return {
    dump: () => Object.assign(snapshot(database), { identity: async () => database.identity }),
    async restore(given) {
      refuseUnlessEmpty(database);
      const identity = await given.identity?.();
      if (identity !== undefined && !isUlid(identity)) {
        throw new Error('the id of the store that the records are of is not a ULID');
      }
      const restored = createDatabase();
      const taken = new Set<string>();
      let count = 0;
      for await (const record of given) {
        restoreRecord(restored, taken, record);
        count += 1;
      }
      if (await given.lacks?.('deal', 'status_since')) setSince(restored);
      // a write may have come meanwhile; from here on none can
      refuseUnlessEmpty(database);
      for (const environment of environments) database[environment] = restored[environment];
      database.identity = identity ?? database.identity;
      return count;
    },
  };
}

/** Sets when each deal got its status: at the first of its last events that all tell of it. */
function setSince(database: Database): void {
  for (const own of environments.flatMap((each) => [...database[each].tenants.values()])) {
    for (const [partner_id, entry] of own.tables.deal.byKey) {
      const { status } = entry.row;
      let since: Value = null;
      for (const { type, at, data } of eventsOf(own, `deal:${partner_id}`)) {
        if (!type.startsWith('deal.')) continue;
        const told = type === 'deal.created' ? 'created' : (data['status'] ?? null);
        // an event that tells of no status changes none
        if (told !== null && told !== status) since = null;
        else since ??= at;
      }
      if (since !== null) entry.row = { ...entry.row, status_since: since };
    }
  }
}

function refuseUnlessEmpty(database: Database): void {
  if (recordsOf(database).next().done === true) return;
  throw new Error('the store holds something already: an archive is restored into an empty one');
}

/** All records as they are now: later writes replace rows, and never modify them. */
async function* snapshot(database: Database): AsyncGenerator<ArchiveRecord> {
  yield* [...recordsOf(database)];
}

function* recordsOf(database: Database): Generator<ArchiveRecord> {
  const archived = (kind: Kind, tenant: Tenant, row: object) =>
    ({ kind, tenant: { ...tenant }, row: { ...row } }) as ArchiveRecord;
  const all = environments.map((environment) => database[environment]);
  const tenants = all.flatMap((environment) => [...environment.tenants.values()]);
  for (const kind of kinds) {
    if (kind === 'event') continue;
    for (const owner of shapeOf(kind).of === 'environment' ? all : tenants) {
      const { byKey, indexes } = owner.tables[kind];
      const entries = kind === 'deal' ? indexes.find(oldestFirst) : byKey.values();
      for (const entry of entries) yield archived(kind, entry.tenant, wholeRow(entry));
    }
  }
  for (const { tenant, events } of tenants) {
    for (const row of events) yield archived('event', tenant, copyOfEvent(row));
  }
}

/** Puts a record into a database that is not visible yet. */
function restoreRecord(
  database: Database,
  taken: Set<string>,
  { kind, tenant, row }: ArchiveRecord,
): void {
  if (!isTenant(tenant)) throw new Error('a record is not of a tenant');
  if (!kinds.includes(kind) || !isStored(kind, row)) throw new Error('this is not a record');
  const own = tenantTables(database, tenant);
  const take = (name: string, ...of: readonly (string | number)[]) => {
    const claim = JSON.stringify([kind, tenant.environment, ...of]);
    if (taken.has(claim)) throw new Error(`the archive holds the ${name} of a ${kind} twice`);
    taken.add(claim);
  };
  if (kind === 'event') {
    take('id', tenant.partner, row.id);
    own.events.push(copyOfEvent(row as Stored<'event'>));
    return;
  }
  const table = own.tables[kind];
  const { shape } = table;
  const { attempt, version } = row as AnyRow & { attempt: string; version?: number };
  const entry: Entry = {
    tenant: own.tenant,
    attempt,
    version,
    row: { ...row },
    isWhole: true,
    parts: undefined,
  };
  if (shape.number !== undefined) {
    const number = Number(entry.row[shape.number]);
    take(shape.number, number);
    const environment = database[tenant.environment];
    environment.lastNumber = Math.max(environment.lastNumber, number);
  }
  if (table.byKey.has(entry.row[shape.key] as string | number)) {
    throw new Error(`the archive holds the ${shape.key} of a ${kind} twice`);
  }
  if (shape.under !== undefined) {
    const parents = own.tables[shape.under.kind as RecordKind].byKey;
    if (!parents.has(entry.row[shape.under.by] as string)) {
      throw new Error(`a ${kind} of the archive is under a ${shape.under.kind} that did not come`);
    }
  }
  insertEntry(own, kind, entry);
}
