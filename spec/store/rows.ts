import * as fc from 'fast-check';
import {
  type FieldType,
  type Json,
  type Kind,
  type ListedKind,
  type RecordKind,
  type Row,
  records,
  shapeOf,
  type TimedKind,
  type Value,
} from '../../src/domain/records/records.js';
import { formatMoney, fromMinorUnits } from '../../src/domain/values/money.js';
import { longestIndexed } from '../../src/ports/longest-indexed.js';
import { type LongestKey, longestKeys } from '../../src/ports/longest-keys.js';
import { textOf } from '../arbitraries-values.js';

/** The kinds of records that a write inserts. */
export const recordKinds = (Object.keys(records) as Kind[]).filter(
  (kind): kind is RecordKind => kind !== 'event',
);

/** The kinds of records that can be due. */
export const timedKinds = recordKinds.filter((kind): kind is TimedKind =>
  Boolean(shapeOf(kind).isTimed),
);

/** The kinds that are found by their keys, and listed in their order. */
export const listedKinds = recordKinds.filter((kind): kind is ListedKind =>
  Boolean(shapeOf(kind).isListed),
);

/** The kinds that are under this one. */
export function kindsUnder(kind: Kind): readonly RecordKind[] {
  return recordKinds.filter((each) => shapeOf(each).under?.kind === kind);
}

/** The values of the fields of rows: each field gets the next of its type, or `null`. */
export type Values = Readonly<Record<Exclude<FieldType, 'json'>, readonly Value[]>> & {
  readonly json: readonly Json[];
  readonly isNull: readonly boolean[];
};

/** The largest money in a record, and the smallest: 24 digits before the decimal point. */
export const extremes = ['999999999999999999999999.99', '-999999999999999999999999.99'] as const;
const mostUnits = 10n ** 26n - 1n;

/** The values of a row whose optional fields are `null` or set. */
export const plain: Values = {
  text: ['Text'],
  integer: [7],
  money: ['500.00'],
  json: [{ a: 1, b: [2] }],
  isNull: [false, true],
};

/** The kind of the parent that `due` needs, if a kind is indexed so. */
export function dueUnder(kind: TimedKind): RecordKind | undefined {
  const { under, indexes } = shapeOf(kind);
  const isUnder = indexes.some((index) => index[0] === under?.by && index[1] === 'due_at');
  return isUnder ? (under?.kind as RecordKind) : undefined;
}

/**
 * Fields that find a record besides its keys: no two deals have one token, and no record is due by
 * accident. A case sets them if it needs them.
 */
const onlyGiven = new Set(['payment_token', 'due_at']);

/** By kind: the longest value of each field that an index has. */
const bounds = new Map(
  (Object.keys(records) as Kind[]).map((kind) => {
    const { indexes, across = [] } = shapeOf(kind);
    const indexed = new Set([...indexes.flat(), ...across.flat()]);
    return [kind, Object.entries(longestIndexed).filter(([name]) => indexed.has(name))];
  }),
);

/** The beginning of a text that is no longer than this. */
function cutTo({ characters, bytes }: LongestKey, text: string): string {
  const kept = [...text.slice(0, 2 * characters)].slice(0, characters);
  const encoder = new TextEncoder();
  while (encoder.encode(kept.join('')).length > bytes) kept.pop();
  return kept.join('');
}

/** A key of a kind that begins like this text: a store may have no room for longer ones. */
export function keyLike(kind: Kind, text: string): string {
  return cutTo(longestKeys[kind], text);
}

/**
 * A row of a kind: the members that are given, and values for all others. A text in an index is as
 * long as a real one at most: keys of a database have bounds.
 */
export function rowOf<K extends Kind>(
  kind: K,
  given: Partial<Row<K>>,
  values: Values = plain,
): Row<K> {
  const row: Record<string, Value | Json> = {};
  for (const [at, [name, field]] of Object.entries(shapeOf(kind).fields).entries()) {
    const { isNull, [field.type]: those } = values;
    const isEmpty = field.isOptional && isNull[at % isNull.length];
    row[name] = isEmpty || onlyGiven.has(name) ? null : (those[at % those.length] ?? null);
  }
  for (const [name, most] of bounds.get(kind) ?? []) {
    const { [name]: value } = row;
    if (typeof value === 'string') row[name] = cutTo(most, value);
  }
  return Object.assign(row, given) as Row<K>;
}

const jsonValue = fc.oneof(textOf(0, 40), fc.maxSafeInteger(), fc.constant(null));

/** The values of each type that a store keeps, including those at the bounds. */
const types = {
  text: fc.oneof(
    textOf(0),
    fc.constantFrom('', ' ', '😀 Zażółć "quoted" \\ \u0001 \u2028', 'Long '.repeat(4000), '\uffff'),
    fc.constantFrom('NULL', "'; --", '%', '__proto__', '1e3', '{}', '\u0301', '\r\n', ' 22 '),
  ),
  integer: fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom(0, 2 ** 31, -(2 ** 31) - 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  ),
  money: fc
    .oneof(
      fc.bigInt({ min: -mostUnits, max: mostUnits }),
      fc.constantFrom(0n, -1n, 99n, mostUnits, -mostUnits),
    )
    .map((units) => formatMoney(fromMinorUnits(units))),
  json: fc.dictionary(textOf(0, 20), fc.oneof(jsonValue, fc.array(jsonValue, { maxLength: 3 })), {
    noNullPrototype: true,
  }),
} satisfies Readonly<Record<FieldType, fc.Arbitrary<Value | Json>>>;

/** Any values of every type. */
export function anyValues(): fc.Arbitrary<Values> {
  const some = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: 1, maxLength: 5 });
  const { text, integer, money, json } = types;
  return fc.record(
    {
      text: some(text),
      integer: some(integer),
      money: some(money),
      json: some(json),
      isNull: some(fc.boolean()),
    },
    { noNullPrototype: true },
  );
}
