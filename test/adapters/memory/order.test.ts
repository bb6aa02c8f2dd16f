import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { byCodePoint } from '../../../adapters/shared/code-points.js';

it('orders text as databases do, which compare its UTF-8', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '😀', '🙀') }),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(byCodePoint(a, b))).toBe(expected);
      expect(byCodePoint(a, a)).toBe(0);
    }),
    { numRuns: 1000 },
  );
});
