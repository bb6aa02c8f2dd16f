import type { AnyRow, Kind, Value } from 'dealwright/ports';
import { type AnyMembers, type Column, columnValue, type Table, tables } from '../sql/tables.js';
import type { Prepare, Statement } from './sqlite-like.js';

/** The name of a table in the database, which may also have tables of the host. */
export function nameOf({ name }: Table): string {
  return `dealwright_${name}`;
}

/**
 * A record as one JSON text, whose members are the columns of a table `alias` by their own names:
 * so every driver returns the same numbers, and each row costs one value.
 */
export function jsonOf(alias: string, columns: readonly Pick<Column, 'name' | 'type'>[]): string {
  const members = columns.map(({ name, type }) => {
    const column = `${alias}.${name}`;
    return `'${name}', ${type === 'json' ? `json(${column})` : column}`;
  });
  return `json_object(${members.join(', ')})`;
}

/** The select list of one record, alone or within another. */
export function storedJson(kind: Kind, alias: string): string {
  return jsonOf(alias, tables[kind].members);
}

/** The condition that names one record, by its owner and its key. */
export function byKey({ owner, key }: Table): string {
  return `${owner} = ? and ${key} = ?`;
}

/** The index of a table by these columns, which begins with the owner. */
export function indexOf(table: Table, columns: readonly string[]): string {
  return `${nameOf(table)}_by_${columns.join('_')}`;
}

/** Puts a record into its table: the fields of a write, and those that the store adds. */
export type Insert = (kind: Kind, given: AnyMembers, added: AnyRow) => void;

/** Prepares the statements that insert. */
export function createInsert(prepare: Prepare): Insert {
  const statements = new Map<Kind, Statement>();
  for (const table of Object.values(tables)) {
    const columns = [...table.given, ...table.added];
    const values = columns.map(() => '?').join(', ');
    const sql = `insert into ${nameOf(table)} (${columns.join(', ')}) values (${values})`;
    statements.set(table.kind, prepare(sql));
  }
  return (kind, given, added) => {
    const table = tables[kind];
    const values: Value[] = [];
    for (const column of table.given) values.push(columnValue(given[column]));
    // a record of an archive has the members that a store adds, except its owner
    for (const column of table.added) values.push(columnValue(added[column] ?? given[column]));
    statements.get(kind)?.run(...values);
  };
}
