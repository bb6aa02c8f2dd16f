import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  baseOf,
  edited,
  editOf,
  noTerms,
  parentOf,
  withDescription,
  withoutDescription,
} from '../../../src/domain/terms/kept-terms.js';
import { canonicalJson, type Terms } from '../../../src/domain/terms/terms.js';
import { seed } from '../../kit/seed.js';
import { canonical } from './canonical.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('"description":,', '"description":null,', '1{'),
);
const stage = fc.record({
  id: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, null),
  name: fc.constantFrom('a', 'b', '"x'),
  budget: fc.constantFrom('1.00', '2.00'),
  work_days: fc.constantFrom(null, 1),
});
const terms: fc.Arbitrary<Terms> = fc
  .record({
    version: fc.integer({ min: 1, max: 3 }),
    title: text,
    description: text,
    amount: fc.constantFrom('1.00', '-2.00'),
    currency: fc.constantFrom('PLN', 'EUR'),
    copyright_transfer: fc.constantFrom(null, 'none'),
    stages: fc.array(stage, { maxLength: 8 }),
    settled: fc.constantFrom(undefined, '0.50', '1.00'),
  })
  .map(({ settled, ...others }) => ({
    ...others,
    ...(settled !== undefined && { agreed_amount: settled }),
  }));

const changesIn = (kept: string): unknown => JSON.parse(kept.replace(/^\d+/, ''));

describe('terms as an edit of others', () => {
  it('are those terms', () => {
    fc.assert(
      fc.property(terms, terms, fc.integer({ min: 1, max: 99_999 }), (base, next, of) => {
        const kept = editOf(next, base, of);
        expect(baseOf(kept)).toBe(of);
        // so an earlier version of the library shows no other terms
        expect(() => JSON.parse(kept)).toThrow();
        expect(canonical(edited(kept, base))).toBe(canonical(next));
        expect(canonical(edited(editOf(next, noTerms, 0), noTerms))).toBe(canonical(next));
        // earlier versions of the library kept them whole
        expect(canonical(edited(canonical(next), base))).toBe(canonical(next));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('have only what differs', () => {
    const stages = Array.from({ length: 100 }, (_, at) => ({
      id: at + 1,
      name: `Stage ${at}`,
      budget: '1.00',
      work_days: null,
    }));
    const base: Terms = {
      ...{ version: 1, title: 'a', description: 'b'.repeat(500), amount: '100.00' },
      ...{ currency: 'PLN', copyright_transfer: null, stages },
    };
    const bonus = { id: null, name: 'Bonus', budget: '5.00', work_days: null };
    const two = { ...base, version: 2, amount: '105.00', stages: [...stages, bonus] };
    expect(changesIn(editOf(two, base, 1))).toEqual({
      ...{ version: 2, amount: '105.00' },
      stages: [100, [bonus]],
    });
    // the stage has its id by now, one is left out, and another has a new budget
    const named = [...stages, { ...bonus, id: 101 }].flatMap((each) =>
      each.id === 3 ? [] : each.id === 5 ? { ...each, budget: '2.00' } : each,
    );
    expect(changesIn(editOf({ ...two, version: 3, stages: named }, two, 2))).toEqual({
      version: 3,
      stages: [2, -1, 1, { budget: '2.00' }, 95, { id: 101 }],
    });
    expect(editOf({ ...base, version: 4 }, base, 1)).toBe('1{"version":4}');
    const fewer = { ...base, stages: stages.slice(0, 98) };
    expect(changesIn(editOf(fewer, base, 1))).toEqual({ stages: [98, -2] });
    expect(edited(editOf(fewer, base, 1), base)).toEqual(fewer);
  });

  it('are few edits away from the first version', () => {
    for (let version = 1; version <= 3_000; version += 1) {
      let steps = 0;
      for (let each = version; each > 1; each = parentOf(each)) {
        expect(parentOf(each)).toBeLessThan(each);
        steps += 1;
      }
      expect(steps).toBeLessThan(12);
    }
    expect(parentOf(1)).toBe(1);
  });
});

describe('terms without their description', () => {
  it('are whole with it', () => {
    fc.assert(
      fc.property(terms, (given) => {
        const quoted = () => JSON.stringify(given.description);
        const whole = canonicalJson(given);
        const kept = withoutDescription(given);
        expect(() => JSON.parse(kept)).toThrow();
        expect(withDescription(kept, quoted)).toBe(whole);
        // those of earlier versions of the library were kept whole
        expect(withDescription(whole, () => 'else')).toBe(whole);
      }),
      { seed },
    );
  });
});
