import { type Kind, type RecordKind, shapeOf } from 'dealwright/ports';
import { recordKinds, tables } from '../../sql/tables.js';
import { sqlTypes } from './columns.js';

/** A placeholder for the schema's name, until a function is made. */
export const s = '"$schema"';
export const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n');
export const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

type TypedName = readonly [name: string, type: string];

const inOrder = (owner: string, column: string, value: string) => ({
  where: `${owner} and t.${column} >= ${value} and t.${column} <= ${value}`,
  order: `order by t.${column}`,
});

const typedNames = (kind: Kind) =>
  tables[kind].members.map(({ name, type }): TypedName => [name, sqlTypes[type]]);
const fieldCount = (kind: Kind) => Object.keys(shapeOf(kind).fields).length;

/** The parts of a kind that a function needs. */
function partsOf(kind: RecordKind) {
  const shape = shapeOf(kind);
  const { key, under, conditions, changes, isSubject } = shape;
  const isShared = shape.of === 'environment';
  const type = (field: string) =>
    field === 'version' ? 'bigint' : sqlTypes[shape.fields[field]?.type ?? 'text'];
  const owner = (tenant: string) =>
    isShared ? `t.environment = split_part(${tenant}, ':', 1)` : `t.tenant = ${tenant}`;
  return {
    ...{ kind, shape, isShared, type },
    table: `${s}.${tables[kind].name}`,
    keyType: type(key),
    fields: typedNames(kind).slice(0, fieldCount(kind)),
    columns: tables[kind].columns.map(({ name }) => name).join(', '),
    canChange: isSubject || changes.length > 0,
    /** The fields that an expectation may ask about. */
    conditions: conditions.map((field): TypedName => [field, type(field)]),
    /** The condition of the record with this key. */
    where: (tenant: string, value: string) => `${owner(tenant)} and t.${key} = ${value}`,
    /**
     * The same, to find a record. No other index has this order: if all seem equal, as on a table
     * that was never analysed, the planner would take one of them, and read a whole tenant.
     */
    find: (tenant: string, value: string) => inOrder(owner(tenant), key, value),
    /** The records under the one with this key, or all of a tenant if the kind has no parent. */
    findUnder: (tenant: string, value: string) =>
      under === undefined
        ? { where: owner(tenant), order: `order by t.${key}` }
        : inOrder(owner(tenant), under.by, value),
    /** The assignments of a change: other fields stay. */
    sets: (moves: string, given: string) =>
      [
        ...(isSubject ? [`version = t.version + ${moves}`] : []),
        ...changes.map(
          (name) =>
            `${name} = case when ${given} ? '${name}' then (${given} ->> '${name}')::${type(name)} else t.${name} end`,
        ),
      ].join(', '),
    /** Whether a found record has the requested values. */
    isAsAsked: (value: (field: string, nth: number) => string) =>
      conditions.map((field, nth) => {
        const asked = value(field, nth);
        return `(${asked} is null or array_position(${asked}, t.${field}) is not null)`;
      }),
  };
}

/** The parts of each kind, in the order in which records are written. */
export const kinds = recordKinds.map(partsOf);
export type Parts = (typeof kinds)[number];

export const firstAnswer = `json_build_object('fingerprint', t.fingerprint, 'answer', t.answer)`;

export const eventFields = typedNames('event');
export const eventColumns = tables.event.columns.map(({ name }) => name).join(', ');

export const raise = (
  values: string,
) => `insert into ${s}.tenants as t (tenant, last_position) ${values}
    on conflict (tenant) do update set last_position = t.last_position + excluded.last_position`;

/**
 * A plan may be made while tables are small and all indexes seem equal, and is kept while they
 * grow. The index of the key has the requested order; any other would need a sort, and is not taken
 * then. A sort that is still needed seems so expensive that it would be compiled.
 */
export const settings = 'set enable_seqscan = off set enable_sort = off set jit = off';
