import { describe, expect, test } from 'vitest';
import { type Answer, give } from './model.js';
import type { Wish } from './model-rules.js';
import { figures, type Model, outstanding, surplus } from './model-state.js';
import { newModel } from './model-terms.js';
import { day, dayOne, type Shape } from './states.js';

const base: Shape = {
  version: '1.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: false,
};
const accept: Wish = { name: 'accept', actor: 'freelancer' };
const deliver: Wish = { name: 'deliver', actor: 'freelancer' };
const approve: Wish = { name: 'approve', actor: 'partner' };
const dispute: Wish = { name: 'dispute', actor: 'partner' };
const cancel: Wish = { name: 'cancel', actor: 'operator' };
const ask: Wish = { name: 'request-payment', actor: 'partner' };
const retry: Wish = { name: 'retry-payout', actor: 'operator' };
const resolve = (agreed: bigint): Wish => ({ name: 'resolve', actor: 'operator', agreed });
const money = (status: string, reference: string, amount?: bigint, payment = 0): Wish => ({
  name: 'record-employer-payment',
  actor: 'payments',
  report: { payment, status, reference, ...(amount !== undefined && { amount }) },
});
const payout = (status: string, reference: string, payment = 0): Wish => ({
  name: 'record-contractor-payment',
  actor: 'payments',
  report: { payment, status, reference },
});

/** The model of a deal with work for every stage, after these steps. */
function play(shape: Partial<Shape>, ...wishes: readonly Wish[]): Model & { answers: Answer[] } {
  const model = newModel({ ...base, ...shape });
  for (const { id } of model.stages) model.files.push({ stage: id, status: 'stored' });
  const answers = wishes.map((wish) => give(model, wish, dayOne));
  return { ...model, answers };
}
const approved = [accept, deliver, approve];
const sums = (model: Model) => {
  const { paid, held, released, refunded, fees, chargedBack, loss } = figures(model);
  return [paid, held, released, refunded, fees, chargedBack, loss].map(Number);
};

