import type { FieldType } from 'dealwright/ports';
import type { Column } from '../../sql/tables.js';

/** The type of a field in SQL. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'bigint',
  money: 'numeric',
  json: 'json',
};

/** Columns of an alias as one JSON object. Decimals are texts, as in a row. */
export function jsonObject(alias: string, columns: readonly Column[]): string {
  const members = columns.map(({ name, type }) => {
    return `'${name}', ${alias}.${name}${type === 'money' ? '::text' : ''}`;
  });
  return `json_build_object(${members.join(', ')})`;
}
