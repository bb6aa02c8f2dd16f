import * as v from 'valibot';
import type { IssueCode, IssueParams } from './issues.js';

/**
 * Rules that are judged together, in their order: a valibot check whose message is the stable code
 * of the issue, with the figures that the message of each names (bounds, allowed values) beside it.
 *
 * @internal
 */
export type Rules<T, C extends IssueCode = IssueCode> = v.CheckAction<
  T,
  v.ErrorMessage<v.CheckIssue<T>>
> & {
  /** The first rule that a value breaks. */
  readonly breach: (value: T) => C | undefined;
  readonly params: { readonly [K in C]: IssueParams[K] };
};

/**
 * Builds rules out of the figures of each, in their order, and a function that returns the first
 * one a value breaks: one call for all of them, as calls cost more than the checks themselves.
 *
 * @internal
 */
export function rules<T, const C extends IssueCode>(
  params: { readonly [K in C]: IssueParams[K] },
  breach: (value: T) => C | undefined,
): Rules<T, C> {
  const isKept = (value: T) => breach(value) === undefined;
  return { ...v.check(isKept, ({ input }) => `${breach(input)}`), breach, params };
}

/**
 * Builds one rule: `holds` is true for every value that obeys it.
 *
 * @internal
 */
export function rule<T, const C extends IssueCode>(
  code: C,
  holds: (value: T) => boolean,
  params: IssueParams[C],
): Rules<T, C> {
  const only = { [code]: params } as { readonly [K in C]: IssueParams[K] };
  return rules(only, (value) => (holds(value) ? undefined : code));
}

/**
 * The rules of text that every store can keep: well-formed Unicode without U+0000 (decision 1.2).
 */
const storable = { malformed_text: {}, forbidden_character: {} };

function whyNotStorable(value: string): keyof typeof storable | undefined {
  if (!value.isWellFormed()) return 'malformed_text';
  return value.includes('\0') ? 'forbidden_character' : undefined;
}

/** Says whether a value is text that every store can keep (decision 1.2). */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && whyNotStorable(value) === undefined;
}

/**
 * Says whether a text has at least `min` characters, counted in Unicode code points as JSON Schema
 * counts them (decision 1.2). A code point is one code unit or two, which decides most cases
 * without counting.
 */
export function hasAtLeast(value: string, min: number): boolean {
  return value.length >= 2 * min - 1 || (value.length >= min && codePoints(value) >= min);
}

/** Says whether a text has at most `max` characters, counted in Unicode code points. */
export function hasAtMost(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && codePoints(value) <= max);
}

function codePoints(value: string): number {
  return value.replace(/[\u{10000}-\u{10ffff}]/gu, ' ').length;
}

/**
 * Text of at least `min` code points.
 *
 * @internal
 */
export function text(min: number) {
  return v.pipe(
    v.string(),
    rules(
      { ...storable, too_short: { min } },
      (value: string) =>
        whyNotStorable(value) ?? (hasAtLeast(value, min) ? undefined : 'too_short'),
    ),
  );
}

/**
 * Text of `min` to `max` code points.
 *
 * @internal
 */
export function boundedText(min: number, max: number) {
  return v.pipe(
    v.string(),
    rules(
      { ...storable, too_short: { min }, too_long: { max } },
      (value: string) =>
        whyNotStorable(value) ??
        (hasAtLeast(value, min) ? (hasAtMost(value, max) ? undefined : 'too_long') : 'too_short'),
    ),
  );
}

/**
 * Text of exactly `length` code points.
 *
 * @internal
 */
export function textOfLength(length: number) {
  const fits = (value: string) => hasAtLeast(value, length) && hasAtMost(value, length);
  return v.pipe(
    v.string(),
    rules(
      { ...storable, wrong_length: { length } },
      (value: string) => whyNotStorable(value) ?? (fits(value) ? undefined : 'wrong_length'),
    ),
  );
}

/**
 * One of a set of texts; the error names them.
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
 * A JSON integer within +-(2^53-1), the range that every JSON implementation represents exactly
 * (RFC 8259, section 6; decision 1.6).
 *
 * @internal
 */
export function integer() {
  const [min, max] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return v.pipe(
    v.number(),
    rules({ out_of_range: { min, max }, not_an_integer: {} }, (value: number) => {
      if (value < min || value > max) return 'out_of_range';
      return Number.isInteger(value) ? undefined : 'not_an_integer';
    }),
    // -0 has no JSON form of its own
    v.transform((value) => value + 0),
  );
}
