import { type CaseResult, verify } from 'dealwright/verify';
import { expect, it } from 'vitest';
import { inMemory } from './in-memory.js';
import { isFailure, notBuilt } from './not-built.js';

/** `DEALWRIGHT_LAW=5.2/auth npx vitest run test/verify/memory.test.ts` judges those alone. */
const only = process.env['DEALWRIGHT_LAW'] ?? '';

it('keeps every law, as a service in memory, twice in a row', async () => {
  const options = { ...inMemory(), only, baseline: notBuilt };
  for (const run of [1, 2]) {
    const { results, mended } = await verify(options);
    expect(results.filter(isFailure).map(told), `run ${run}`).toEqual([]);
    expect(mended, `run ${run}`).toEqual([]);
    const left = results.filter(({ outcome }) => outcome === 'not_applicable').map(told);
    expect(left, `run ${run}`).toEqual([]);
  }
});

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');
