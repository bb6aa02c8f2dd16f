import * as fc from 'fast-check';
import type { Refused, Values } from './values.js';

/** Labels of at most 63 characters, `length` characters in all. */
const domain = (length: number): string => {
  const labels = 'd'.repeat(63).concat('.').repeat(5).slice(0, length);
  return labels.endsWith('.') ? `${labels.slice(0, -2)}.d` : labels;
};

/** Every address that fast-check makes, within the lengths of RFC 5321 (decision 1.3). */
export const emailAddress: fc.Arbitrary<string> = fc
  .oneof(
    fc.emailAddress(),
    fc.emailAddress({ size: 'medium' }),
    fc
      .tuple(fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/), fc.domain())
      .map(([local, host]) => `${local}@${host}`),
  )
  .filter((address) => address.indexOf('@') <= 64 && address.length <= 254);

const taken = [
  ...[
    'user@example.com',
    "o'brien@example.com",
    'User.Name+tag@Example.COM',
    'a@b',
    'a@1',
    '1@a.b',
  ],
  ...['.a.@example.com', 'a..b@example.com', "!#$%&'*+/=?^_`{|}~-@example.com", 'a@a-b.c-d.ef'],
  ...['a@x--y.com', `a@${'d'.repeat(63)}.com`, `a@b.${'d'.repeat(63)}`, 'a@127.0.0.1'],
  `${'l'.repeat(63)}@example.com`,
  `${'l'.repeat(64)}@example.com`,
  `${'l'.repeat(64)}@${domain(189)}`,
  `l@${domain(252)}`,
];

const refusal =
  (code: string, params: object = {}) =>
  (value: string): Refused => ({
    value,
    code,
    params,
  });

const noAddresses = [
  ...['a', '@', 'a@', '@b', 'a@b@c', 'a b@c.de', 'a@b c', 'a@b.', 'a@.b', 'a@b..c', ' a@b', 'a@b '],
  ...['a@b\n', '\na@b', 'a\n@b', 'a@-b', 'a@b-', 'a@b-.c', 'a@b.-c', 'a@b.c-', '"a"@b', '<a@b>'],
  ...['a,b@c', 'a;b@c', 'a:b@c', 'a(b)@c', 'a[b]@c', 'a\\b@c', 'a@b_c', 'a@[127.0.0.1]', 'a@b,c'],
  ...['ł@example.com', 'a@exämple.com', 'a@b.ł', '😀@b', 'a@b.😀', 'ſ@b', 'a@b.\u212a', 'a@b!c'],
  ...['\ud800@b', 'a@b\udc00', '\0@b', 'a@b\0', 'a\0@b', 'a@b.c!', 'a@!b', '\u007f@b', 'a@b.c d'],
  ...[`a@${'d'.repeat(64)}`, `a@${'d'.repeat(64)}.com`, `a@b.${'d'.repeat(64)}`],
  `${'l'.repeat(70)}`,
  `${'l'.repeat(65)}@-`,
];

/** Text of more than 254 characters, with or without other mistakes. */
const tooLong = [
  `${'l'.repeat(64)}@${domain(190)}`,
  `l@${domain(253)}`,
  'x'.repeat(255),
  '😀'.repeat(255),
  'x'.repeat(509),
  'x'.repeat(100_000),
];

/** An e-mail address: the WHATWG form with the lengths of RFC 5321. */
export function email(): Values {
  const breaking = fc.constantFrom<(address: string) => string>(
    (address) => address.replace('@', ''),
    (address) => address.replace('@', '@@'),
    (address) => `${address}.`,
    (address) => `${address}-`,
    (address) => ` ${address}`,
    (address) => `${address} `,
    (address) => address.replace('@', '@.'),
    (address) => address.replace('@', '@-'),
    (address) => address.replace('@', ' @'),
    (address) => `(${address}`,
    (address) => `é${address}`,
  );
  return {
    expected: 'string',
    taken: emailAddress.map((value) => ({ value, parsed: value })),
    refused: fc.oneof(
      fc
        .tuple(emailAddress, breaking)
        .filter(([address]) => address.length <= 252)
        .map(([address, change]) => refusal('invalid_email')(change(address))),
      fc
        .integer({ min: 65, max: 200 })
        .map((length) =>
          refusal('email_local_part_too_long', { max: 64 })(`${'l'.repeat(length)}@example.com`),
        ),
      fc
        .integer({ min: 255, max: 2000 })
        .map((length) => refusal('too_long', { max: 254 })('a@'.padEnd(length, 'd.'))),
    ),
    takenEdges: taken.map((value) => ({ value, parsed: value })),
    refusedEdges: [
      refusal('too_short', { min: 1 })(''),
      ...noAddresses.map(refusal('invalid_email')),
      // the bound counts characters: 254 of them are only not an address
      refusal('invalid_email')('😀'.repeat(254)),
      ...tooLong.map(refusal('too_long', { max: 254 })),
      ...[65, 66, 242].map((length) =>
        refusal('email_local_part_too_long', { max: 64 })(`${'l'.repeat(length)}@example.com`),
      ),
    ],
  };
}
