import * as fc from 'fast-check';
import type { IssueCode } from '../src/domain/values/issues.js';
import type { Tenant } from '../src/domain/values/tenant.js';

/**
 * A value one step outside a rule, and the code of its issue.
 */
export interface OutsideValue {
  readonly value: unknown;
  readonly code: IssueCode;
}

/**
 * One field from both sides: valid values, and values that are only just invalid.
 */
export interface FieldValues<T> {
  readonly optional: boolean;
  readonly valid: fc.Arbitrary<T>;
  readonly outside: fc.Arbitrary<OutsideValue>;
}

const outside = (code: IssueCode, ...values: readonly unknown[]): fc.Arbitrary<OutsideValue> =>
  fc.constantFrom(...values).map((value) => ({ value, code }));

const outsideOf = (code: IssueCode, values: fc.Arbitrary<unknown>): fc.Arbitrary<OutsideValue> =>
  values.map((value) => ({ value, code }));

/** Any Unicode character that a store keeps: no surrogate, no U+0000. */
export function character(): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 0xd7ff }) },
      { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xffff }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
    )
    .map((point) => String.fromCodePoint(point));
}

/** Well-formed text of `min` to `max` code points; both bounds come up often. */
export function textOf(min: number, max = 300): fc.Arbitrary<string> {
  const unit = character();
  const exactly = (length: number) =>
    fc.string({ unit, minLength: length, maxLength: length, size: 'max' });
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit, minLength: min, maxLength: max }) },
    { weight: 1, arbitrary: exactly(min) },
    { weight: 1, arbitrary: exactly(max) },
    // an astral character is two code units: the bound counts it as one
    { weight: 1, arbitrary: fc.constantFrom('😀', '𝒳').map((text) => text.repeat(max)) },
  );
}

/** A value that is not required text: absent, null, or of another type. */
function untyped(optional: boolean): fc.Arbitrary<OutsideValue> {
  const wrong = fc.oneof(
    outside('null_not_allowed', null),
    outside('wrong_type', true, false, [], {}, ['text'], { value: 'text' }),
  );
  return optional ? wrong : fc.oneof(wrong, outside('required', undefined));
}

/** Text that contains a lone surrogate or U+0000 somewhere. */
function unstorable(min: number, max: number): fc.Arbitrary<OutsideValue> {
  const short = fc.string({
    unit: 'grapheme-ascii',
    maxLength: Math.max(0, Math.min(max - 1, 20)),
  });
  const around = (inner: string) =>
    fc.tuple(short, fc.nat(20)).map(([text, at]) => {
      const padded = text.padEnd(min - 1, 'x');
      return padded.slice(0, at) + inner + padded.slice(at);
    });
  return fc.oneof(
    outsideOf('malformed_text', fc.constantFrom('\ud800', '\udfff', '\udc00\ud83d').chain(around)),
    outsideOf('forbidden_character', around('\0')),
  );
}

/** A text field of `min` to `max` code points. */
export function textField(min: number, max?: number, optional = false): FieldValues<string> {
  const exactly = (length: number) =>
    fc.string({ unit: character(), minLength: length, maxLength: length, size: 'max' });
  const sides = [
    untyped(optional),
    outside('wrong_type', 7, 0.5),
    unstorable(min, max ?? 300),
    outsideOf('too_short', exactly(min - 1)),
  ];
  if (max !== undefined) sides.push(outsideOf('too_long', exactly(max + 1)));
  return { optional, valid: textOf(min, max), outside: fc.oneof(...sides) };
}

/** A `partner_id`; with a prefix, a valid one begins with it. */
export function nameField(prefix = ''): FieldValues<string> {
  const own = textOf(1, 40 - prefix.length).map((text) => prefix + text);
  return { ...textField(1, 40), valid: own };
}

/** A text field of exactly `length` code points. */
export function exactTextField(length: number): FieldValues<string> {
  const exactly = (count: number) =>
    fc.string({ unit: character(), minLength: count, maxLength: count, size: 'max' });
  return {
    optional: false,
    valid: fc.oneof(exactly(length), fc.constantFrom('EUR', 'PLN', '€€€', '😀😀😀')),
    outside: fc.oneof(
      untyped(false),
      outside('wrong_type', 7, 0.5),
      unstorable(length, length),
      outsideOf('wrong_length', fc.oneof(exactly(length - 1), exactly(length + 1), exactly(0))),
    ),
  };
}

/** A field that holds one of a set of texts, and values that only resemble them. */
export function oneOfField(
  code: IssueCode,
  allowed: readonly string[],
  lookalikes: readonly string[],
): FieldValues<string> {
  return {
    optional: false,
    valid: fc.constantFrom(...allowed),
    outside: fc.oneof(
      untyped(false),
      outside('wrong_type', 7),
      outside(code, '', ...lookalikes),
      outsideOf(
        code,
        fc.string().filter((text) => !allowed.includes(text)),
      ),
    ),
  };
}

/** An address within the lengths of RFC 5321, those of length 64 and 254 among them. */
export function emailAddress(): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .emailAddress()
        .filter((address) => address.length <= 254 && address.indexOf('@') <= 64),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'user@example.com',
        "o'brien@example.com",
        'User@Example.COM',
        'a@b',
        `${'a'.repeat(64)}@example.com`,
        `${'a'.repeat(64)}@${longDomain(189)}`,
      ),
    },
  );
}

function longDomain(length: number): string {
  const labels: string[] = [];
  for (let left = length; left > 0; left -= 64) labels.push('d'.repeat(Math.min(63, left)));
  return labels.join('.').slice(0, length);
}

