import { type Kind, type RecordKind, shapeOf } from 'dealwright/ports';
import { sqlTypes } from '../../../adapters/postgres/columns.js';
import { recordKinds, tables } from '../../../adapters/sql/tables.js';

export const s = '"$schema"';
export const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n');
export const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

type TypedName = readonly [name: string, type: string];

const inOrder = (owner: string, column: string, value: string) => ({
  where: `${owner} and t.${column} >= ${value} and t.${column} <= ${value}`,
  order: `order by t.${column}`,
});

export const typedNames = (kind: Kind) =>
  tables[kind].members.map(({ name, type }): TypedName => [name, sqlTypes[type]]);
const fieldCount = (kind: Kind) => Object.keys(shapeOf(kind).fields).length;

/** What the generator needs of a kind. */
function partsOf(kind: RecordKind) {
  const shape = shapeOf(kind);
  const table = `${s}.${tables[kind].name}`;
  const isShared = shape.of === 'environment';
  // no write asks how many others there are
  const isDealPart = shape.under?.kind === 'deal';
  const type = (field: string) =>
    field === 'version' ? 'bigint' : sqlTypes[shape.fields[field]?.type ?? 'text'];
  const members = typedNames(kind);
  const owner = (tenant: string) =>
    isShared ? `t.environment = split_part(${tenant}, ':', 1)` : `t.tenant = ${tenant}`;
  return {
    ...{ kind, shape, table, isShared, isDealPart, type, members },
    fields: members.slice(0, fieldCount(kind)),
    columns: tables[kind].columns.map(({ name }) => name).join(', '),
    canChange: shape.isSubject || shape.changes.length > 0,
    /** Where the record with this key is. */
    where: (tenant: string, key: string) => `${owner(tenant)} and t.${shape.key} = ${key}`,
    /**
     * The same for what finds a record. No other index has this order: where all seem equal, as on a
     * table that was never analysed, the planner would take one of them, and read a whole tenant.
     */
    find: (tenant: string, key: string) => inOrder(owner(tenant), shape.key, key),
    findUnder: (tenant: string, key: string) => inOrder(owner(tenant), shape.under?.by ?? '', key),
    /** What a change sets: what is not given stays. */
    sets: (moves: string, given: string) =>
      [
        ...(shape.isSubject ? [`version = t.version + ${moves}`] : []),
        ...shape.changes.map(
          (name) =>
            `${name} = case when ${given} ? '${name}' then (${given} ->> '${name}')::${type(name)} else t.${name} end`,
        ),
      ].join(', '),
    /** Whether a found record has the values that are asked for. */
    isAsAsked: (value: (field: string, nth: number) => string) =>
      shape.conditions.map((field, nth) => {
        const asked = value(field, nth);
        return `(${asked} is null or array_position(${asked}, t.${field}) is not null)`;
      }),
  };
}

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
 * A plan may be made while tables are small, where all indexes seem equal, and is kept while they
 * grow. That of the key has the order that is asked for; any other would have to be sorted, and is
 * not taken then. What has to be sorted all the same seems so dear that it would be compiled.
 */
export const settings = 'set enable_seqscan = off set enable_sort = off set jit = off';
