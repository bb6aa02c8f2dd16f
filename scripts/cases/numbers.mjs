// @ts-check
// The values to try in a field that is a decimal or an integer, made from its rules.
import { otherTypes, probes } from './texts.mjs';

/** @typedef {import('dealwright/fields').FieldRule} FieldRule */
/** @typedef {import('./texts.mjs').Probe} Probe */

/**
 * Money as a decimal text.
 *
 * @param {number} whole the most digits before the decimal point
 * @param {number} fraction the most digits after it
 * @returns {readonly Probe[]}
 */
export function decimalProbes(whole, fraction) {
  const nines = '9'.repeat(whole);
  const cents = '9'.repeat(fraction);
  return [
    ...probes([
      ['whole', 'No decimal point.', '1000'],
      ['point-at-the-end', 'A decimal point without digits after it.', '1.'],
      ['one-digit-after-the-point', 'One digit after the decimal point.', '1000.5'],
      ['point-at-the-start', 'A decimal point without digits before it.', '.5'],
      ['zeros-before', 'Superfluous zeros before the number.', '00012.30'],
      ['cent', 'The smallest amount.', '0.01'],
      ['largest', 'All digits before and after the decimal point.', `${nines}.${cents}`],
      ['exact', 'An amount that binary fractions do not hold.', '123456789012345678.91'],
      ['zeros', 'As many zeros as digits may come before the decimal point.', '0'.repeat(whole)],
      ['digit-too-many', 'One digit too many before the decimal point.', `${nines}9`],
      ['zero-too-many', 'One zero too many before the decimal point.', '0'.repeat(whole + 1)],
      ['fraction-too-long', 'One digit too many after the decimal point.', `1.${cents}9`],
      ['fraction-of-zeros-too-long', 'One zero too many after the decimal point.', '1.000'],
      ['zero', 'Zero.', '0'],
      ['zero-with-cents', 'Zero with cents.', '0.00'],
      ['negative-zero', 'Zero with a minus sign.', '-0.00'],
      ['negative-zero-point', 'A minus sign, a decimal point and a zero.', '-.0'],
      ['negative-cent', 'The smallest amount below zero.', '-0.01'],
      ['negative', 'An amount below zero.', '-5'],
      ['negative-without-whole', 'An amount below zero, without digits before the point.', '-.12'],
      ['smallest', 'The amount furthest below zero.', `-${nines}.${cents}`],
      ['empty', 'No digit: an empty text.', ''],
      ['minus-alone', 'No digit: a minus sign.', '-'],
      ['point-alone', 'No digit: a decimal point.', '.'],
      ['minus-and-point', 'No digit: a minus sign and a decimal point.', '-.'],
      ['plus', 'A plus sign.', '+1'],
      ['two-minuses', 'Two minus signs.', '--1'],
      ['minus-after', 'A minus sign after the number.', '1-'],
      ['exponent', 'An exponent.', '1e3'],
      ['comma', 'A decimal comma.', '1,50'],
      ['thousands', 'A separator of thousands.', '1_000'],
      ['two-points', 'Two decimal points.', '1.2.3'],
      ['space-before', 'A space before the number.', ' 1'],
      ['space-after', 'A space after the number.', '1 '],
      ['line-break-after', 'A line break after the number.', '1\n'],
      ['hexadecimal', 'A hexadecimal number.', '0x1F'],
      ['nan', 'The name of what is not a number.', 'NaN'],
      ['infinity', 'The name of infinity.', 'Infinity'],
      ['arabic-digits', 'Digits that are not those of ASCII.', '١٢'],
      ['full-width-digit', 'A full-width digit.', '１'],
      ['minus-of-typography', 'The minus sign of typography, U+2212.', '−1'],
      ['u-0000', 'A number with U+0000.', '1\0'],
    ]),
    {
      id: 'lone-surrogate',
      what: 'A number with the first half of a surrogate pair.',
      json: JSON.stringify('1\ud800'),
    },
    ...otherTypes('1.00'),
  ];
}

/** @param {readonly FieldRule[]} rules */
const rangesOf = (rules) =>
  rules.flatMap((rule) => (rule.code === 'out_of_range' ? [rule.params] : []));

/**
 * The least and the most integer of each rule, and those next to them.
 *
 * @param {readonly FieldRule[]} rules
 * @returns {readonly (readonly [id: string, what: string, value: number])[]}
 */
function rangeRows(rules) {
  return rangesOf(rules).flatMap(({ min, max }) => {
    const name = max === Number.MAX_SAFE_INTEGER ? 'integer' : 'value';
    const reason = name === 'integer' ? ' that JSON keeps exactly' : '';
    return /** @type {const} */ ([
      [`least-${name}`, `The least ${name}${reason}.`, min],
      [`one-below-the-least-${name}`, `One below the least ${name}${reason}.`, min - 1],
      [`greatest-${name}`, `The greatest ${name}${reason}.`, max],
      [`one-above-the-greatest-${name}`, `One above the greatest ${name}${reason}.`, max + 1],
    ]);
  });
}

/**
 * An integer in JSON; `valid` is one that is accepted.
 *
 * @param {readonly FieldRule[]} rules
 * @param {number} valid
 * @returns {readonly Probe[]}
 */
export function integerProbes(rules, valid) {
  return [
    ...probes(rangeRows(rules)),
    ...probes([
      ['zero', 'Zero.', 0],
      ['negative', 'A negative integer.', -1],
      ['beyond-32-bits', 'An integer that 32 bits do not hold.', 2 ** 31],
      ['beyond-64-bits', 'An integer that 64 bits do not hold.', 1e21],
      ['fraction', 'A number that is not whole.', valid + 0.5],
      ['text', 'An integer as a text.', `${valid}`],
      ['empty', 'An empty text.', ''],
      ['boolean', 'A boolean in place of an integer.', true],
      ['null', 'The value `null`, which no member may have.', null],
      ['list', 'A list in place of an integer.', [valid]],
    ]),
    {
      id: 'whole-fraction',
      what: 'An integer that is written with a fraction.',
      json: `${valid}.0`,
    },
    {
      id: 'exponent',
      what: 'An integer that is written with an exponent.',
      json: `${valid / 10}e1`,
    },
    { id: 'negative-zero', what: 'Zero with a minus sign.', json: '-0' },
  ];
}

/**
 * An integer in a query, where everything is text.
 *
 * @param {readonly FieldRule[]} rules
 * @returns {readonly Probe[]}
 */
export const integerTexts = (rules) => [
  ...rangeRows(rules).map(([id, what, value]) => ({ id, what, value: `${value}` })),
  ...probes([
    ['fraction', 'A number that is not whole.', '1.5'],
    ['negative', 'A negative integer.', '-1'],
    ['word', 'A word in place of a number.', 'ten'],
    ['empty', 'An empty text.', ''],
    ['plus', 'A plus sign.', '+1'],
    ['space-before', 'A space before the number.', ' 1'],
    ['zero-before', 'A zero before the number.', '01'],
    ['hexadecimal', 'A hexadecimal number.', '0x10'],
  ]),
];
