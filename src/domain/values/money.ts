import * as v from 'valibot';
import { unitOf, wholeUnits } from './currency-unit.js';
import { rule } from './rule.js';

declare const money: unique symbol;

/**
 * An amount of money in minor units of 1/100, exact at any size: 18 digits before the decimal point
 * and 2 after it do not fit a JavaScript number (decision 1.4).
 */
export type Money = bigint & { readonly [money]: true };

const maxIntegerDigits = 18;
/** For sums of amounts, and so for what one payment can move. */
const maxSumDigits = 24;
const maxFractionDigits = 2;

/** The pattern of the interface (Deal, `budget`), and at least one digit. */
const decimal = /^-?(?=\.?\d)\d{0,18}(?:\.\d{0,2})?$/;
const sumDecimal = /^-?(?=\.?\d)\d{0,24}(?:\.\d{0,2})?$/;

const beyond = (digits: number): bigint => 10n ** BigInt(digits + maxFractionDigits);
const beyondSums = beyond(maxSumDigits);

/** The largest amount of a deal. */
export const largestAmount = fromMinorUnits(beyond(maxIntegerDigits) - 1n);

/** Says whether an amount has no more digits than a store allows in a sum. */
export function isWithinSums(amount: bigint): boolean {
  return amount < beyondSums && amount > -beyondSums;
}

/**
 * Makes money from a whole number of minor units.
 *
 * @example
 * ```ts
 * import { formatMoney, fromMinorUnits } from 'dealwright';
 *
 * formatMoney(fromMinorUnits(100050n)); // '1000.50'
 * ```
 */
export function fromMinorUnits(minorUnits: bigint): Money {
  return minorUnits as Money;
}

/**
 * Reads a decimal as the interface writes it (pattern `^-?\d{0,18}(?:\.\d{0,2})?$` with at least
 * one digit), or `undefined` if the text is not one.
 *
 * @example
 * ```ts
 * import { parseMoney } from 'dealwright';
 *
 * parseMoney('.5'); // 50n
 * parseMoney('1.234'); // undefined
 * ```
 */
export function parseMoney(text: string): Money | undefined {
  return decimal.test(text) ? readDecimal(text) : undefined;
}

/**
 * Reads a decimal of a payment, of a report or of a billing, which sum up amounts: at most 24 digits
 * before the decimal point, otherwise as `parseMoney`.
 *
 * @example
 * ```ts
 * import { parseSum } from 'dealwright';
 *
 * parseSum('1000000000000000000.00'); // 100000000000000000000n
 * ```
 */
export function parseSum(text: string): Money | undefined {
  return sumDecimal.test(text) ? readDecimal(text) : undefined;
}

/** Digits that a number holds exactly; BigInt reads a number faster than a text. */
const exactDigits = 15;

/** Reads a decimal that was checked: it has at least one digit. */
export function readDecimal(text: string): Money {
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? '' : text.slice(point + 1);
  // the sign stays before the digits, where both readers accept it
  const digits = `${whole}${fraction}${'00'.slice(fraction.length)}`;
  return fromMinorUnits(BigInt(digits.length <= exactDigits ? Number(digits) : digits));
}

/**
 * Writes money in its one canonical form: two decimals, no superfluous leading zeros, never
 * `-0.00`.
 *
 * @example
 * ```ts
 * import { formatMoney, fromMinorUnits } from 'dealwright';
 *
 * formatMoney(fromMinorUnits(-5n)); // '-0.05'
 * ```
 */
export function formatMoney(amount: Money): string {
  // most sums of most deals are zero
  if (amount === 0n) return '0.00';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Splits an amount into one share a weight, to the last cent: the shares sum to the amount, and
 * each differs from its exact proportion by less than a cent. The remainder goes, a cent
 * each, to the first shares that are not a whole number of cents. Weights are integers >= 0 with a
 * sum > 0; for any other list it returns `undefined`. With the currency, a unit of the currency
 * takes the place of a cent (decision 10.13); of an amount that is finer, one share has the rest.
 *
 * @example
 * ```ts
 * import { fromMinorUnits, splitMoney } from 'dealwright';
 *
 * splitMoney(fromMinorUnits(100n), [1, 1, 1]); // [34n, 33n, 33n]
 * splitMoney(fromMinorUnits(10000n), [1, 1, 1], 'JPY'); // [3400n, 3300n, 3300n]
 * ```
 */
export function splitMoney(
  amount: Money,
  weights: readonly number[],
  currency = '',
): Money[] | undefined {
  // a hole of a sparse list is not a weight: a copy has `undefined` in its place
  if (![...weights].every((weight) => Number.isSafeInteger(weight) && weight >= 0))
    return undefined;
  const exact = weights.map(BigInt);
  const total = exact.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return undefined;
  const unit = unitOf(currency);
  const shareOf = (weight: bigint): bigint => wholeUnits((amount * weight) / total, unit);
  let remainder = amount - exact.reduce((sum, weight) => sum + shareOf(weight), 0n);
  return exact.map((weight) => {
    const share = shareOf(weight);
    if (share * total === amount * weight) return fromMinorUnits(share);
    // a whole unit, or what is left of an amount that is finer
    const part = remainder / unit === 0n ? remainder : remainder < 0n ? -unit : unit;
    remainder -= part;
    return fromMinorUnits(share + part);
  });
}

/**
 * A decimal string, parsed (interface, Deal 1.0, `budget`; decision 1.4).
 *
 * @internal
 */
export function moneyText() {
  return decimalText(decimal, maxIntegerDigits);
}

/**
 * A decimal string of a sum: a sum of payments can have more digits than a deal's amount.
 *
 * @internal
 */
export function sumText() {
  return decimalText(sumDecimal, maxSumDigits);
}

function decimalText(pattern: RegExp, max_integer_digits: number) {
  const shape = { max_integer_digits, max_fraction_digits: maxFractionDigits };
  return v.pipe(
    v.string(),
    rule('invalid_decimal', (value: string) => pattern.test(value), shape),
    v.transform(readDecimal),
  );
}

/**
 * The rule that an amount is greater than zero.
 *
 * @internal
 */
export function positive() {
  return rule('not_positive', (amount: Money) => amount > 0n, {});
}