/** The same address with this beginning, below example.com, to which no mail is delivered. */
function withPrefix(address: string, prefix: string): string {
  const at = address.lastIndexOf('@');
  const local = `${prefix}${address.slice(0, at)}`.slice(0, 64);
  const own = '.example.com';
  const left = 254 - `${local}@${own}`.length;
  const domain = address.slice(at + 1);
  return `${local}@${domain.length <= left ? domain : longDomain(left)}${own}`;
}

/** An e-mail field (decision 1.3). */
export function emailField(prefix?: string): FieldValues<string> {
  return {
    optional: false,
    valid: emailAddress().map((each) => (prefix === undefined ? each : withPrefix(each, prefix))),
    outside: fc.oneof(
      untyped(false),
      outside('wrong_type', 7),
      outside('too_short', ''),
      outside('too_long', `${'a'.repeat(64)}@${longDomain(190)}`),
      outside('email_local_part_too_long', `${'a'.repeat(65)}@example.com`),
      outside('invalid_email', 'user\ud800@example.com', 'user@example.com\udc00'),
      outside('invalid_email', 'user\0@example.com', 'user@example.com\0'),
      outsideOf(
        'invalid_email',
        emailAddress()
          .filter((address) => address.length < 200)
          .chain((address) =>
            fc.constantFrom(
              address.replace('@', ''),
              address.replace('@', '@@'),
              `${address}.`,
              `${address}-`,
              ` ${address}`,
              `${address}\n`,
              `<${address}>`,
              `é${address}`,
              `${address}ł`,
              address.replace('@', '@-'),
              address.replace('@', '@.'),
              address.replace(/.*@/, '@'),
              address.replace(/@.*/, '@'),
              `user@${'d'.repeat(64)}.com`,
            ),
          ),
      ),
    ),
  };
}

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max }),
    fc.constantFrom('0', '9').map((digit) => digit.repeat(max)),
  );

/** A decimal without its sign, with a digit on at least one side of the point. */
function unsigned(): fc.Arbitrary<string> {
  return fc.oneof(
    digits(1, 18),
    digits(1, 18).map((whole) => `${whole}.`),
    fc.tuple(digits(0, 18), digits(1, 2)).map(([whole, fraction]) => `${whole}.${fraction}`),
  );
}

/** A decimal string as decision 1.4 accepts it, of either sign. */
export function decimal(): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom('', '-'), unsigned()).map((parts) => parts.join(''));
}

/** A money field; a positive one refuses zero and below. */
export function moneyField(sign: 'any' | 'positive'): FieldValues<string> {
  const isPositive = (text: string) => /[1-9]/.test(text);
  const sides = [
    untyped(false),
    outside('wrong_type', 1000, 0.5),
    outside('invalid_decimal', '', '-', '.', '-.', '+1', '--1', '1e3', ' 1', '1 ', '1\n', '1,5'),
    outside('invalid_decimal', '0x1F', '1_000', '١', '1.2.3', 'NaN', 'Infinity', '1\0', '\ud800'),
    outsideOf(
      'invalid_decimal',
      fc.oneof(
        digits(19, 19),
        fc.tuple(digits(0, 18), digits(3, 3)).map(([whole, fraction]) => `${whole}.${fraction}`),
      ),
    ),
  ];
  if (sign === 'positive') {
    sides.push(
      outside('not_positive', '0', '-0', '0.00', '.0', '-0.01', '-1'),
      outsideOf(
        'not_positive',
        unsigned().map((text) => `-${text}`),
      ),
    );
  }
  return {
    optional: false,
    valid: sign === 'any' ? decimal() : unsigned().filter(isPositive),
    outside: fc.oneof(...sides),
  };
}

/** An integer field of the whole range that JSON keeps exactly (decision 1.6). */
export function integerField(
  optional: boolean,
  valid: fc.Arbitrary<number> = fc.maxSafeInteger(),
): FieldValues<number> {
  return {
    optional,
    valid,
    outside: fc.oneof(
      untyped(optional),
      outside('wrong_type', '30', '', '1e1'),
      outside('out_of_range', 2 ** 53, -(2 ** 53), 1e21, -1e308, Number.MAX_VALUE),
      outside('not_an_integer', 30.5, -0.1, Number.MIN_VALUE),
      outsideOf(
        'not_an_integer',
        fc.integer().map((whole) => whole + 0.5),
      ),
    ),
  };
}

/**
 * Tenants: a few partners, so that some are drawn twice, in both environments.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { tenant } from 'dealwright/spec';
 *
 * const [someone] = fc.sample(tenant(), 1);
 * ```
 */
export function tenant(): fc.Arbitrary<Tenant> {
  return fc.record(
    {
      environment: fc.constantFrom('production', 'sandbox'),
      partner: fc.oneof(fc.constantFrom('acme', 'globex'), textField(1, 64).valid),
    },
    { noNullPrototype: true },
  );
}

/**
 * Idempotency keys: 1 to 255 visible ASCII characters (decision 2.7).
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { idempotencyKey } from 'dealwright/spec';
 *
 * const [key] = fc.sample(idempotencyKey(), 1);
 * ```
 */
export function idempotencyKey(): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  return fc.oneof(
    fc.string({ unit, minLength: 1, maxLength: 40 }),
    fc.string({ unit, minLength: 255, maxLength: 255, size: 'max' }),
  );
}

/**
 * Almost an idempotency key: empty, 256 characters, a space, a letter beyond ASCII.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { malformedIdempotencyKey } from 'dealwright/spec';
 *
 * const [key] = fc.sample(malformedIdempotencyKey(), 1);
 * ```
 */
export function malformedIdempotencyKey(): fc.Arbitrary<string> {
  return fc.constantFrom('', 'k'.repeat(256), 'a key', ' key', 'key\n', 'ké', '\u007f', '\0', '😀');
}
