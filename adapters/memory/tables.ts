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

import { byCodePoint } from '../shared/code-points.js';
import type { Entry } from './entry.js';
import { createIndexes, type Indexes } from './indexes.js';

type Key = string | number;

/** The records of one kind that share their keys. */
export interface Table {
  readonly shape: RecordShape;
  readonly byKey: Map<Key, Entry>;
  /** By the integer that was reserved for them, if that is not their key. */
  readonly byNumber: Map<number, Entry>;
  /** Those with an `ends_at`, roughly in the order of that time. */
  readonly ending: Set<Entry>;
  readonly indexes: Indexes;
}

/** The indexes of the records of all tenants, by their kinds. */
type Across = Readonly<Record<RecordKind, Indexes>>;

/** The tables of one tenant. */
export interface TenantTables {
  readonly tenant: Tenant;
  readonly across: Across;
  /** Its own, and those shared in its environment. */
  readonly tables: Tables;
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
  readonly across: Across;
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
  const environment = (): EnvironmentTables => {
    const tenants = new Map<string, TenantTables>();
    const all = (kind: RecordKind) =>
      [...tenants.values()].flatMap(({ tables }) => [...tables[kind].byKey.values()]);
    const across = Object.fromEntries(
      kindsOf('tenant').map((kind) => [kind, createIndexes(() => all(kind))]),
    ) as Across;
    return { tables: tablesOf('environment'), tenants, across, lastNumber: 0 };
  };
  return { production: environment(), sandbox: environment() };
}

/** The tables of a tenant; they are made at the first use. */
export function tenantTables(database: Database, { environment, partner }: Tenant): TenantTables {
  const { tenants, tables: shared, across } = database[environment];
  let found = tenants.get(partner);
  if (found === undefined) {
    const tenant = Object.freeze({ environment, partner });
    const tables = { ...shared, ...tablesOf('tenant') };
    const bySubject = new Map<string, Stored<'event'>[]>();
    const byToken = new Map<string, Entry>();
    found = { tenant, across, tables, byToken, events: [], bySubject, sorted: 0 };
    tenants.set(partner, found);
  }
  return found;
}

/** The record with this key, among those that a tenant can see. */
export function entryOf({ tables }: TenantTables, kind: RecordKind, key: Key): Entry | undefined {
  return tables[kind].byKey.get(key);
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
  const { shape, byKey, byNumber, ending } = own.tables[kind];
  const { key, number, under } = shape;
  const { row } = entry;
  byKey.set(row[key] as Key, entry);
  if (shape.ends === 'itself') noteEnd(ending, entry);
  noteIndexes(own, kind, entry);
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

/** Keeps a record for the indexes that are in use. */
export function noteIndexes(own: TenantTables, kind: RecordKind, entry: Entry): void {
  const { shape, indexes } = own.tables[kind];
  if (shape.indexes.length > 0) indexes.note(entry);
  if (shape.across !== undefined) own.across[kind].note(entry);
}

function kindsOf(owner: RecordShape['of']): readonly RecordKind[] {
  return (Object.keys(records) as Kind[]).filter(
    (kind): kind is RecordKind => kind !== 'event' && shapeOf(kind).of === owner,
  );
}

function tablesOf(owner: RecordShape['of']): Tables {
  const table = (kind: Kind): Table => {
    const byKey = new Map<Key, Entry>();
    return {
      shape: shapeOf(kind),
      byKey,
      byNumber: new Map(),
      ending: new Set(),
      indexes: createIndexes(() => byKey.values()),
    };
  };
  // only kinds of this owner: a tenant also gets the tables of its environment
  return Object.fromEntries(kindsOf(owner).map((kind) => [kind, table(kind)])) as Tables;
}
