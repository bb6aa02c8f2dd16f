import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds } from '../../spec/expectations.js';

/** What is said of a property that never holds. */
async function saidOf<T>(value: fc.Arbitrary<T>): Promise<string> {
  const never = fc.asyncProperty(value, () => Promise.reject(new Error('never')));
  const failed = await holds(never, { numRuns: 1, seed: 1 }).catch((thrown) => thrown.message);
  return String(failed);
}

describe('a counterexample', () => {
  it('shows the first 80 characters of a text, and how many it has', async () => {
    const said = await saidOf(
      fc.constant({ title: 'Long '.repeat(4000), short: '"\\'.repeat(20) }),
    );
    const kept = 'Long '.repeat(16);
    expect(said).toContain(
      `\nCounterexample: [{"title":"${kept}... (20000 characters)","short":"${'\\"\\\\'.repeat(20)}"}]\n`,
    );
    expect(said).toContain('"message":"never"');
  });

  it('ends after 2,000 characters, and its seed is shown', async () => {
    const said = await saidOf(fc.constant(Array.from({ length: 5000 }, (_, at) => at)));
    const line = said.split('\n').find((each) => each.startsWith('Counterexample'));
    expect(line).toMatch(/^Counterexample: \[\[0,1,2,.*\.\.\.$/);
    expect(line).toHaveLength(2003);
    expect(said).toContain('{ seed: 1, path: "0", endOnFailure: true }');
  });
});
