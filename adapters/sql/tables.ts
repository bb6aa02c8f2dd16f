import {
  type FieldType,
  type Json,
  type Kind,
  membersOf,
  type RecordKind,
  records,
  shapeOf,
  type Value,
} from 'dealwright/ports';

/** A row of any kind, with the members that a store adds. */
export type AnyMembers = Readonly<Record<string, Value | Json>>;

/** The value of a member for a database: JSON is text. */
export function columnValue(value: Value | Json | undefined): Value {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: FieldType;
  readonly isOptional: boolean;
}

/** An index of a table, other than its primary key. */
export interface Index {
  /** The end of its name. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** The table that keeps the records of one kind. */
export interface Table {
  readonly kind: Kind;
  readonly name: string;
  /** The owner of the records: the first column of every key and of every index. */
  readonly owner: 'environment' | 'tenant';
  /** The column that names one record of an owner. */
  readonly key: string;
  /** The column that names the parent of a record. */
  readonly parent: string | undefined;
  /** The fields that a write may change. */
  readonly changes: readonly string[];
  /** The first columns of the index of times, before `due_at`: the parent of a record, or none. */
  readonly dueUnder: readonly string[];
  /** The columns that order the records of an owner in a dump. */
  readonly order: readonly string[];
  /** The fields in a write. */
  readonly given: readonly string[];
  /** The columns that a store adds to them. */
  readonly added: readonly string[];
  /** The members of a stored record: each is a column of the same name. */
  readonly members: readonly Column[];
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly Index[];
}

/**
 * The environment of a record of a tenant, as indexes of all tenants have it: the first letter of
 * its tenant.
 */
export function environmentColumn(alias?: string): string {
  return `substr(${alias === undefined ? '' : `${alias}.`}tenant, 1, 1)`;
}

function tableOf(kind: Kind): Table {
  const shape = shapeOf(kind);
  const { of: owner, key, number, under, fields, changes, indexes, across = [] } = shape;
  const isEvent = kind === 'event';
  const front = [
    ...(owner === 'tenant' ? [] : [owner]),
    'tenant',
    ...(isEvent ? ['position'] : []),
  ];
  const members = Object.entries(membersOf(kind)).map(
    ([name, { type, isOptional }]): Column => ({ name, type, isOptional }),
  );
  const kept = members.map(({ name }) => name).filter((name) => !(name in fields));
  const given = Object.keys(fields).filter((name) => !(isEvent && name === 'sequence'));
  const own = (name: string): Column => ({
    name,
    type: name === 'position' ? 'integer' : 'text',
    isOptional: false,
  });
  const index = (columns: readonly string[], isUnique = false): Index => ({
    name: `by_${columns.join('_')}`,
    columns: [owner, ...columns],
    isUnique,
  });
  // due and expired records are also searched among those of all environments
  const timed = [
    ...(indexes.some((each) => each.join() === 'due_at') ? ['due_at'] : []),
    ...(shape.ends === 'itself' ? ['ends_at'] : []),
  ];
  return {
    kind,
    name: pluralOf(kind),
    owner,
    key,
    parent: under?.by,
    changes,
    dueUnder: indexes.find((each) => each.at(-1) === 'due_at')?.slice(0, -1) ?? [],
    order: isEvent ? ['position'] : (indexes.find((each) => each.at(-1) === 'attempt') ?? [key]),
    given,
    added: [...front, ...(isEvent ? ['sequence'] : []), ...kept],
    members,
    columns: [...front.map(own), ...members],
    primaryKey: [owner, isEvent ? 'position' : key],
    indexes: [
      ...(number === undefined || number === key ? [] : [index([number], true)]),
      ...(under === undefined ? [] : [index([under.by, key])]),
      ...indexes.map((columns) => index(columns)),
      ...timed.map((column) => ({
        name: `of_all_by_${column}`,
        columns: [column, 'tenant'],
        isUnique: false,
      })),
      ...across.map((columns) => ({
        name: `of_all_by_${columns.join('_')}`,
        columns: [environmentColumn(), ...columns],
        isUnique: false,
      })),
    ],
  };
}

function pluralOf(kind: Kind): string {
  if (kind.endsWith('s')) return kind;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** All kinds, in the order in which a dump has them. */
export const kinds = Object.keys(records) as readonly Kind[];

/** The kinds that writes insert and change. */
export const recordKinds = kinds.filter((kind): kind is RecordKind => kind !== 'event');

/** The tables of all kinds, made from the table of fields: a schema has these columns and indexes. */
export const tables = Object.fromEntries(kinds.map((kind) => [kind, tableOf(kind)])) as Readonly<
  Record<Kind, Table>
>;

/** The tables that are searched by time alone, for `Store.tenants`. */
export const dueTables: readonly Table[] = Object.values(tables).filter(({ indexes }) =>
  indexes.some(({ name }) => name === 'of_all_by_due_at'),
);
