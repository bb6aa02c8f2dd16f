import * as fc from 'fast-check';
import type { Refused, Taken, Values } from './values.js';

/** The interface's own pattern (Deal 1.0, `budget`), which the library must match. */
export const interfacePattern = /^-?\d{0,18}(?:\.\d{0,2})?$/;

/** Decision 1.4: the interface's pattern, and at least one digit. */
export const isDecimal = (text: string): boolean =>
  interfacePattern.test(text) && /[0-9]/.test(text);

/** The value in cents, calculated in another way than in the library: digit by digit. */
export function centsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  let cents = 0n;
  for (const digit of `${whole}${fraction}${'0'.repeat(2 - fraction.length)}`) {
    cents = cents * 10n + BigInt(digit.charCodeAt(0) - 48);
  }
  return text.startsWith('-') ? -cents : cents;
}

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

/** Every valid decimal (decision 1.4). */
export const decimal: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '-'), digits(0, 18), fc.option(digits(0, 2), { nil: undefined }))
  .map(
    ([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}`,
  )
  .filter((text) => /\d/.test(text));

/** Text that looks like a decimal, valid or not. */
export const decimalLike: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'--..0159'), maxLength: 24 }),
  fc.stringMatching(/^-?\d{0,20}(?:\.\d{0,4})?$/),
  fc.string(),
  decimal,
);

const edges = [
  ...['0', '-0', '0.0', '-0.00', '.0', '-.0', '0.', '-0.', '1', '1.', '.1', '.12', '-.12'],
  ...['1000', '1000.00', '1000.5', '00012.30', '-5', '-0.05', '0.01', '-0.01', '100'],
  ...['9'.repeat(18), `${'9'.repeat(18)}.99`, `-${'9'.repeat(18)}.99`, '0'.repeat(18)],
  '123456789012345678.91',
];

const noDecimals = [
  ...['', '-', '.', '-.', '+1', '--1', '1-', '-+1', '1e3', '1,5', '1.2.3', '..1', '1..', '.-1'],
  ...[' 1', '1 ', '1\n', '\n1', '1\0', '\ud800', '0x1F', '1_000', 'NaN', 'Infinity', '1n', '١٢'],
  ...['−1', '1.234', '.001', '1.000', '9'.repeat(19), '0'.repeat(19), `-${'1'.repeat(19)}`],
  ...[`${'1'.repeat(19)}.00`, '１'],
];

const shape = { max_integer_digits: 18, max_fraction_digits: 2 };
const invalid = (value: string): Refused => ({ value, code: 'invalid_decimal', params: shape });
const notPositive = (value: string): Refused => ({ value, code: 'not_positive', params: {} });
const parsed = (value: string): Taken => ({ value, parsed: centsOf(value) });

/** A decimal string (decision 1.4), of any sign or greater than zero. */
export function money(sign: 'any' | 'positive'): Values {
  const isTaken = (text: string) => sign === 'any' || centsOf(text) > 0n;
  return {
    expected: 'string',
    taken: decimal.filter(isTaken).map(parsed),
    refused: fc.oneof(
      decimalLike.filter((text) => !isDecimal(text)).map(invalid),
      ...(sign === 'any' ? [] : [decimal.filter((text) => !isTaken(text)).map(notPositive)]),
    ),
    takenEdges: edges.filter(isTaken).map(parsed),
    refusedEdges: [
      ...noDecimals.map(invalid),
      ...edges.filter((text) => !isTaken(text)).map(notPositive),
    ],
  };
}
