import {
  type AnyRow,
  type Environment,
  type Kind,
  type RecordShape,
  records,
  type Stored,
  shapeOf,
  type Tenant,
} from 'dealwright/ports';

type Key = string | number;

/** A record as it is kept: a write replaces its row, and never writes into it. */
export interface Entry {
  readonly tenant: Tenant;
  row: AnyRow;
}

/** The records of one kind that share their keys. */
export interface Table {
  readonly byKey: Map<Key, Entry>;
  /** By the integer that was reserved for them. */
  readonly byNumber: Map<number, Entry>;
  /** By the key of the record that they are under, in the order in which they came. */
  readonly under: Map<Key, Entry[]>;
}

/** What one tenant holds. */
export interface TenantTables {
  readonly tenant: Tenant;
  readonly tables: Tables;
  /** All deals, the oldest first. */
  readonly deals: Entry[];
  readonly events: Stored<'event'>[];
}

/** What one environment holds: what its tenants share, and what each of them has. */
export interface EnvironmentTables {
  readonly tables: Tables;
  readonly tenants: Map<string, TenantTables>;
  lastNumber: number;
}

type Tables = Map<Kind, Table>;

/** All environments: a restore puts whole ones in their place. */
export type Database = Record<Environment, EnvironmentTables>;

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
  const { tenants } = database[environment];
  let found = tenants.get(partner);
  if (found === undefined) {
    const tenant = Object.freeze({ environment, partner });
    found = { tenant, tables: tablesOf('tenant'), deals: [], events: [] };
    tenants.set(partner, found);
  }
  return found;
}

/** The records of a kind that a tenant can see. */
export function tableOf(database: Database, own: TenantTables, kind: Kind): Table {
  const { tables } = shapeOf(kind).of === 'tenant' ? own : database[own.tenant.environment];
  return tables.get(kind) as Table;
}

/** Puts a record in, of which the caller knows that there is no other. */
export function insertEntry(table: Table, shape: RecordShape, entry: Entry): void {
  const { row } = entry;
  table.byKey.set(row[shape.key] as Key, entry);
  if (shape.number !== undefined) table.byNumber.set(row[shape.number] as number, entry);
  if (shape.under === undefined) return;
  const parent = row[shape.under.by] as Key;
  const siblings = table.under.get(parent);
  if (siblings === undefined) table.under.set(parent, [entry]);
  else siblings.push(entry);
}

function tablesOf(owner: RecordShape['of']): Tables {
  const kinds = Object.keys(records) as Kind[];
  return new Map(
    kinds
      .filter((kind) => kind !== 'event' && shapeOf(kind).of === owner)
      .map((kind) => [kind, { byKey: new Map(), byNumber: new Map(), under: new Map() }]),
  );
}
