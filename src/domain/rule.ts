import * as v from 'valibot';
import type { IssueCode, IssueParams } from './issues.js';

/**
 * One rule of a field: a valibot check whose message is the stable code of the issue, with the
 * figures that the message names (bounds, allowed values) beside it.
 *
 * @internal
 */
export type Rule<T, C extends IssueCode = IssueCode> = v.CheckAction<T, C> & {
  readonly params: IssueParams[C];
};

/**
 * Builds a rule: `holds` is true for every value that obeys it.
 *
 * @internal
 */
export function rule<T, const C extends IssueCode>(
  code: C,
  holds: (value: T) => boolean,
  params: IssueParams[C],
): Rule<T, C> {
  Object.freeze(params);
  return { ...v.check(holds, code), params };
}

const none = {};

/** A JSON string that is well-formed Unicode without U+0000 (decision 1.2). */
function string() {
  return v.pipe(
    v.string(),
    rule('malformed_text', (value: string) => value.isWellFormed(), none),
    rule('forbidden_character', (value: string) => !value.includes('\0'), none),
  );
}

/** Says whether a value is text that any store keeps as it is (decision 1.2). */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/**
 * Says whether a text has at least `min` characters, counted in Unicode code points as JSON Schema
 * counts them (decision 1.2). A code point is one code unit or two, which decides most cases.
 */
export function hasAtLeast(value: string, min: number): boolean {
  const units = value.length;
  if (units >= 2 * min - 1) return true;
  return units >= min && codePoints(value) >= min;
}

/** Says whether a text has at most `max` characters, counted in Unicode code points. */
export function hasAtMost(value: string, max: number): boolean {
  const units = value.length;
  if (units <= max) return true;
  return units <= 2 * max && codePoints(value) <= max;
}

function codePoints(value: string): number {
  let points = 0;
  for (const _ of value) points += 1;
  return points;
}

/**
 * Text of at least `min` code points.
 *
 * @internal
 */
export function text(min: number) {
  return v.pipe(
    string(),
    rule('too_short', (value: string) => hasAtLeast(value, min), { min }),
  );
}

/**
 * Text of `min` to `max` code points.
 *
 * @internal
 */
export function boundedText(min: number, max: number) {
  return v.pipe(text(min), atMost(max));
}

/**
 * The rule that a text has at most `max` code points.
 *
 * @internal
 */
export function atMost(max: number) {
  return rule('too_long', (value: string) => hasAtMost(value, max), { max });
}

/**
 * Text of exactly `length` code points.
 *
 * @internal
 */
export function textOfLength(length: number) {
  return v.pipe(
    string(),
    rule('wrong_length', (value: string) => hasAtLeast(value, length) && hasAtMost(value, length), {
      length,
    }),
  );
}

/**
 * One of a set of texts; the refusal names them.
 *
 * @internal
 */
export function oneOf(allowed: readonly string[]) {
  const set = new Set(allowed);
  return v.pipe(
    v.string(),
    rule('not_allowed', (value: string) => set.has(value), {
      allowed: Object.freeze([...allowed]),
    }),
  );
}

/**
 * A JSON integer within +-(2^53-1), the range that every JSON implementation keeps exactly
 * (RFC 8259, section 6; decision 1.6).
 *
 * @internal
 */
export function integer() {
  const [min, max] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return v.pipe(
    v.number(),
    rule('out_of_range', (value: number) => value >= min && value <= max, { min, max }),
    rule('not_an_integer', (value: number) => Number.isInteger(value), none),
    // -0 has no JSON form of its own
    v.transform((value) => value + 0),
  );
}
