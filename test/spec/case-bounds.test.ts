import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { defaultValueSets } from 'dealwright';
import { describeFields, type FieldDescription, type FieldRule } from 'dealwright/fields';
import { describe, expect, it } from 'vitest';
import { operations } from '../../scripts/cases/operations.mjs';
import { type CaseFile, type CaseIssue, expand } from './case-files.js';

const folder = new URL('../../spec/cases/', import.meta.url);
const files = new Map(
  readdirSync(folder)
    .filter((name) => /\.json$/.test(name) && name !== 'schema.json')
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile)
    .map((file) => [file.operation, file]),
);

/** A value of a field in a case, and its issue. */
interface Seen {
  readonly value: unknown;
  readonly issue: CaseIssue | undefined;
  /** The member in the canonical form of the case. */
  readonly shown: unknown;
}

/** The members that a case sends. */
function membersOf({ body, json, query }: CaseFile['cases'][number]): object {
  if (typeof query === 'string') return Object.fromEntries(new URLSearchParams(query));
  if (json === undefined) return Object(expand(body ?? query));
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** The value at a path. */
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((outer, name) => Reflect.get(Object(outer), name), value);

function seenOf(
  file: CaseFile | undefined,
  { name }: FieldDescription,
  place: readonly string[],
): readonly Seen[] {
  const at = [...place, name];
  return (file?.cases ?? []).map((each) => ({
    value: valueAt(membersOf(each), at),
    issue: each.issues?.find(({ path }) => isDeepStrictEqual(path.slice(0, at.length), at)),
    shown: each.valid ? each.canonical?.[name] : undefined,
  }));
}

/** The items of a list as values of a field of their own. */
function itemsOf(file: CaseFile | undefined, { name }: FieldDescription): readonly Seen[] {
  return (file?.cases ?? []).flatMap((each) => {
    const list: unknown = Reflect.get(membersOf(each), name);
    if (!Array.isArray(list)) return [];
    return list.map((value: unknown, at) => ({
      value,
      issue: each.issues?.find(({ path }) => isDeepStrictEqual(path, [name, `${at}`])),
      shown: undefined,
    }));
  });
}

const lengthOf = (value: unknown) => [...String(value)].length;
const isAstral = (value: unknown) => String(value).length > lengthOf(value);
const digitsOf = (value: unknown, part: 0 | 1) =>
  String(value).replace('-', '').split('.')[part]?.length ?? 0;

/** The measures of a value that a rule bounds, each with the last one inside, and the first outside. */
function boundsOf(
  rule: FieldRule,
): readonly (readonly [measure: (value: unknown) => number, inside: number, outside: number])[] {
  switch (rule.code) {
    case 'too_short':
      return [[lengthOf, rule.params.min, rule.params.min - 1]];
    case 'too_long':
      return [[lengthOf, rule.params.max, rule.params.max + 1]];
    case 'wrong_length':
      return [
        [lengthOf, rule.params.length, rule.params.length - 1],
        [lengthOf, rule.params.length, rule.params.length + 1],
      ];
    case 'email_local_part_too_long':
      return [[(value) => String(value).indexOf('@'), rule.params.max, rule.params.max + 1]];
    case 'out_of_range':
      return [
        [Number, rule.params.min, rule.params.min - 1],
        [Number, rule.params.max, rule.params.max + 1],
      ];
    case 'invalid_decimal': {
      const { max_integer_digits, max_fraction_digits } = rule.params;
      return [
        [(value) => digitsOf(value, 0), max_integer_digits, max_integer_digits + 1],
        [(value) => digitsOf(value, 1), max_fraction_digits, max_fraction_digits + 1],
      ];
    }
    case 'too_many_types':
    case 'too_many_stages':
      return [[(value) => Object(value).length, rule.params.max, rule.params.max + 1]];
    default:
      return [];
  }
}

/** The lengths that a count of UTF-16 units would judge otherwise. */
const countsCharacters = (rule: FieldRule) =>
  rule.code === 'too_long' ||
  rule.code === 'wrong_length' ||
  (rule.code === 'too_short' && rule.params.min > 1);

/** What no case shows of a rule. */
function missing(rule: FieldRule, seen: readonly Seen[]): readonly string[] {
  const breaks = ({ issue }: Seen) =>
    issue?.code === rule.code && isDeepStrictEqual(issue.params, rule.params);
  const isOfType = ({ issue }: Seen) =>
    !['required', 'null_not_allowed', 'wrong_type'].includes(String(issue?.code));
  const broken = seen.filter(breaks);
  const kept = seen.filter((each) => each.value !== undefined && isOfType(each) && !breaks(each));
  const wanted: (readonly [string, boolean])[] = [
    ['broken', broken.length > 0],
    ['kept', kept.length > 0],
    ...boundsOf(rule).flatMap(([measure, inside, outside]) => {
      const atInside = kept.filter(({ value }) => measure(value) === inside);
      const atOutside = broken.filter(({ value }) => measure(value) === outside);
      const isEither = (side: readonly Seen[]) =>
        !countsCharacters(rule) || side.some(({ value }) => isAstral(value));
      return [
        [`kept at ${inside}`, atInside.length > 0 && isEither(atInside)],
        [`broken at ${outside}`, atOutside.length > 0 && isEither(atOutside)],
      ] as const;
    }),
  ];
  if (rule.code === 'not_allowed') {
    for (const each of rule.params.allowed) {
      wanted.push([`kept by ${each}`, kept.some(({ value }) => value === each)]);
    }
  }
  return wanted.filter(([, isShown]) => !isShown).map(([side]) => `${rule.code}: ${side}`);
}

/** A text that may be empty cannot be too short. */
const canBreak = (rule: FieldRule) => rule.code !== 'too_short' || rule.params.min > 0;

/** What no case shows of a field. */
function untold(
  file: CaseFile | undefined,
  field: FieldDescription,
  place: readonly string[],
): readonly string[] {
  const seen = seenOf(file, field, place);
  const { required, type, rules, items } = field;
  const has = (code: string) => seen.some(({ issue }) => issue?.code === code);
  const isBody = file?.method === 'POST';
  const wanted: (readonly [string, boolean])[] = [
    ['required', !required || has('required')],
    // everything in a query is text
    ['null_not_allowed', !isBody || has('null_not_allowed')],
    ['wrong_type', (!isBody && type === 'string') || has('wrong_type')],
    ['default', !isBody || seen.some(({ shown }) => isDeepStrictEqual(shown, field.default))],
  ];
  return [
    ...wanted.filter(([, isShown]) => !isShown).map(([side]) => side),
    ...rules.filter(canBreak).flatMap((rule) => missing(rule, seen)),
    ...(items?.rules ?? []).flatMap((rule) => missing(rule, itemsOf(file, field))),
  ];
}

describe('the cases show each rule from both sides', () => {
  const described = operations.flatMap(({ operation, fields, places = [], needsRecord }) =>
    [{ path: [], fields, named: '' }, ...places].flatMap(({ path, fields: own, named }) =>
      own.map((field) => ({ operation, path, field, isName: field.name === named, needsRecord })),
    ),
  );

  it.each(
    described.map(
      (each) => [each.operation, [...each.path, each.field.name].join('.'), each] as const,
    ),
  )('%s: %s', (operation, _, { field, path, isName, needsRecord }) => {
    const told = untold(files.get(operation), field, path)
      // of such an operation there are refusals alone
      .filter((each) => needsRecord !== true || !/kept|^default$/.test(each))
      // without its name it is another object
      .filter((each) => !isName || each !== 'required');
    expect(told).toEqual([]);
  });

  it('and there is no field without cases', () => {
    const known = described.map(({ field }) => JSON.stringify(field));
    const { commands, proposals, ...inputs } = describeFields(defaultValueSets);
    const all = [inputs, proposals, ...Object.values(commands)].flatMap((each) =>
      Object.values(each).flat(),
    );
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter((field) => !known.includes(JSON.stringify(field)))).toEqual([]);
  });
});
