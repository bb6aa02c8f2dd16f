import { type DealTerms, fromMinorUnits, type StagePlanner, splitMoney } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOneStage, planStages, stageRows } from '../../src/domain/deals/stage.js';
import { textOf } from './values.js';

const deal: DealTerms = {
  partner_id: 'order-1',
  contractor_email: 'user@example.com',
  name: 'Deal name',
  description: 'Deal description',
  budget: fromMinorUnits(100000n),
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
};
const stage = { name: 'Draft', budget: deal.budget, work_days: 10 };

/** A planner in JavaScript, whose type the compiler does not check. */
const careless = (answer: unknown): StagePlanner => (() => answer) as () => never;

describe('planStages', () => {
  it('makes one stage of the whole deal by default', () => {
    expect(planStages(planOneStage, deal)._unsafeUnwrap()).toStrictEqual([
      { name: 'Deal name', budget: 100000n, work_days: 30 },
    ]);
  });

  it('takes every plan that keeps the promise, and only what belongs to a stage', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.array(fc.tuple(textOf(1, 200), fc.integer({ min: 1 }), fc.maxSafeInteger()), {
          minLength: 1,
          maxLength: 6,
        }),
        (cents, parts) => {
          const budget = fromMinorUnits(cents);
          const budgets =
            splitMoney(
              budget,
              parts.map(([, weight]) => weight),
            ) ?? [];
          const planned = parts.map(([name, , work_days], index) => ({
            name,
            budget: budgets[index] ?? fromMinorUnits(0n),
            work_days,
          }));
          const stages = planStages(
            () => planned.map((each) => ({ ...each, id: 7, status: 'paid', secret: 'x' })),
            { ...deal, budget },
          );
          expect(stages._unsafeUnwrap()).toStrictEqual(planned);
        },
      ),
    );
  });

  it.each([
    [[], 'a deal has at least one stage'],
    [[{ ...stage, budget: 99999n }], "the budgets of the stages sum to the deal's"],
    [[{ ...stage, budget: 100001n }], "the budgets of the stages sum to the deal's"],
    [[stage, stage], "the budgets of the stages sum to the deal's"],
    [
      [
        { ...stage, budget: 100001n },
        { ...stage, budget: -1n },
      ],
      "the budgets of the stages have the deal's sign",
    ],
    [[{ ...stage, name: '' }], 'the name of a stage is well-formed text of 1 to 200 characters'],
    [
      [{ ...stage, name: '😀'.repeat(201) }],
      'the name of a stage is well-formed text of 1 to 200 characters',
    ],
    [
      [{ ...stage, name: '\ud800' }],
      'the name of a stage is well-formed text of 1 to 200 characters',
    ],
    [[{ ...stage, name: 'a\0' }], 'the name of a stage is well-formed text of 1 to 200 characters'],
    [[{ ...stage, name: 7 }], 'the name of a stage is well-formed text of 1 to 200 characters'],
    [[{ ...stage, work_days: 0.5 }], 'the work_days of a stage are an integer, or null'],
    [[{ ...stage, work_days: 2 ** 53 }], 'the work_days of a stage are an integer, or null'],
    [[{ ...stage, work_days: '10' }], 'the work_days of a stage are an integer, or null'],
    [[{ ...stage, work_days: undefined }], 'the work_days of a stage are an integer, or null'],
  ])('refuses a broken plan (%#)', (answer, flaw) => {
    expect(planStages(careless(answer), deal)._unsafeUnwrapErr()).toBe(flaw);
  });

  it('refuses a stage above zero of a deal below it', () => {
    const below = { ...deal, budget: fromMinorUnits(-5n) };
    const plan = [-6n, 1n].map((budget) => ({ ...stage, budget: fromMinorUnits(budget) }));
    expect(planStages(() => plan, below)._unsafeUnwrapErr()).toBe(
      "the budgets of the stages have the deal's sign",
    );
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a promise', Promise.resolve([stage])],
    ['an object', { length: 1 }],
    ['a list of nothing', [undefined]],
    ['a budget in words', [{ ...stage, budget: '1000.00' }]],
    ['a budget as a number', [{ ...stage, budget: 1000 }]],
    ['no budget', [{ name: 'Draft', work_days: 1 }]],
  ])('survives a planner that answers %s', (_what, answer) => {
    expect(planStages(careless(answer), deal).isErr()).toBe(true);
  });

  it('makes records that are numbered in their order and begin pending', () => {
    const second = { name: 'Second', budget: fromMinorUnits(5n), work_days: null };
    const unused = { kind: null, started_at: null, deadline: null, overdue_told: null };
    const times = { submitted_at: null, notice_at: null };
    const begun = { status: 'pending', agreed_amount: null, ...times, ...unused };
    expect(stageRows([stage, second], 'order-1', 7)).toEqual([
      { ...stage, id: 7, partner_id: 'order-1', budget: '1000.00', ...begun },
      { ...second, id: 8, partner_id: 'order-1', budget: '0.05', ...begun },
    ]);
  });

  it('keeps what a planner throws as the cause', () => {
    const cause = new Error('no plan');
    const planner = () => {
      throw cause;
    };
    expect(planStages(planner, deal)._unsafeUnwrapErr()).toBe(cause);
  });
});
