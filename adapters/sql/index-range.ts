import {
  type Environment,
  type IndexOwner,
  type IndexRange,
  indexedFields,
  isIndexRange,
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

/**
 * Makes a query whose parameters have the values of `indexValues`; `put` gives the place of the next
 * one in the text. It throws if the kind has no such index: the text has no names but those of the
 * table of fields.
 */
export function indexQuery(
  owner: IndexOwner,
  kind: RecordKind,
  range: IndexRange,
  put: (column: string) => string,
): IndexQuery {
  if (!isIndexRange(owner, kind, range)) throw new TypeError('the kind has no such index');
  const { index, equal, from, to, direction, after } = range;
  const { members } = tables[kind];
  const rest = index.slice(equal.length);
  const [next = ''] = rest;
  const optional = rest.filter(
    (field) => members.find(({ name }) => name === field)?.isOptional === true,
  );
  const [beyond, way] = direction === 'ascending' ? ['>', 'asc'] : ['<', 'desc'];
  const isOfAll = owner.partner === undefined;
  const tuple = (parts: readonly string[]) => `(${parts.join(', ')})`;
  const conditions = [
    `${isOfAll ? environmentColumn('t') : 't.tenant'} = ${put('tenant')}`,
    ...index.slice(0, equal.length).map((field) => `t.${field} = ${put(field)}`),
    // such an index has no rows without a value
    ...optional.map((field) => `t.${field} is not null`),
    ...(from === undefined ? [] : [`t.${next} >= ${put(next)}`]),
    ...(to === undefined ? [] : [`t.${next} < ${put(next)}`]),
    ...(after === undefined
      ? []
      : [`${tuple(rest.map((field) => `t.${field}`))} ${beyond} ${tuple(rest.map(put))}`]),
  ];
  return {
    index: `${isOfAll ? 'of_all_by' : 'by'}_${index.join('_')}`,
    members: kind === 'deal' ? members.filter(({ name }) => shown.has(name)) : members,
    where: conditions.join(' and '),
    order: rest.map((field) => `t.${field} ${way}`).join(', '),
  };
}

const shown: ReadonlySet<string> = new Set(indexedFields);

/** The values of a range, in the order of the conditions of `indexQuery`, and then the limit. */
export function indexValues(
  { environment, partner }: IndexOwner,
  { equal, from, to, after = [], limit }: IndexRange,
): readonly Value[] {
  const owner =
    partner === undefined ? letterOf(environment) : tenantText({ environment, partner });
  const ends = [from, to].filter((end) => end !== undefined);
  return [owner, ...equal, ...ends, ...after, limit];
}
