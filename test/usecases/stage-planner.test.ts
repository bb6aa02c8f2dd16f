import { type DealTerms, fromMinorUnits, type StagePlanner, splitMoney } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { dealBody } from '../domain/field-tables.js';
import { traceOf, withContractor } from './marketplace-with.js';

describe('a stage planner', () => {
  const thirds: StagePlanner = ({ budget, work_days }: DealTerms) =>
    (splitMoney(budget, [1, 1, 1]) ?? []).map((share, index) => ({
      name: `Part ${index + 1}`,
      budget: share,
      work_days: Math.ceil(work_days / 3),
    }));

  it('splits the deal, and the answer names its stages in their order', async () => {
    const { api, store } = await withContractor({}, { stagePlanner: thirds });
    const created = (await api.createDeal(dealBody))._unsafeUnwrap();
    const { deal } = await traceOf(store);
    expect(
      deal?.stage.map(({ id, name, budget, work_days }) => [id, name, budget, work_days]),
    ).toEqual([
      [created.stage_ids[0], 'Part 1', '333.34', 10],
      [created.stage_ids[1], 'Part 2', '333.33', 10],
      [created.stage_ids[2], 'Part 3', '333.33', 10],
    ]);
  });

  it.each<[string, StagePlanner]>([
    ['makes no stage', () => []],
    ['loses a cent', () => [{ name: 'a', budget: fromMinorUnits(99999n), work_days: 1 }]],
    [
      'throws',
      () => {
        throw new Error('no plan');
      },
    ],
    ['answers nothing', (() => undefined) as () => never],
  ])('that %s is unavailable for good, and nothing is stored', async (_what, stagePlanner) => {
    const { api, store } = await withContractor({}, { stagePlanner });
    const before = await traceOf(store);
    const error = (await api.createDeal(dealBody, { idempotencyKey: 'key-1' }))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'unavailable',
      port: 'stagePlanner',
      outcome: 'none',
      retryable: false,
    });
    expect(error).toHaveProperty('cause');
    expect(await traceOf(store)).toEqual(before);
    expect(before.deal).toBeUndefined();
  });
});
