import type { AnyRow, Kind } from 'dealwright/ports';
import { type Table, tables } from '../sql/tables.js';
import type { TenantNames } from '../sql/tenant.js';
import type { Prepare, Statement } from './sqlite-like.js';

/** The name of a table in the database, which may have tables of the host's own. */
export function nameOf({ name }: Table): string {
  return `dealwright_${name}`;
}

/**
 * A record as one JSON text, whose members are the columns of a table `alias` by their own names:
 * numbers come out of every driver alike then, and each row costs one value.
 */
export function jsonOf(alias: string, members: readonly string[]): string {
  return `json_object(${members.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`;
}

/** The select list of one record, alone or within another. */
export function storedJson(kind: Kind, alias: string): string {
  return jsonOf(alias, tables[kind].members);
}

/** The condition that names one record, for `ownerOf` and its key. */
export function byKey({ owner, key }: Table): string {
  return `${owner} = ? and ${key} = ?`;
}

/** Puts a stored record into its table; `position` is of an event. */
export type Insert = (kind: Kind, names: TenantNames, row: AnyRow) => void;

interface PreparedInsert {
  readonly columns: readonly string[];
  readonly statement: Statement;
}

/** Prepares the statements that insert. */
export function createInsert(prepare: Prepare): Insert {
  const statements = new Map<Kind, PreparedInsert>();
  for (const table of Object.values(tables)) {
    const columns = [...table.added, ...table.members];
    const values = columns.map(() => '?').join(', ');
    const sql = `insert into ${nameOf(table)} (${columns.join(', ')}) values (${values})`;
    statements.set(table.kind, { columns, statement: prepare(sql) });
  }
  return (kind, names, row) => {
    const { columns, statement } = statements.get(kind) as PreparedInsert;
    const added: AnyRow = { ...names };
    statement.run(...columns.map((column) => added[column] ?? row[column] ?? null));
  };
}
