import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edge, filterText, formatCursor, parseCursor } from '../../src/domain/deals/cursor.js';
import type { DealFilter } from '../../src/domain/deals/deal-list.js';

const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const ulid = () =>
  fc
    .tuple(
      fc.constantFrom(...'01234567'),
      fc.string({
        unit: fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
        minLength: 25,
        maxLength: 25,
      }),
    )
    .map(([begin, rest]) => begin + rest);
const digest = () => fc.string({ minLength: 1, unit: 'binary' });
const edge = (): fc.Arbitrary<Edge> =>
  fc.record({
    direction: fc.constantFrom('older', 'newer'),
    from: fc.option(
      fc.record({
        created_at: fc
          .oneof(fc.integer({ min: first, max: last }), fc.constantFrom(first, last, 0, -1))
          .map((time) => new Date(time).toISOString()),
        attempt: ulid(),
      }),
      { nil: undefined },
    ),
  });

describe('a cursor', () => {
  it('gives back the edge that it was made of', () => {
    fc.assert(
      fc.property(edge(), digest(), (each, filter) => {
        expect(parseCursor(formatCursor(each, filter), filter)).toEqual(each);
      }),
      { numRuns: 500 },
    );
  });

  it('is not valid for another filter', () => {
    fc.assert(
      fc.property(edge(), digest(), digest(), (each, filter, other) => {
        fc.pre(filter !== other);
        // a digest that ends with another one could be mistaken for it: digests have one length
        fc.pre(!filter.endsWith(`-${other}`));
        expect(parseCursor(formatCursor(each, filter), other)).toBeUndefined();
      }),
    );
  });

  it('is no other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseCursor(text, 'd')).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ...['', 'o', 'n', 'o-', '-d', 'x-d', 'O-d', 'o-d-d', 'od', ' o-d', 'o-d ', 'o-d\n', 'oo-d'],
    ...['o-1-d', `o-1-${'0'.repeat(25)}-d`, `o-1-${'0'.repeat(27)}-d`, `o-1-${'a'.repeat(26)}-d`],
    ...[`o--1-${'0'.repeat(26)}-d`, `o-1.5-${'0'.repeat(26)}-d`, `o-x-${'0'.repeat(26)}-d`],
    ...[`o-${last - first + 1}-${'0'.repeat(26)}-d`, `o-9999999999999999-${'0'.repeat(26)}-d`],
    // not a ULID: a letter that it does not have, and more than 128 bits
    ...[`o-1-${'I'.repeat(26)}-d`, `o-1-8${'0'.repeat(25)}-d`],
    ...[`o-999999999999999-${'0'.repeat(26)}-d`, `o-1e3-${'0'.repeat(26)}-d`],
  ])('is not %j', (text) => {
    expect(parseCursor(text, 'd')).toBeUndefined();
  });
});

describe('the text of a filter', () => {
  it('tells filters apart, in any order of their members', () => {
    const filter = (): fc.Arbitrary<DealFilter> =>
      fc.record(
        {
          partner_id: fc.constantFrom('a', 'b', 'status'),
          status: fc.constantFrom('created', 'expired'),
          freelancer_status: fc.constantFrom('new', 'expired'),
          email_key: fc.constantFrom('a', 'b'),
          created_from: fc.constantFrom('x', 'y'),
          created_to: fc.constantFrom('x', 'y'),
        },
        { requiredKeys: [], noNullPrototype: true },
      );
    fc.assert(
      fc.property(filter(), filter(), (a, b) => {
        const reversed = Object.fromEntries(Object.entries(a).reverse());
        expect(filterText(reversed)).toBe(filterText(a));
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(filterText(a) === filterText(b)).toBe(isSame);
      }),
    );
  });
});

const sorted = (filter: DealFilter) => Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
