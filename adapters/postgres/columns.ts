import type { FieldType } from 'dealwright/ports';
import type { Column } from '../sql/tables.js';

/** The type of a field in SQL. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'bigint',
  money: 'numeric',
  json: 'json',
};

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
