import {
  type AnyRow,
  type Environment,
  type Json,
  type Kind,
  type RecordKind,
  type RecordShape,
  records,
  type Stored,
  shapeOf,
  type Tenant,
  type Value,
} from 'dealwright/ports';

type Key = string | number;

/**
 * A stored record: a write replaces its row, and never modifies it. The attempt and the version are
 * kept beside the row of the write: V8 copies an object fast, and is slow to add members to the
 * copy.
 */
export interface Entry {
  readonly tenant: Tenant;
  readonly attempt: string;
  readonly version: number | undefined;
  row: AnyRow;
  /** Whether attempt and version were added to the row, as the first read does. */
  isWhole: boolean;
  /** The records under this one, by kind, in the order of their keys. */
  parts: Partial<Record<RecordKind, Entry[]>> | undefined;
}

/** The records of one kind that share their keys. */
export interface Table {
  readonly shape: RecordShape;
  readonly byKey: Map<Key, Entry>;
  /** By the integer that was reserved for them, if that is not their key. */
  readonly byNumber: Map<number, Entry>;
  /** Those with a `due_at`. */
  readonly timed: Timetable;
  /** Those with an `ends_at`, roughly in the order of that time. */
  readonly ending: Set<Entry>;
}

/** The tables of one tenant. */
export interface TenantTables {
  readonly tenant: Tenant;
  /** Its own, and those shared in its environment. */
  readonly tables: Tables;
  /** All deals, the oldest first. */
  readonly deals: Entry[];
  /** Deals by their payment tokens. */
  readonly byToken: Map<string, Entry>;
  readonly events: Stored<'event'>[];
  /** The first `sorted` of them, by subject. */
  readonly bySubject: Map<string, Stored<'event'>[]>;
  /** The number of events in `bySubject`. */
  sorted: number;
}

/** The tables of one environment: the shared ones, and those of each tenant. */
export interface EnvironmentTables {
  readonly tables: Tables;
  readonly tenants: Map<string, TenantTables>;
  lastNumber: number;
}

type Tables = Readonly<Record<RecordKind, Table>>;

/** All environments: a restore replaces them. */
export type Database = Record<Environment, EnvironmentTables> & {
  /** The id of the store, once it has one. */
  identity?: string | undefined;
};

export const environments = ['production', 'sandbox'] as const;

/** An empty database. */
export function createDatabase(): Database {
  const environment = (): EnvironmentTables => ({
    tables: tablesOf('environment'),
    tenants: new Map(),
    lastNumber: 0,
  });
  return { production: environment(), sandbox: environment() };
}

/** The tables of a tenant; they are made at the first use. */
export function tenantTables(database: Database, { environment, partner }: Tenant): TenantTables {
  const { tenants, tables: shared } = database[environment];
  let found = tenants.get(partner);
  if (found === undefined) {
    const tenant = Object.freeze({ environment, partner });
    const tables = { ...shared, ...tablesOf('tenant') };
    const bySubject = new Map<string, Stored<'event'>[]>();
    found = { tenant, tables, deals: [], byToken: new Map(), events: [], bySubject, sorted: 0 };
    tenants.set(partner, found);
  }
  return found;
}

/** The record with this key, among those that a tenant can see. */
export function entryOf({ tables }: TenantTables, kind: RecordKind, key: Key): Entry | undefined {
  return tables[kind].byKey.get(key);
}

/** The row of a record as a store returns it: it must not be modified. */
export function wholeRow(entry: Entry): AnyRow {
  if (!entry.isWhole) {
    const { row, attempt, version } = entry;
    // a spread with more members makes an object with slow look-ups in V8
    entry.row = Object.assign({}, row, version === undefined ? { attempt } : { attempt, version });
    entry.isWhole = true;
  }
  return entry.row;
}

/** The events of a subject. The index is made when it is read: a write does nothing for it. */
export function eventsOf(own: TenantTables, subject: string): readonly Stored<'event'>[] {
  const { events, bySubject } = own;
  for (const event of events.slice(own.sorted)) {
    const found = bySubject.get(event.subject);
    if (found === undefined) bySubject.set(event.subject, [event]);
    else found.push(event);
  }
  own.sorted = events.length;
  return bySubject.get(subject) ?? [];
}

/** An event that shares nothing with the stored one. */
export function copyOfEvent(event: Stored<'event'>): Stored<'event'> {
  return { ...event, data: copyOf(event.data) };
}

/** A copy of JSON of a record. */
export function copyOf(json: Json): Json {
  const copy: Record<string, Json[string]> = { ...json };
  for (const name in copy) {
    const value = copy[name];
    if (Array.isArray(value)) copy[name] = [...value];
  }
  return copy;
}

