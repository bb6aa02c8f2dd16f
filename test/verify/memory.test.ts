import { strictProfile } from 'dealwright/strict';
import { type CaseResult, verify } from 'dealwright/verify';
import { expect, it } from 'vitest';
import { receivingGroups } from '../../spec/wire/webhooks/index.js';
import { isLong } from '../tiers.js';
import { inMemory } from './in-memory.js';

/** `DEALWRIGHT_LAW=5.2/auth npx vitest run test/verify/memory.test.ts` judges those alone. */
const only = process.env['DEALWRIGHT_LAW'] ?? '';
/** The laws of the second run, beside what the first has left. */
const again = isLong ? only : (process.env['DEALWRIGHT_LAW'] ?? ['i', '2', '4/list']);

/** Laws of deals that are paid before the work, which a later test has. */
const isPrepaid = ({ law }: CaseResult) => law.id.includes('/prepaid/');

/** Laws that need a receiver of webhooks, which `webhooks.test.ts` has. */
const receiving = new Set(receivingGroups.flatMap(({ laws }) => laws.map(({ id }) => id)));

it('keeps every law, as a service in memory, twice in a row', async () => {
  const options = inMemory();
  for (const [run, laws] of [only, again].entries()) {
    const { results } = await verify({ ...options, only: laws });
    const failed = results.filter(({ outcome }) => outcome === 'failed').map(told);
    expect(failed, `run ${run + 1}`).toEqual([]);
    // its tokens are of one environment, a deal may have any currency, and the last test is strict
    const reasons = [
      'the service has no view of the other environment',
      'it promises no currencies',
      'it has not the strict profile',
    ];
    const left = results.filter(
      (each) =>
        each.outcome === 'not_applicable' &&
        !reasons.includes(each.reason ?? '') &&
        !isPrepaid(each),
    );
    const expected = results.filter(({ law }) => receiving.has(law.id));
    expect(left.map(told), `run ${run + 1}`).toEqual(expected.map(told));
  }
}, 600_000);

it('keeps the laws of deals that are paid before the work', async () => {
  const options = inMemory({ mode: 'prepaid' });
  const laws = ['9.7/prepaid', '9.9/prepaid', '9.13/prepaid', '9.16/prepaid'];
  const { results } = await verify({ ...options, only: laws });
  expect(results.filter(({ outcome }) => outcome !== 'passed').map(told)).toEqual([]);
});

it('keeps the laws of the strict profile', async () => {
  const { results } = await verify({
    ...inMemory({ profile: strictProfile }),
    only: '10.13/strict',
  });
  expect(results.filter(({ outcome }) => outcome !== 'passed').map(told)).toEqual([]);
});

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');
