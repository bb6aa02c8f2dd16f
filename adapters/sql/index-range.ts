import {
  type Environment,
  type IndexOwner,
  type IndexRange,
  indexedFields,
  type RecordKind,
  type Value,
} from 'dealwright/ports';
import { type Column, environmentColumn, tables } from './tables.js';
import { tenantText } from './tenant.js';

/** The parts of a statement for a range of an index, on a table with the alias `t`. */
export interface IndexQuery {
  /** The end of the name of the index. */
  readonly index: string;
  /** The members of each record. */
  readonly members: readonly Column[];
  readonly where: string;
  readonly order: string;
}

/** The letter by which an index of all tenants tells the environments apart. */
const letterOf = (environment: Environment) => environment.charAt(0);

/** Makes a query; `put` makes a parameter of a value, and returns its place in the text. */
export function indexQuery(
  { environment, partner }: IndexOwner,
  kind: RecordKind,
  { index, equal, from, to, direction, after }: IndexRange,
  put: (value: Value, column: string) => string,
): IndexQuery {
  const { members } = tables[kind];
  const rest = index.slice(equal.length);
  const [next = ''] = rest;
  const optional = rest.filter(
    (field) => members.find(({ name }) => name === field)?.isOptional === true,
  );
  const [beyond, way] = direction === 'ascending' ? ['>', 'asc'] : ['<', 'desc'];
  const tuple = (parts: readonly string[]) => `(${parts.join(', ')})`;
  const conditions = [
    partner === undefined
      ? `${environmentColumn('t')} = ${put(letterOf(environment), 'tenant')}`
      : `t.tenant = ${put(tenantText({ environment, partner }), 'tenant')}`,
    ...equal.map((value, at) => `t.${index[at]} = ${put(value, index[at] ?? '')}`),
    // such an index has no rows without a value
    ...optional.map((field) => `t.${field} is not null`),
    ...(from === undefined ? [] : [`t.${next} >= ${put(from, next)}`]),
    ...(to === undefined ? [] : [`t.${next} < ${put(to, next)}`]),
    ...(after === undefined
      ? []
      : [
          `${tuple(rest.map((field) => `t.${field}`))} ${beyond} ${tuple(after.map((value, at) => put(value, rest[at] ?? '')))}`,
        ]),
  ];
  return {
    index: `${partner === undefined ? 'of_all_by' : 'by'}_${index.join('_')}`,
    members: kind === 'deal' ? members.filter(({ name }) => shown.has(name)) : members,
    where: conditions.join(' and '),
    order: rest.map((field) => `t.${field} ${way}`).join(', '),
  };
}

const shown: ReadonlySet<string> = new Set(indexedFields);
