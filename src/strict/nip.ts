import * as v from 'valibot';
import { rule } from '../domain/values/rule.js';
import { weightedSum } from './check-digits.js';

/**
 * No library is used: stdnum, which has the checksum right, is 11 MB of CommonJS without an entry
 * point for one country, and ignores `PL`, spaces and dashes of any kind anywhere; is-valid-nip
 * ignores any punctuation. Here a value is kept as given, so an accepted value must be one that
 * others can read.
 */
const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7];

/** Digits alone, or in the two groupings in use: 123-456-32-18 of persons, 123-45-67-819 of firms. */
const groupings =
  /^(?:[0-9]+|[0-9]{3}-[0-9]{3}-[0-9]{2}-[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{2}-[0-9]{3})$/;

function digitsOf(value: string): string {
  return value.replaceAll('-', '');
}

/** A remainder of 10 is not a digit: no such number is issued. */
function hasChecksum(value: string): boolean {
  const digits = digitsOf(value);
  return weightedSum(digits, weights) % 11 === Number(digits[9]);
}

/**
 * A NIP: ten digits, with or without the usual hyphens, of which the last is a check digit.
 *
 * @internal
 */
export function nip() {
  return v.pipe(
    v.string(),
    rule('nip_wrong_format', (value: string) => /^[0-9-]*$/.test(value), {}),
    rule('nip_wrong_length', (value: string) => digitsOf(value).length === 10, {}),
    rule('nip_wrong_format', (value: string) => groupings.test(value), {}),
    rule('nip_wrong_checksum', hasChecksum, {}),
  );
}