describe('the figures of the model', () => {
  test('are whole in either order of a payout and a charge-back (6.7 d)', () => {
    const [pays, takes] = [payout('paid', 'c1'), money('charged_back', 'b1')];
    const start = [...approved, money('paid', 'e1')];
    const [one, other] = [
      play({ contractorFee: 20n }, ...start, pays, takes),
      play({ contractorFee: 20n }, ...start, takes, pays),
    ];
    expect(sums(one)).toEqual([100, 0, 80, 0, 20, 100, 100]);
    expect(sums(other)).toEqual(sums(one));
  });

  test('hold what is on its way, and lose it, after any return', () => {
    const start = [...approved, money('paid', 'e1'), payout('processing', 'c1')];
    const gone = play({}, ...start, money('charged_back', 'b1'));
    expect(sums(gone)).toEqual([100, 100, 0, 0, 0, 100, 100]);
    const freed = play({}, ...start, money('charged_back', 'b1'), payout('failed', 'c1'));
    expect(sums(freed)).toEqual([100, 0, 0, 0, 0, 100, 0]);
    expect(freed.payouts.map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('make up for a loss before anything else', () => {
    const lost = [
      ...approved,
      money('paid', 'e1'),
      payout('paid', 'c1'),
      money('charged_back', 'b'),
    ];
    const model = play({}, ...lost, ask, money('paid', 'e2', undefined, 1));
    expect(model.status).toBe('completed');
    expect(sums(model)).toEqual([200, 0, 100, 0, 0, 100, 0]);
    expect([outstanding(model), surplus(model)]).toEqual([0n, 0n]);
  });

  test('of money that went back before its report follow the reports', () => {
    const early = money('charged_back', 'b1', 60n);
    expect(sums(play({}, ...approved, early))).toEqual([60, 0, 0, 0, 0, 60, 0]);
    const told = money('paid', 'e1', 60n);
    expect(sums(play({}, ...approved, early, told))).toEqual([60, 0, 0, 0, 0, 60, 0]);
    expect(sums(play({}, ...approved, told, early))).toEqual([60, 0, 0, 0, 0, 60, 0]);
  });
});

describe('in the model', () => {
  const done = [...approved, money('paid', 'e1'), payout('paid', 'c1')];

  test('a payout that comes back is held for the freelancer, and its fee stays', () => {
    const model = play({ contractorFee: 20n }, ...done, payout('failed', 'c1'));
    expect([model.status, model.stages[0]?.status]).toEqual(['completed', 'paid']);
    expect(model.payouts.map(({ status }) => status)).toEqual(['returned']);
    expect(sums(model)).toEqual([100, 80, 0, 0, 20, 0, 0]);
    expect(surplus(model)).toBe(0n);
    const again = play(
      { contractorFee: 20n },
      ...[...done, payout('returned', 'c1'), retry, payout('paid', 'c2')],
    );
    expect(sums(again)).toEqual([100, 0, 80, 0, 20, 0, 0]);
  });

  test('what is of another attempt is no return', () => {
    const start = [...approved, money('paid', 'e1'), payout('failed', 'c1'), retry];
    const model = play({}, ...start, payout('paid', 'c2'), payout('returned', 'c1'));
    expect(model.payouts[0]?.status).toBe('paid');
    const late = play({}, ...start, payout('paid', 'c1'), payout('returned', 'c1'));
    expect(late.payouts[0]?.status).toBe('returned');
  });

  test('a refund that fails comes back, before and after its report', () => {
    const start = [...approved, money('paid', 'e1'), cancel];
    const went = money('refunded', 'r1');
    const failed = money('refund_failed', 'r1', 100n);
    const said = { payment: 0, status: 'refund_failed', reference: 'r1', fails: 100n };
    const unsent: Wish = { ...failed, report: said };
    for (const both of [
      [went, failed],
      // the refund to come never went, or one had gone that nobody has told of
      [unsent, went],
      [failed, went],
    ]) {
      const model = play({}, ...start, ...both);
      expect(sums(model)).toEqual([100, 100, 0, 0, 0, 0, 0]);
      expect(model.incoming[0]?.status).toBe('paid');
    }
  });

  test('fees never exceed those of the deal, after any late payment (6.7 k)', () => {
    const late = play(
      { budgets: [50n, 50n], contractorFee: 10n },
      ...[...approved, money('paid', 'e1'), dispute, resolve(51n)],
      ...[payout('paid', 'c1', 1), payout('paid', 'c2', 2), payout('paid', 'c3', 3)],
    );
    expect(figures(late).fees).toBe(10n);
    const bare = play({ contractorFee: 100n }, ...approved, money('paid', 'e1'));
    expect([bare.payouts.length, bare.status, figures(bare).fees]).toEqual([0, 'completed', 100n]);
  });

  test('nothing agreed removes the freelancer, and declining gives back', () => {
    const nothing = play({}, accept, deliver, dispute, resolve(0n));
    expect([nothing.status, nothing.freelancer]).toEqual(['cancelled', 'removed']);
    const declined = play(
      { mode: 'prepaid' },
      ...[accept, money('paid', 'e1'), { name: 'decline', actor: 'freelancer' }],
    );
    expect([declined.status, declined.freelancer]).toEqual(['cancelled', 'declined']);
    expect(surplus(declined)).toBe(100n);
  });

  test('a refusal says why', () => {
    const { answers } = play({}, accept, retry, ask, resolve(1n));
    expect(answers.slice(1)).toEqual([
      { kind: 'refused', reasons: ['nothing_to_retry'] },
      { kind: 'refused', reasons: ['nothing_outstanding'] },
      { kind: 'illegal' },
    ]);
  });

  test('a request on a completed deal is made for what went back, and ends by the clock', () => {
    const model = play({}, ...done, money('charged_back', 'b1', 30n), ask);
    expect(model.incoming.map(({ asked, status }) => [asked, status])).toEqual([
      [100n, 'charged_back'],
      [30n, 'requested'],
    ]);
    give(model, { name: 'expire-payment', actor: 'clock' }, dayOne + 14 * day);
    expect(model.incoming[1]?.status).toBe('expired');
  });
});
