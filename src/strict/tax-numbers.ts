import * as v from 'valibot';
import { rule } from '../domain/values/rule.js';

/**
 * No library is used: stdnum reads the system's clock and time zone, so it refuses the births
 * of the 22nd and 23rd century and, in some zones, days of the past (2011-12-30 in Pacific/Apia);
 * validate-polish returns only yes or no. The rule is a date and a weighted sum.
 */
const peselWeights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1];

/**
 * Whether the day exists. The century is in the month: 0 is added to it in the 1900s, 20 in the
 * 2000s, 40 and 60 in the two after them, and 80 in the 1800s. The rules know no clock, so a
 * day in the future exists too.
 */
function hasDate(value: string): boolean {
  const month = Number(value.slice(2, 4));
  const century = 1800 + 100 * ((Math.floor(month / 20) + 1) % 5);
  const year = century + Number(value.slice(0, 2));
  const day = Number(value.slice(4, 6));
  return month % 20 >= 1 && month % 20 <= 12 && day >= 1 && day <= daysIn(month % 20, year);
}

/** Day 0 of the next month is the last of this one. */
function daysIn(month: number, year: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * A PESEL: eleven digits that begin with a date of birth and end in a check digit.
 *
 * @internal
 */
export function pesel() {
  return v.pipe(
    v.string(),
    rule('pesel_wrong_format', (value: string) => /^[0-9]*$/.test(value), {}),
    rule('pesel_wrong_length', (value: string) => value.length === 11, {}),
    rule('pesel_wrong_date', hasDate, {}),
    rule(
      'pesel_wrong_checksum',
      (value: string) => weightedSum(value, peselWeights) % 10 === 0,
      {},
    ),
  );
}

/**
 * No library is used: stdnum, which has the checksum right, is 11 MB of CommonJS without an entry
 * point for one country, and ignores `PL`, spaces and dashes of any kind anywhere; is-valid-nip
 * ignores any punctuation. Here a value is kept as given, so an accepted value must be one that
 * others can read.
 */
const nipWeights = [6, 5, 7, 2, 3, 4, 5, 6, 7];

/** Digits alone, or in the two groupings in use: 123-456-32-18 of persons, 123-45-67-819 of firms. */
const groupings =
  /^(?:[0-9]+|[0-9]{3}-[0-9]{3}-[0-9]{2}-[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{2}-[0-9]{3})$/;

function digitsOf(value: string): string {
  return value.replaceAll('-', '');
}

/** A remainder of 10 is not a digit: no such number is issued. */
function hasChecksum(value: string): boolean {
  const digits = digitsOf(value);
  return weightedSum(digits, nipWeights) % 11 === Number(digits[9]);
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

/** The sum of the digits, each times its weight; digits beyond the weights do not count. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}
