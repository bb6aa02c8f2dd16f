import { type FieldType, type Kind, type RecordKind, records, shapeOf } from 'dealwright/ports';

/** Every kind in the order of the table of fields: what a record is under comes before it. */
export const kinds = Object.keys(records) as readonly Kind[];

/** The kinds that writes insert and change. */
export const recordKinds = kinds.filter((kind): kind is RecordKind => kind !== 'event');

/** The name of the table of a kind, without its schema. */
export function tableName(kind: string): string {
  return `${kind}s`;
}

/** A column, and the type of its values in SQL. */
export type Column = readonly [name: string, type: string];

/** The type of a field in SQL. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'bigint',
  money: 'numeric',
  json: 'json',
};

/** The fields of a kind as columns, in their order. */
export function fieldColumns(kind: Kind): readonly Column[] {
  const { fields } = shapeOf(kind);
  return Object.entries(fields).map(([name, { type }]) => [name, sqlTypes[type]]);
}

/** What the store adds to the fields of a record that it hands out. */
export function addedColumns(kind: Kind): readonly Column[] {
  if (kind === 'event') return [];
  return [
    ['attempt', 'text'],
    ...(shapeOf(kind).isSubject ? ([['version', 'bigint']] as const) : []),
  ];
}

/** All columns of a kind's table, those that say whose a record is first. */
export function tableColumns(kind: Kind): readonly Column[] {
  return [
    ...(shapeOf(kind).of === 'environment' ? ([['environment', 'text']] as const) : []),
    ['tenant', 'text'],
    ...(kind === 'event' ? ([['position', 'bigint']] as const) : []),
    ...fieldColumns(kind),
    ...addedColumns(kind),
  ];
}

/**
 * Columns of an alias as one JSON object. Decimals and JSON are texts in it, as in a row: a driver
 * would hand out numbers, and JSON in words of its own.
 */
export function jsonObject(alias: string, columns: readonly Column[]): string {
  const members = columns.map(([name, type]) => {
    const isText = type === 'numeric' || type === 'json';
    return `'${name}', ${alias}.${name}${isText ? '::text' : ''}`;
  });
  return `json_build_object(${members.join(', ')})`;
}

/** A record as its store hands it out, from an alias of its table. */
export function storedObject(kind: Kind, alias: string): string {
  return jsonObject(alias, [...fieldColumns(kind), ...addedColumns(kind)]);
}
