import { fromMinorUnits, type PlannedDeal, type StagePlanner, splitMoney } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { dealBody, dealV2Body } from '../domain/field-tables.js';
import { traceOf, withContractor } from './marketplace-with.js';

describe('a stage planner', () => {
  const thirds: StagePlanner = ({ budget, work_days }: PlannedDeal) =>
    (splitMoney(budget, [1, 1, 1]) ?? []).map((share, index) => ({
      name: `Part ${index + 1}`,
      budget: share,
      work_days: work_days === null ? null : Math.ceil(work_days / 3),
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

  it('splits a deal of version 2.0, which sets no days', async () => {
    const { api } = await withContractor({}, { stagePlanner: thirds });
    await api.createDealV2(dealV2Body);
    const { stages } = (await api.retrieveDealDetails(dealV2Body.partner_id))._unsafeUnwrap();
    expect(stages.map(({ name, work_days }) => [name, work_days])).toEqual([
      ['Part 1', null],
      ['Part 2', null],
      ['Part 3', null],
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
