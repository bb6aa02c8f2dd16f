// @ts-check
// The values to try in a field that is text, made from its rules.
import { repeated } from './compact.mjs';

/** @typedef {import('dealwright/fields').FieldRule} FieldRule */

/**
 * A value to try in a field. `json` is in place of `value` if parsers of JSON read it in different
 * ways.
 *
 * @typedef {object} Probe
 * @property {string} id
 * @property {string} what
 * @property {unknown} [value]
 * @property {string} [json]
 */

const emoji = '😀';

/** @param {number} count */
const characters = (count) =>
  count === 1 ? '1 character' : `${count.toLocaleString('en-US')} characters`;

/**
 * Two texts of one length. Each emoji is one code point, two units of UTF-16 and four bytes of
 * UTF-8, so that it shows if a service counts anything but code points.
 *
 * @param {string} id
 * @param {string} what
 * @param {number} length
 * @returns {readonly Probe[]}
 */
const ofLength = (id, what, length) => [
  { id, what: `${what}: ${characters(length)}.`, value: repeated('x', length) },
  {
    id: `${id}-of-emoji`,
    what: `${what}, of characters outside of the Basic Multilingual Plane: ${characters(length)}.`,
    value: repeated(emoji, length),
  },
];

/** @param {number} min @returns {readonly Probe[]} */
function lowerBound(min) {
  if (min === 0) return [];
  if (min === 1) {
    return probes([
      ['shortest', 'The shortest text: 1 character.', 'x'],
      ['empty', 'An empty text.', ''],
    ]);
  }
  return [
    ...ofLength('shortest', 'The shortest text', min),
    ...ofLength('one-too-short', 'One character fewer than the shortest text', min - 1),
  ];
}

/** @param {number} max @returns {readonly Probe[]} */
const upperBound = (max) => [
  ...ofLength('longest', 'The longest text', max),
  ...ofLength('one-too-long', 'One character more than the longest text', max + 1),
];

/**
 * Both sides of each bound of a text.
 *
 * @param {readonly FieldRule[]} rules
 * @returns {readonly Probe[]}
 */
function lengthProbes(rules) {
  return rules.flatMap((rule) => {
    switch (rule.code) {
      case 'wrong_length':
        return [
          ...ofLength('exact-length', 'A text of the only length', rule.params.length),
          ...ofLength('one-too-short', 'One character too few', rule.params.length - 1),
          ...ofLength('one-too-long', 'One character too many', rule.params.length + 1),
        ];
      case 'too_short':
        return lowerBound(rule.params.min);
      case 'too_long':
        return upperBound(rule.params.max);
      default:
        return [];
    }
  });
}

/**
 * Any text within bounds.
 *
 * @param {readonly FieldRule[]} rules
 * @returns {readonly Probe[]}
 */
export function textProbes(rules) {
  const least = leastOf(rules);
  const isBounded = rules.some(({ code }) => code === 'too_long' || code === 'wrong_length');
  const start = 'x'.repeat(Math.max(1, least - 1));
  return [
    ...lengthProbes(rules),
    // a text that may be empty is a parameter, and the whole target of a request is limited
    ...(isBounded || least === 0
      ? []
      : [
          {
            id: 'long',
            what: 'A text of 20,001 characters: only the size of the body is limited.',
            value: repeated('x', 20_001),
          },
        ]),
    {
      id: 'blank',
      what: 'White space alone: nothing is trimmed.',
      value: repeated(' ', Math.max(2, least)),
    },
    { id: 'u-0000', what: 'A text with U+0000.', value: startOf(least, '\0') },
    {
      id: 'lone-surrogate',
      what: 'A text with the first half of a surrogate pair.',
      json: JSON.stringify(`${start}\ud800`),
    },
    {
      id: 'swapped-surrogates',
      what: 'A text with the two halves of a surrogate pair in the wrong order.',
      json: JSON.stringify(`${start}\udc00\ud83d`),
    },
    ...otherTypes('x'),
  ];
}

/** As many characters as a text must have, the last one of them another. @param {number} least @param {string} last */
function startOf(least, last) {
  const start = repeated('x', Math.max(1, least - 1));
  return typeof start === 'string' ? start + last : { $join: [start, last] };
}

