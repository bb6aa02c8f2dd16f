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
import { byCodePoint } from './order.js';
import { createTimetable, type Timetable } from './timetable.js';

type Key = string | number;

/**
 * A record as it is kept: a write replaces its row, and never writes into it. The attempt and the
 * version stand beside the row as it came: V8 copies an object quickly, and slowly one to which it
 * has to add members.
 */
export interface Entry {
  readonly tenant: Tenant;
  readonly attempt: string;
  readonly version: number | undefined;
  row: AnyRow;
  /** Whether attempt and version have been added to the row, as they are where it was read once. */
  isWhole: boolean;
  /** The records under this one, by kind, in the order of their keys. */
  parts: Partial<Record<RecordKind, Entry[]>> | undefined;
}

/** The records of one kind that share their keys. */
export interface Table {
  readonly shape: RecordShape;
  readonly byKey: Map<Key, Entry>;
  /** By the integer that was reserved for them, where that is not their key. */
  readonly byNumber: Map<number, Entry>;
  /** Those with a `due_at`: what waits for nothing is not looked at. */
  readonly timed: Timetable<Entry>;
  /** Those with an `ends_at`, about in the order in which they end. */
  readonly ending: Set<Entry>;
}

/** What one tenant holds. */
export interface TenantTables {
  readonly tenant: Tenant;
  /** Its own, and those that it shares with the others of its environment. */
  readonly tables: Tables;
  /** All deals, the oldest first. */
  readonly deals: Entry[];
  /** Deals by their payment tokens. */
  readonly byToken: Map<string, Entry>;
  readonly events: Stored<'event'>[];
  /** The first of them, by their subjects. */
  readonly bySubject: Map<string, Stored<'event'>[]>;
  /** How many those are. */
  sorted: number;
}

/** What one environment holds: what its tenants share, and what each of them has. */
export interface EnvironmentTables {
  readonly tables: Tables;
  readonly tenants: Map<string, TenantTables>;
  lastNumber: number;
}

type Tables = Readonly<Record<RecordKind, Table>>;

/** All environments: a restore puts whole ones in their place. */
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

/** What a tenant holds; it is made where there was nothing. */
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

/** The record with this key, of those that a tenant can see. */
export function entryOf({ tables }: TenantTables, kind: RecordKind, key: Key): Entry | undefined {
  return tables[kind].byKey.get(key);
}

/** The row of a record as a store hands it out: nobody may write into it. */
export function wholeRow(entry: Entry): AnyRow {
  if (!entry.isWhole) {
    const { row, attempt, version } = entry;
    // a spread with more members makes an object that V8 looks up slowly
    entry.row = Object.assign({}, row, version === undefined ? { attempt } : { attempt, version });
    entry.isWhole = true;
  }
  return entry.row;
}

/** The events of a subject. What nobody has asked for is not kept by it: a write does nothing for it. */
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

/** An event that shares nothing with the one that is kept. */
export function copyOfEvent(event: Stored<'event'>): Stored<'event'> {
  return { ...event, data: copyOf(event.data) };
}

/** JSON of a record, which nobody else writes into. */
export function copyOf(json: Json): Json {
  const copy: Record<string, Json[string]> = { ...json };
  for (const name in copy) {
    const value = copy[name];
    if (Array.isArray(value)) copy[name] = [...value];
  }
  return copy;
}

/** Puts a record in, of which the caller knows that there is no other. */
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

/** Where a record goes among others, by its key: behind them, as a rule. */
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

/** Keeps a record where it is looked for once it has ended; what ends later than before goes last. */
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
  // of the kinds of this owner alone: those of a tenant join those of its environment
  return Object.fromEntries(kinds.map((kind) => [kind, table(kind)])) as Tables;
}