/** Inserts a record; the caller knows that its key is free. */
export function insertEntry(own: TenantTables, kind: RecordKind, entry: Entry): void {
  const { shape, byKey, byNumber, timed, ending } = own.tables[kind];
  const { key, number, under } = shape;
  const { row } = entry;
  byKey.set(row[key] as Key, entry);
  if (shape.isTimed) timed.note(entry);
  if (shape.ends === 'itself') noteEnd(ending, entry);
  if (kind === 'deal' && typeof row['payment_token'] === 'string') {
    own.byToken.set(row['payment_token'], entry);
  }
  if (number !== undefined && number !== key) byNumber.set(row[number] as number, entry);
  if (under === undefined) return;
  const parent = entryOf(own, under.kind as RecordKind, row[under.by] as Key) as Entry;
  parent.parts ??= {};
  const siblings = parent.parts[kind];
  if (siblings === undefined) parent.parts[kind] = [entry];
  else siblings.splice(placeOf(siblings, row, key), 0, entry);
}

/** The place of a record among others, by its key: after them, as a rule. */
function placeOf(siblings: readonly Entry[], row: AnyRow, key: string): number {
  const isBefore = (at: number) => compareKeys((siblings[at] as Entry).row[key], row[key]) < 0;
  let [low, high] = [0, siblings.length];
  if (high === 0 || isBefore(high - 1)) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareKeys(a: Value | undefined, b: Value | undefined): number {
  const areNumbers = typeof a === 'number' && typeof b === 'number';
  return areNumbers ? a - b : byCodePoint(String(a), String(b));
}

/** Keeps a record for pruning; one whose end was moved goes last. */
export function noteEnd(ending: Set<Entry>, entry: Entry): void {
  ending.delete(entry);
  if (entry.row['ends_at'] !== null) ending.add(entry);
}

function tablesOf(owner: RecordShape['of']): Tables {
  const kinds = (Object.keys(records) as Kind[]).filter(
    (kind) => kind !== 'event' && shapeOf(kind).of === owner,
  );
  const table = (kind: Kind): Table => ({
    shape: shapeOf(kind),
    byKey: new Map(),
    byNumber: new Map(),
    timed: createTimetable(shapeOf(kind)),
    ending: new Set(),
  });
  // only kinds of this owner: a tenant also gets the tables of its environment
  return Object.fromEntries(kinds.map((kind) => [kind, table(kind)])) as Tables;
}

/** The order of text in databases; by UTF-16 characters above U+FFFF would come before U+E000. */
export function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    const [ours, theirs] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (ours === theirs) continue;
    const isBeyond = (unit: number) => unit >= 0xd800 && unit < 0xe000;
    if (isBeyond(ours) !== isBeyond(theirs)) return isBeyond(ours) ? 1 : -1;
    return ours - theirs;
  }
  return a.length - b.length;
}

/** The records of a kind that have a `due_at`, in the order in which they are due. */
export interface Timetable {
  /** Moves a record to its present place, or removes it. */
  note(entry: Entry): void;
  /** Removes a record. */
  delete(entry: Entry): void;
  /** Those whose time has come, the longest overdue first. */
  due(before: string, limit: number, under?: string): readonly Entry[];
}

interface Place {
  /**
   * Its parent, if due records are read by parent, its time and its key: no text contains U+0000.
   */
  readonly at: string;
  readonly entry: Entry;
}

/** Makes the timetable of a kind. */
export function createTimetable({ key, indexes }: RecordShape): Timetable {
  const above = indexes.find((each) => each.at(-1) === 'due_at')?.slice(0, -1) ?? [];
  const places: Place[] = [];
  const placed = new Map<Entry, string>();
  /** The index of the first place that is not before this one. */
  const find = (at: string): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byCodePoint((places[middle] as Place).at, at) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const takeOut = (entry: Entry) => {
    const at = placed.get(entry);
    if (at !== undefined) places.splice(find(at), 1);
    placed.delete(entry);
  };
  return {
    delete: takeOut,
    note(entry) {
      const { row } = entry;
      const time = row['due_at'];
      if (time === null) return takeOut(entry);
      const at = [...above.map((name) => row[name]), time, row[key]].join('\0');
      if (placed.get(entry) === at) return;
      takeOut(entry);
      placed.set(entry, at);
      places.splice(find(at), 0, { at, entry });
    },
    due(before, limit, under = '') {
      const prefix = above.map(() => `${under}\0`).join('');
      const first = find(prefix);
      // after every key of this time
      const end = find(`${prefix}${before}\u{1}`);
      return places.slice(first, Math.min(end, first + limit)).map(({ entry }) => entry);
    },
  };
}
