import * as fc from 'fast-check';

/** An accepted value of a field, and its parsed value. */
export interface Taken {
  readonly value: unknown;
  readonly parsed: unknown;
}

/** A refused value of a field, with its one issue. */
export interface Refused {
  readonly value: unknown;
  readonly code: string;
  readonly params: object;
}

/** One rule of the field tables from both sides: arbitrary values, and fixed edge cases. */
export interface Values {
  readonly expected: 'string' | 'integer';
  readonly taken: fc.Arbitrary<Taken>;
  readonly refused: fc.Arbitrary<Refused>;
  readonly takenEdges: readonly Taken[];
  readonly refusedEdges: readonly Refused[];
}

const asGiven = (value: unknown): Taken => ({ value, parsed: value });
const refusal = (value: unknown, code: string, params: object = {}): Refused => ({
  value,
  code,
  params,
});

/** One character each, of one to two code units, among them awkward ones. */
export const character = fc.oneof(
  fc.constantFrom('a', 'Z', ' ', '\n', '\u0001', 'ł', 'é', '\u0301', '\ufeff', '\uffff', '€'),
  fc.constantFrom('😀', '𝒳', '\u{10ffff}', '\u{10000}'),
  fc.integer({ min: 0x20, max: 0xd7ff }).map((point) => String.fromCodePoint(point)),
);

/** Well-formed text of `min` to `max` code points. */
export const textOf = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: character, minLength: min, maxLength: max, size: 'max' });

const loneSurrogates = ['\ud800', '\udbff', '\udc00', '\udfff', '\udc00\ud800'];

/** Texts that cannot be stored, of at least `min` characters: form is judged before length. */
const unstorable = (min: number): Refused[] => {
  const padding = 'x'.repeat(min);
  return [
    ...loneSurrogates.map((lone) => refusal(padding + lone, 'malformed_text')),
    ...loneSurrogates.map((lone) => refusal(lone + padding, 'malformed_text')),
    refusal('\ud800', 'malformed_text'),
    refusal('\0', 'forbidden_character'),
    refusal(`\0${padding}`, 'forbidden_character'),
    refusal(`${padding}\0`, 'forbidden_character'),
    refusal('\0'.repeat(1000), 'forbidden_character'),
    refusal('\0\ud800', 'malformed_text'),
  ];
};

/** Text of at least `min` code points, and at most `max` if it is given. */
export function text(min: number, max?: number): Values {
  const most = max ?? 400;
  const edges = [min, min + 1, most - 1, most].filter((length) => length >= min && length <= most);
  const tooShort = Array.from({ length: min }, (_, length) => length);
  const tooLong = max === undefined ? [] : [max + 1, max + 2, 2 * max, 2 * max + 1, 3 * max];
  const around = (length: number) => [
    'x'.repeat(length),
    '😀'.repeat(length),
    `${'x'.repeat(Math.max(0, length - 1))}${length > 0 ? '😀' : ''}`,
  ];
  return {
    expected: 'string',
    taken: textOf(min, most).map(asGiven),
    refused: fc.oneof(
      fc.constantFrom(...unstorable(min)),
      textOf(0, min - 1).map((value) => refusal(value, 'too_short', { min })),
      ...(max === undefined
        ? []
        : [textOf(max + 1, 3 * max).map((value) => refusal(value, 'too_long', { max }))]),
    ),
    takenEdges: [
      ...edges.flatMap(around),
      ' '.repeat(min),
      ...(max === undefined ? ['x'.repeat(100_000)] : []),
    ].map(asGiven),
    refusedEdges: [
      ...unstorable(min),
      ...tooShort.flatMap(around).map((value) => refusal(value, 'too_short', { min })),
      ...tooLong.flatMap(around).map((value) => refusal(value, 'too_long', { max })),
    ],
  };
}

/** Any text of exactly three code points. */
export function threeCharacters(): Values {
  const wrong = ['', 'E', '😀', '😀😀', 'EU', 'EURO', '😀😀😀😀', 'EUR ', 'x'.repeat(50)];
  return {
    expected: 'string',
    taken: textOf(3, 3).map(asGiven),
    refused: fc
      .oneof(textOf(0, 2), textOf(4, 12))
      .map((value) => refusal(value, 'wrong_length', { length: 3 })),
    takenEdges: ['EUR', 'eur', 'XXX', '123', '   ', '😀😀😀', 'a😀b'].map(asGiven),
    refusedEdges: [
      ...unstorable(3),
      ...wrong.map((value) => refusal(value, 'wrong_length', { length: 3 })),
    ],
  };
}

/** One of a set of texts; any other text is refused with `code`. */
export function choice(
  allowed: readonly string[],
  code: string,
  params: object,
  others: readonly string[],
): Values {
  const resembling = fc
    .tuple(
      fc.constantFrom(...allowed),
      fc.constantFrom<(text: string) => string>(
        (each) => each.toLowerCase(),
        (each) => each.toUpperCase(),
        (each) => ` ${each}`,
        (each) => `${each} `,
        (each) => `${each}\n`,
        (each) => `${each}\0`,
        (each) => each.slice(1),
        (each) => each + each,
      ),
    )
    .map(([each, change]) => change(each));
  return {
    expected: 'string',
    taken: fc.constantFrom(...allowed).map(asGiven),
    refused: fc
      .oneof(resembling, fc.string())
      .filter((value) => !allowed.includes(value))
      .map((value) => refusal(value, code, params)),
    takenEdges: allowed.map(asGiven),
    refusedEdges: ['', ' ', '\0', '\ud800', '__proto__', 'constructor', 'has', ...others].map(
      (value) => refusal(value, code, params),
    ),
  };
}

/** An integer of +-(2^53-1) (decision 1.6). */
export function integer(): Values {
  const most = 2 ** 53 - 1;
  const range = { min: -most, max: most };
  return {
    expected: 'integer',
    taken: fc.maxSafeInteger().map(asGiven),
    refused: fc
      .double({ noNaN: true })
      .filter((value) => !Number.isSafeInteger(value))
      .map((value) =>
        Math.abs(value) > most
          ? refusal(value, 'out_of_range', range)
          : refusal(value, 'not_an_integer'),
      ),
    takenEdges: [
      ...[0, 1, -1, 30, JSON.parse('30.0'), JSON.parse('3e1'), 2 ** 31, -(2 ** 31) - 1].map(
        asGiven,
      ),
      ...[2 ** 32, most, -most].map(asGiven),
      { value: -0, parsed: 0 },
      { value: JSON.parse('-0'), parsed: 0 },
    ],
    refusedEdges: [
      ...[2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE, JSON.parse('1e400'), -Infinity].map(
        (value) => refusal(value, 'out_of_range', range),
      ),
      ...[30.5, 0.1, -0.5, Number.MIN_VALUE, 2 ** 52 - 0.5].map((value) =>
        refusal(value, 'not_an_integer'),
      ),
      ...['30', '', true, false, Number.NaN, 30n, [30]].map((value) =>
        refusal(value, 'wrong_type', { expected: 'integer' }),
      ),
    ],
  };
}
