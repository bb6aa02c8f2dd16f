import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, termsKey } from '../../../src/domain/terms/terms.js';
import { textOf } from '../values.js';
import { canonical } from './canonical.js';

/** Texts, integers, nulls, lists and objects of them, as terms are. */
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    textOf(0, 20),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), textOf(0, 5)), tie('any'), {
      maxKeys: 6,
    }),
  ),
})).any;

describe('the canonical JSON of terms', () => {
  it('is that of RFC 8785', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(canonical(value));
      }),
      { numRuns: 500 },
    );
  });

  it('sorts by code units, as section 3.2.3 shows', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const given = Object.fromEntries(names.map((name, at) => [name, at]));
    expect(Object.values(JSON.parse(canonicalJson({ x: given })).x)).toHaveLength(names.length);
    const order = [...canonicalJson(given).matchAll(/:(\d)/g)].map(([, at]) => Number(at));
    expect(order).toEqual([1, 3, 5, 6, 0, 4, 2]);
  });

  it('does not depend on the order of members, and says the same', () => {
    fc.assert(
      fc.property(fc.dictionary(textOf(1, 5), fc.nat()), (members) => {
        const turned = Object.fromEntries(Object.entries(members).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(members));
        expect(JSON.parse(canonicalJson(members))).toEqual(members);
      }),
    );
  });
});

describe('the key of a version', () => {
  it('sorts by the version, and is that of one deal alone', () => {
    const versions = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(textOf(1, 40), textOf(1, 40), versions, versions, (one, other, a, b) => {
        expect(termsKey(one, a) < termsKey(one, b)).toBe(a < b);
        expect(termsKey(one, a) === termsKey(other, b)).toBe(one === other && a === b);
      }),
    );
  });
});
