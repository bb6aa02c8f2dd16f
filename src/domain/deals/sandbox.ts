import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import { emailKey } from '../values/email.js';
import type { IntentKind } from '../values/payment-status.js';
import { integer, rule } from '../values/rule.js';

const tenYears = 10 * 365 * 24 * 60 * 60;
/** 9000-01-01: a deadline after it could not be written. */
const lastMoment = 221_845_392_000_000;

/**
 * How far the sandbox's clock can go at once, from a moment in milliseconds (decision 6.7).
 *
 * @internal
 */
export function advanceEntries(now = 0) {
  const max = Math.max(1, Math.min(tenYears, Math.floor((lastMoment - now) / 1000)));
  const isWithin = (seconds: number) => seconds >= 1 && seconds <= max;
  const range = rule('out_of_range', isWithin, { min: 1, max });
  return { advance_seconds: v.pipe(integer(), range) };
}

/** The parser of how far the clock is advanced. */
export function createAdvanceParser(now: number): Parser<{ readonly advance_seconds: number }> {
  return createParser(v.object(advanceEntries(now)));
}

/** The command that a freelancer of the sandbox gives by itself, by a tag in the address. */
export function ownAnswerOf(email: string): IntentKind | undefined {
  const tag = /\+(accept|decline)@/.exec(emailKey(email))?.[1];
  return tag as IntentKind | undefined;
}
