import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIdSet } from '../../../adapters/sql/id-set.js';

it('knows which ids it has', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const id = fc.oneof(
    fc.integer({ min: 1, max: 2_100 }),
    fc.integer({ min: most - 2_100, max: most }),
    fc.maxSafeNat().filter((value) => value > 0),
  );
  const property = fc.property(fc.array(id, { maxLength: 300, size: 'max' }), (ids) => {
    const set = createIdSet();
    // the first of each is new, and no other
    const expected = ids.map((each, at) => ids.indexOf(each) === at);
    expect(ids.map((each) => set.add(each))).toEqual(expected);
    expect(ids.filter((each) => set.add(each))).toEqual([]);
  });
  fc.assert(property, { numRuns: 30 });
});
