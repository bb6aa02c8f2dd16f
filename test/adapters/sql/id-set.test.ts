import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIdSet } from '../../../adapters/sql/id-set.js';

const most = Number.MAX_SAFE_INTEGER;

it('knows which ids it has, as a Set does', () => {
  const id = fc.oneof(
    fc.integer({ min: 1, max: 2_100 }),
    fc.integer({ min: most - 2_100, max: most }),
    fc.maxSafeNat().filter((value) => value > 0),
    // far apart, at equal distances
    fc.integer({ min: 1, max: 3_000 }).map((value) => value * 1_024),
    fc.integer({ min: 1, max: 3_000 }).map((value) => value * 2 ** 40),
  );
  const property = fc.property(fc.array(id, { maxLength: 1_000, size: 'max' }), (ids) => {
    const set = createIdSet();
    const model = new Set<number>();
    const isNew = (each: number) => model.size < model.add(each).size;
    expect(ids.map((each) => set.add(each))).toEqual(ids.map(isNew));
    expect(ids.filter((each) => set.add(each))).toEqual([]);
  });
  fc.assert(property, { numRuns: 30 });
});

it.each([1, 2, 1_024, 4_096, 2 ** 33])('has 100,000 ids that are %d apart once each', (step) => {
  const set = createIdSet();
  const ids = Array.from({ length: 100_000 }, (_, at) => 1 + at * step);
  expect(ids.filter((id) => !set.add(id))).toEqual([]);
  expect(ids.filter((id) => set.add(id))).toEqual([]);
  expect(ids.filter((id) => id < most && step > 1 && !set.add(id + 1))).toEqual([]);
});

it('takes nothing that is no id', () => {
  const set = createIdSet();
  for (const id of [0, -1, -0, 1.5, most + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => set.add(id)).toThrow('no integer from 1 to 2^53-1');
  }
  expect([set.add(1), set.add(most)]).toEqual([true, true]);
});