/** @param {readonly FieldRule[]} rules */
function leastOf(rules) {
  const bounds = rules.map((rule) => {
    if (rule.code === 'too_short') return rule.params.min;
    return rule.code === 'wrong_length' ? rule.params.length : 0;
  });
  return Math.max(0, ...bounds);
}

/**
 * Values of other types in a field that is text.
 *
 * @param {string} text
 * @returns {readonly Probe[]}
 */
export const otherTypes = (text) => [
  { id: 'null', what: 'The value `null`, which no member may have.', value: null },
  { id: 'number', what: 'A number in place of a text.', value: 7 },
  { id: 'list', what: 'A list in place of a text.', value: [text] },
];

/** @param {readonly (readonly [id: string, what: string, value: unknown])[]} rows @returns {readonly Probe[]} */
export const probes = (rows) => rows.map(([id, what, value]) => ({ id, what, value }));

/** @param {string} text @param {number} count @returns {import('./compact.mjs').Repeat} */
const times = (text, count) => ({ $repeat: [text, count] });

/** The longest local part, and a domain of two of the longest labels and one of so many octets. */
const longAddress = (/** @type {number} */ last) => ({
  $join: [times('l', 64), '@', times('d', 63), '.', times('d', 63), '.', times('d', last)],
});

/** An address of an e-mail: the form of WHATWG, and the lengths of RFC 5321. */
export const emailProbes = [
  ...probes([
    ['apostrophe', 'An apostrophe in the local part.', "o'brien@example.com"],
    ['tag-and-capitals', 'A tag, dots and capitals.', 'User.Name+tag@Example.COM'],
    ['shortest', 'The shortest address.', 'a@b'],
    ['dots-anywhere', 'Dots anywhere in the local part.', '.a..b.@example.com'],
    ['every-sign', 'Every sign that the local part may have.', "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['digits', 'A domain of digits.', 'a@127.0.0.1'],
    ['hyphens', 'Hyphens within labels.', 'a@x--y.b-c.de'],
    [
      'longest-local-part',
      'A local part of 64 octets.',
      { $join: [times('l', 64), '@example.com'] },
    ],
    [
      'local-part-too-long',
      'A local part of 65 octets.',
      { $join: [times('l', 65), '@example.com'] },
    ],
    ['longest-label', 'A label of 63 octets.', { $join: ['a@', times('d', 63), '.com'] }],
    ['label-too-long', 'A label of 64 octets.', { $join: ['a@', times('d', 64), '.com'] }],
    ['longest', 'An address of 254 octets.', longAddress(61)],
    ['too-long', 'An address of 255 octets.', longAddress(62)],
    ['254-emoji', 'No address, but 254 characters: within the bound.', repeated(emoji, 254)],
    ['255-emoji', 'No address, and 255 characters: beyond the bound.', repeated(emoji, 255)],
    ['empty', 'An empty text.', ''],
    ['one-letter', 'A letter alone.', 'a'],
    ['no-at', 'No at sign.', 'example.com'],
    ['two-ats', 'Two at signs.', 'a@b@example.com'],
    ['no-local-part', 'Nothing before the at sign.', '@example.com'],
    ['no-domain', 'Nothing after the at sign.', 'user@'],
    ['space-within', 'A space in the local part.', 'a b@example.com'],
    ['space-before', 'A space before the address: nothing is trimmed.', ' user@example.com'],
    ['line-break-after', 'A line break after the address.', 'user@example.com\n'],
    ['dot-after', 'A dot after the domain.', 'user@example.com.'],
    ['dot-before-domain', 'A dot before the domain.', 'user@.example.com'],
    ['empty-label', 'Two dots in the domain.', 'user@example..com'],
    ['hyphen-before-label', 'A label that begins with a hyphen.', 'user@-example.com'],
    ['hyphen-after-label', 'A label that ends with a hyphen.', 'user@example-.com'],
    ['underscore', 'An underscore in the domain.', 'user@exam_ple.com'],
    ['address-literal', 'An address of a host in brackets.', 'user@[127.0.0.1]'],
    ['quoted', 'A local part in quotation marks.', '"user"@example.com'],
    ['display-name', 'A name before the address.', 'User <user@example.com>'],
    ['comma', 'A comma in the local part.', 'a,b@example.com'],
    ['local-part-beyond-ascii', 'A letter beyond ASCII in the local part.', 'łukasz@example.com'],
    ['domain-beyond-ascii', 'A letter beyond ASCII in the domain.', 'user@exämple.com'],
    ['u-0000', 'U+0000 after the address.', 'user@example.com\0'],
  ]),
  {
    id: 'lone-surrogate',
    what: 'The first half of a surrogate pair: no address has one.',
    json: JSON.stringify('user\ud800@example.com'),
  },
  ...otherTypes('user@example.com'),
];

/**
 * One of a set of texts.
 *
 * @param {readonly string[]} allowed
 * @returns {readonly Probe[]}
 */
export function choiceProbes(allowed) {
  const [first = ''] = allowed;
  const lookalikes = probes([
    ['empty', 'An empty text.', ''],
    ['unknown', 'A text that is not one of the allowed ones.', 'something-else'],
    ['capitals', 'An allowed text in capitals: case counts.', first.toUpperCase()],
    ['space-after', 'A space after an allowed text.', `${first} `],
    ['name-of-a-property', 'The name of a property that objects have.', 'constructor'],
  ]);
  return [
    ...allowed.map((value) => ({ id: value, what: 'An allowed text.', value })),
    ...lookalikes,
    ...otherTypes(first),
  ];
}

export const countryProbes = [
  ...probes([
    ['gb', 'A country of ISO 3166-1.', 'GB'],
    ['ax', 'A country that shorter lists leave out.', 'AX'],
    ['bq', 'A country that was added in 2010.', 'BQ'],
    ['ss', 'A country that was added in 2011.', 'SS'],
    ['xk', 'Kosovo, which is not in ISO 3166-1.', 'XK'],
    ['small-letters', 'A country in small letters.', 'pl'],
    ['uk', 'A reserved code in place of GB.', 'UK'],
    ['eu', 'A reserved code that is not a country.', 'EU'],
    ['an', 'A country that was removed in 2010.', 'AN'],
    ['zz', 'A code that is free for private use.', 'ZZ'],
    ['three-letters', 'A code of three letters.', 'POL'],
    ['one-letter', 'A code of one letter.', 'P'],
    ['space-after', 'A space after a country.', 'PL '],
    ['empty', 'An empty text.', ''],
  ]),
  ...otherTypes('PL'),
];

const formerCurrencies = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
const newCurrencies = ['XCG', 'SLE', 'ZWG'];

export const currencyProbes = [
  ...newCurrencies.map((value) => ({
    id: value.toLowerCase(),
    what: 'A currency that was added in the 2020s.',
    value,
  })),
  ...probes([
    ['pln', 'A currency in use.', 'PLN'],
    ['xau', 'Gold, which has a code of ISO 4217.', 'XAU'],
  ]),
  ...formerCurrencies.map((value) => ({
    id: value.toLowerCase(),
    what: 'A currency that is no longer in use.',
    value,
  })),
  ...probes([
    ['xxx', 'The code for no currency.', 'XXX'],
    ['xts', 'The code for tests.', 'XTS'],
    ['unknown', 'A code that ISO 4217 does not have.', 'BTC'],
    ['small-letters', 'A currency in small letters.', 'eur'],
    ['two-letters', 'Two letters.', 'EU'],
    ['four-letters', 'Four letters.', 'EURO'],
    ['signs', 'Three signs of a currency.', '€€€'],
    ['empty', 'An empty text.', ''],
  ]),
  ...otherTypes('EUR'),
];

/** A time: RFC 3339, section 5.6. */
export const timestampProbes = probes([
  ['utc', 'A time in UTC.', '2026-01-01T00:00:00Z'],
  ['small-letters', 'Small letters for T and Z.', '2026-01-01t00:00:00z'],
  ['east', 'A time east of Greenwich.', '2026-01-01T00:00:00+01:00'],
  ['west', 'A time far west of Greenwich.', '2026-01-01T00:00:00-23:59'],
  ['tenths', 'Tenths of a second.', '2026-01-01T00:00:00.5Z'],
  ['nanoseconds', 'Nanoseconds.', '2026-01-01T00:00:00.123456789Z'],
  ['leap-second', 'A leap second.', '2016-12-31T23:59:60Z'],
  ['leap-day', 'A leap day.', '2024-02-29T12:00:00Z'],
  ['first', 'The first moment that can be written.', '0000-01-01T00:00:00Z'],
  ['last', 'The last moment that can be written.', '9999-12-31T23:59:59.999Z'],
  ['empty', 'An empty text.', ''],
  ['date', 'A date without a time.', '2026-01-01'],
  ['no-offset', 'A time without its offset.', '2026-01-01T00:00:00'],
  ['space', 'A space in place of the T.', '2026-01-01 00:00:00Z'],
  ['no-seconds', 'A time without seconds.', '2026-01-01T00:00Z'],
  ['no-leap-day', 'The 29th of February of a year that has none.', '2025-02-29T00:00:00Z'],
  ['month-13', 'The 13th month.', '2026-13-01T00:00:00Z'],
  ['day-0', 'Day 0.', '2026-01-00T00:00:00Z'],
  ['hour-24', 'Hour 24.', '2026-01-01T24:00:00Z'],
  ['minute-60', 'Minute 60.', '2026-01-01T00:60:00Z'],
  ['second-61', 'Second 61.', '2026-01-01T00:00:61Z'],
  ['offset-24', 'An offset of 24 hours.', '2026-01-01T00:00:00+24:00'],
  ['offset-without-colon', 'An offset without its colon.', '2026-01-01T00:00:00+0100'],
  ['five-digits', 'A year of five digits.', '12026-01-01T00:00:00Z'],
  ['seconds-since-1970', 'Seconds since 1970.', '1767225600'],
]);

/** A media type: RFC 9110, section 8.3.1. */
export const mediaTypeProbes = probes([
  ['one-parameter', 'A parameter.', 'text/plain; charset=utf-8'],
  ['quoted-parameter', 'A parameter in quotation marks.', 'text/plain;title="a \\"b\\" c"'],
  ['two-parameters', 'Two parameters.', 'a/b;c=d;e=f'],
  ['suffix', 'A type with a suffix.', 'application/vnd.example.v1+json'],
  ['longest-type', 'A type of 255 characters.', repeated('x', 250, 'text/')],
  ['no-slash', 'No slash.', 'text'],
  ['no-subtype', 'Nothing after the slash.', 'text/'],
  ['no-type', 'Nothing before the slash.', '/plain'],
  ['empty-parameter', 'A semicolon without a parameter.', 'text/plain;'],
  ['parameter-without-value', 'A parameter without a value.', 'text/plain; charset'],
  ['open-quotation', 'A quotation mark that is not closed.', 'text/plain; charset="utf-8'],
  ['two-types', 'Two types.', 'text/plain, text/html'],
  ['line-break', 'A line break, as an attack on headers has it.', 'text/plain\r\nx: y'],
  ['beyond-ascii', 'A letter beyond ASCII.', 'tęxt/plain'],
]);

/** Bytes: RFC 4648, section 4. */
export const base64Probes = [
  ...probes([
    ['empty', 'A file without bytes.', ''],
    ['two-paddings', 'One byte.', 'TQ=='],
    ['one-padding', 'Two bytes.', 'TWE='],
    ['no-padding', 'Three bytes.', 'TWFu'],
    ['every-sign', 'The two signs besides letters and digits.', '+/+/'],
    ['padding-left-out', 'One byte without its padding.', 'TQ'],
    ['padding-too-short', 'One byte with half of its padding.', 'TQ='],
    ['padding-too-long', 'Three bytes with a padding.', 'TWFu===='],
    ['padding-alone', 'A padding without bytes.', '===='],
    ['padding-within', 'A padding in the middle.', 'TQ==TQ=='],
    ['one-digit', 'A digit that is no byte.', 'T==='],
    ['bits-after-the-end', 'Bits after the last byte that are not zero.', 'TR=='],
    ['of-urls', 'The two signs of the alphabet for URLs.', '-_-_'],
    ['line-break', 'A line break.', 'TWFu\nTWFu'],
    ['space-before', 'A space before the text: nothing is trimmed.', ' TWFu'],
    ['beyond-ascii', 'A letter beyond ASCII.', 'TWĘu'],
  ]),
  ...otherTypes('TWFu'),
];
