import type { FieldType, Kind, RecordKind } from 'dealwright/ports';
import { type Column, kinds, tables } from '../sql/tables.js';

/** The kinds that writes insert and change. */
export const recordKinds = kinds.filter((kind): kind is RecordKind => kind !== 'event');

/** The type of a field in SQL. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'bigint',
  money: 'numeric',
  json: 'json',
};

/** The columns of a record's members: those that it is handed out with. */
export function memberColumns(kind: Kind): readonly Column[] {
  const { columns, added } = tables[kind];
  return columns.slice(added.length);
}

/**
 * Columns of an alias as one JSON object. Decimals and JSON are texts in it, as in a row: a driver
 * would hand out numbers, and JSON in words of its own.
 */
export function jsonObject(alias: string, columns: readonly Column[]): string {
  const members = columns.map(({ name, type }) => {
    const isText = type === 'money' || type === 'json';
    return `'${name}', ${alias}.${name}${isText ? '::text' : ''}`;
  });
  return `json_build_object(${members.join(', ')})`;
}
