import { type DealFilter, type DealRange, listedFields } from 'dealwright/ports';
import { tables } from '../sql/tables.js';
import type { SqliteValue } from './sqlite-like.js';
import { indexOf, jsonOf, nameOf } from './statements.js';

/** The fields that a filter compares for equality, the most selective first. */
const traits = ['attention', 'email_key', 'freelancer_status', 'status'] as const;
type Trait = (typeof traits)[number];

/** Before every time that a deal may have, and after every one. */
const firstTime = '';
const lastTime = '~';

const listed: readonly string[] = [...listedFields, 'attempt'];
const listedJson = jsonOf(
  'd',
  tables.deal.members.filter(({ name }) => listed.includes(name)),
);
const deals = nameOf(tables.deal);

/** The statement for a page of a list, and its values. */
export function pageOf(
  tenant: string,
  filter: DealFilter,
  { direction, from, limit }: DealRange,
): { readonly sql: string; readonly values: readonly SqliteValue[] } {
  const given = traits.filter((trait) => filter[trait] !== undefined);
  // a partner_id names one deal, and its own index finds it
  const isOne = filter.partner_id !== undefined;
  const equal = isOne ? (['partner_id', ...given] as const) : given;
  const isOlder = direction === 'older';
  const { created_from = firstTime, created_to = lastTime } = filter;
  // no attempt has the id '': so it comes before all others of its millisecond
  const oldest = { created_at: created_from, attempt: '' };
  const newest = { created_at: created_to, attempt: '' };
  const after = !isOlder && from !== undefined ? laterOf(oldest, from) : oldest;
  const before = isOlder && from !== undefined ? earlierOf(newest, from) : newest;
  const order = isOlder ? 'desc' : 'asc';
  return {
    sql: `select ${listedJson} as json from ${deals} d
      ${isOne ? '' : `indexed by ${indexOf(tables.deal, [...grouping(given), 'created_at', 'attempt'])}`}
      where d.tenant = ? ${equal.map((column) => `and d.${column} = ?`).join(' ')}
      and (d.created_at, d.attempt) > (?, ?) and (d.created_at, d.attempt) < (?, ?)
      order by d.created_at ${order}, d.attempt ${order} limit ?`,
    values: [
      tenant,
      ...equal.map((column) => filter[column] ?? ''),
      ...[after.created_at, after.attempt],
      ...[before.created_at, before.attempt],
      limit,
    ],
  };
}

/** The fields that the index of a list begins with. */
function grouping([first, ...others]: readonly Trait[]): readonly Trait[] {
  if (first === undefined) return [];
  // there may be no deal with both statuses, even if there are many with each
  return first === 'freelancer_status' && others.length > 0 ? ['status', first] : [first];
}

type Position = NonNullable<DealRange['from']>;

function laterOf(a: Position, b: Position): Position {
  return isBefore(a, b) ? b : a;
}

function earlierOf(a: Position, b: Position): Position {
  return isBefore(a, b) ? a : b;
}

function isBefore(a: Position, b: Position): boolean {
  return a.created_at === b.created_at ? a.attempt < b.attempt : a.created_at < b.created_at;
}
