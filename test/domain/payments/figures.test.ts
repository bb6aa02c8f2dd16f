import { fromMinorUnits } from 'dealwright';
import { balanceOf, type DealState } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { dealDetails } from '../../../src/domain/life/details.js';
import { claim } from '../../../src/domain/life/executions.js';
import { billingOf } from '../../../src/domain/payments/billing.js';
import { Play } from '../../life/play.js';

const reason = 'because';
const isBalanced = ({ posting }: DealState) => {
  const { paid, loss, held, released, refunded, fees, charged_back } = balanceOf(posting);
  return paid + loss === held + released + refunded + fees + charged_back && held >= 0n;
};

describe('every figure is whole, in any order of reports', () => {
  const toPayout = () => {
    const play = new Play({ contractorFee: 10n }).approved(101);
    play.ofEmployer('paid', 'e1');
    return play;
  };
  const whole = { released: 90n, fees: 10n, charged_back: 100n, loss: 100n, held: 0n };

  test('a charge-back after the payout, and before it', () => {
    const after = toPayout();
    after.ofContractor('paid', 'c1');
    after.ofEmployer('charged_back', 'b1');
    expect(balanceOf(after.state.posting)).toMatchObject(whole);
    const before = toPayout();
    before.ofEmployer('charged_back', 'b1');
    before.ofContractor('paid', 'c1');
    expect(balanceOf(before.state.posting)).toMatchObject(whole);
    expect([before, after].map(({ state }) => isBalanced(state))).toEqual([true, true]);
  });

  test('what comes later makes up the loss first, and only the rest goes back', () => {
    const play = toPayout();
    play.ofContractor('paid', 'c1');
    play.ofEmployer('charged_back', 'b1');
    expect(billingOf(play.state)).toMatchObject({ outstanding: '1.00', loss: '1.00' });
    play.give('request-payment', 'partner');
    play.ofEmployer('paid', 'e2', 130n, 1);
    expect(balanceOf(play.state.posting)).toMatchObject({ loss: 0n, held: 30n });
    expect(play.intents.at(-1)).toBe('refund 0.30 pending');
    expect(billingOf(play.state).outstanding).toBe('0.00');
  });
});

describe('two orders of the same reports', () => {
  type Step = (play: Play) => unknown;
  const figuresOf = (...steps: readonly Step[]) => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    for (const step of steps) step(play);
    return balanceOf(play.state.posting);
  };
  const both = (one: Step, other: Step) => [figuresOf(one, other), figuresOf(other, one)];

  test('a refund, and a charge-back that says no amount: it is of what is left (10.4)', () => {
    const orders = both(
      (play) => play.ofEmployer('refunded', 'r1', 30n),
      (play) => play.ofEmployer('charged_back', 'b1'),
    );
    const left = { refunded: 30n, charged_back: 70n, loss: 0n, held: 0n };
    const whole = { refunded: 30n, charged_back: 100n, loss: 30n, held: 0n };
    expect(orders).toMatchObject([left, whole]);
  });

  test('a charge-back, and a refund that says no amount: it is of what is left (10.4)', () => {
    const orders = both(
      (play) => play.ofEmployer('charged_back', 'b1', 30n),
      (play) => play.ofEmployer('refunded', 'r1'),
    );
    const left = { refunded: 70n, charged_back: 30n, loss: 0n, held: 0n };
    const whole = { refunded: 100n, charged_back: 30n, loss: 30n, held: 0n };
    expect(orders).toMatchObject([left, whole]);
  });

  test('a refund, and that a part of it has failed', () => {
    const orders = both(
      (play) => play.ofEmployer('refunded', 'r1', 30n),
      (play) => play.ofEmployer('refund_failed', 'r1', 10n),
    );
    const part = { refunded: 20n, held: 80n };
    expect(orders).toMatchObject([part, part]);
  });
});

describe('postings of an earlier version', () => {
  const base = { partner_id: 'D-1', at: '2026-01-01T00:00:00.000Z' };
  const posting = (...[kind, payment_id, from_account, to_account, amount]: string[]) =>
    ({
      ...base,
      id: `${kind} ${amount}`,
      kind,
      payment_id,
      from_account,
      to_account,
      amount,
    }) as DealState['posting'][number];

  test('are summed up to whole figures', () => {
    // amounts above the held money came from `loss`, and a charge-back moved a surplus there
    const { paid, released, refunded, charged_back, loss, held } = balanceOf([
      posting('payment', 'e', 'employer', 'held', '100.00'),
      posting('charge_back', 'e', 'held', 'employer', '60.00'),
      posting('charge_back', 'e', 'loss', 'employer', '10.00'),
      posting('payout', 'c', 'held', 'contractor', '30.00'),
      posting('payout', 'c', 'loss', 'contractor', '70.00'),
      posting('charge_back', 'e', 'held', 'loss', '10.00'),
    ]);
    expect([paid, released, refunded, charged_back, loss, held]).toEqual([
      10000n,
      10000n,
      0n,
      7000n,
      7000n,
      0n,
    ]);
  });

  test('that held money beside a loss are put right by the next decision', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101);
    const state = {
      ...play.state,
      posting: [
        posting('payment', 'e', 'employer', 'held', '1.00'),
        posting('payout', 'c', 'loss', 'contractor', '1.00'),
      ],
    };
    expect(balanceOf(state.posting)).toMatchObject({ held: 100n, loss: 100n, released: 100n });
    play.state = state;
    play.give('dispute', 'partner', { reason });
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, loss: 0n, released: 100n });
    expect(play.posted.at(-1)).toBe('recovery held loss 1.00');
  });
});

describe('a payout that comes back after it was paid', () => {
  const paid = () => {
    const play = new Play({ contractorFee: 10n }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.ofContractor('paid', 'c1');
    return play;
  };
  const isPayable = (play: Play) => play.try('retry-payout', 'operator').isOk();

  test.each(['failed', 'returned'])('is returned, and sent again (%s)', (status) => {
    const play = paid();
    expect(play.try('retry-payout', 'operator')._unsafeUnwrapErr()).toMatchObject({
      reason: 'nothing_to_retry',
    });
    const { events } = play.ofContractor(status, 'c1');
    expect(events.map(({ type }) => type)).toEqual(['contractor_payment.returned']);
    expect(play.state.deal).toMatchObject({ status: 'completed', attention: 'true' });
    expect(play.state.stage).toMatchObject([{ status: 'paid' }]);
    expect(dealDetails(play.state).attention).toEqual(['payout_returned']);
    expect(play.posted.at(-1)).toBe('return contractor held 0.90');
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 90n, released: 0n, fees: 10n });
    play.give('retry-payout', 'operator');
    expect(play.state.deal.attention).toBe(null);
    play.ofContractor('paid', 'c2');
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, released: 90n, fees: 10n });
    expect(play.intents.some((each) => each.startsWith('refund'))).toBe(false);
  });

  test('under the name of an earlier attempt is not the one that was paid', () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.ofContractor('failed', 'c1');
    play.give('retry-payout', 'operator');
    play.ofContractor('paid', 'c2');
    const [first] = play.state.intent.filter(({ kind }) => kind === 'pay_out');
    expect(play.ofContractor('returned', 'c1').events).toEqual([]);
    expect(play.ofContractor('failed', first?.id ?? '').events).toEqual([]);
    expect(play.ofContractor('returned', 'c2').events).toHaveLength(1);
  });

  test('waits for a dispute, if it is sent again before that', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.ofContractor('paid', 'c1');
    play.ofContractor('returned', 'c1');
    play.give('retry-payout', 'operator');
    const due = () => play.state.intent.find(({ kind, due_at }) => kind === 'pay_out' && due_at);
    expect(due()).toBeDefined();
    play.give('dispute', 'partner', { reason });
    expect(play.state.contractor_payment).toMatchObject([{ status: 'scheduled' }]);
    expect(due()).toBe(undefined);
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(100n) });
    expect(due()).toBeDefined();
  });

  test('of which a charge-back takes the money is made anew once there is enough', () => {
    const play = paid();
    play.ofContractor('returned', 'c1');
    play.ofEmployer('charged_back', 'b1', 50n);
    expect(play.state.contractor_payment).toMatchObject([{ status: 'cancelled' }]);
    expect(play.state.deal.attention).toBe('true');
    play.give('request-payment', 'operator');
    play.ofEmployer('paid', 'e2', undefined, 1);
    expect(play.state.contractor_payment).toMatchObject([
      {},
      { amount: '0.90', contractor_fee: '0.00', status: 'scheduled' },
    ]);
    expect(play.state.deal.attention).toBe(null);
    play.ofContractor('failed', 'c9', 1);
    expect(isPayable(play)).toBe(true);
  });
});

describe('a refund that fails later', () => {
  const refunded = () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('cancel', 'operator', { reason });
    play.ofEmployer('refunded', 'r1');
    return play;
  };

  test('is held again, and asked for anew by the operator alone', () => {
    const play = refunded();
    expect(play.try('retry-refund', 'operator')._unsafeUnwrapErr()).toMatchObject({
      reason: 'nothing_to_retry',
    });
    const { events } = play.ofEmployer('refund_failed', 'r1');
    expect(events).toMatchObject([
      { type: 'employer_payment.refund_failed', data: { status: 'paid', reference: 'r1' } },
    ]);
    expect(dealDetails(play.state).attention).toEqual(['refund_failed']);
    expect(play.state.deal.attention).toBe('true');
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 100n, refunded: 0n });
    expect(play.intents).not.toContain('refund 1.00 pending');
    play.give('retry-refund', 'operator');
    expect(play.intents.at(-1)).toBe('refund 1.00 pending');
    expect(play.state.deal.attention).toBe(null);
    // a repeat changes nothing
    expect(play.give('retry-refund', 'operator').change).toEqual([]);
    play.ofEmployer('refunded', 'r2');
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, refunded: 100n });
    expect(play.state.employer_payment).toMatchObject([{ status: 'refunded' }]);
  });

  test('before the refund of its reference makes that one move nothing', () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('cancel', 'operator', { reason });
    play.ofEmployer('refund_failed', 'r1');
    expect(dealDetails(play.state).attention).toEqual(['refund_failed']);
    expect(play.ofEmployer('refunded', 'r1').events).toEqual([]);
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 100n, refunded: 0n });
    play.give('retry-refund', 'operator', { payment_id: play.state.employer_payment[0]?.id ?? '' });
    expect(play.intents.at(-1)).toBe('refund 1.00 pending');
  });

  test('in part, before its report, leaves nothing that cannot be freed', () => {
    const play = new Play({ budgets: [30n] }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('cancel', 'operator', { reason });
    const refund = play.state.intent.find(({ kind }) => kind === 'refund');
    if (refund === undefined) throw new Error('no refund is intended');
    play.take(claim(play.state, refund, play.moment, 60_000));
    play.ofEmployer('refund_failed', refund.id, 10n);
    play.ofEmployer('refunded', refund.id);
    expect(balanceOf(play.state.posting)).toMatchObject({ refunded: 20n, held: 10n });
    expect(play.intents.slice(-2)).toEqual(['refund 0.30 done', 'refund 0.10 failed']);
    play.give('retry-refund', 'operator');
    play.ofEmployer('refunded', 'r2');
    expect(balanceOf(play.state.posting)).toMatchObject({ refunded: 30n, held: 0n });
    expect(dealDetails(play.state).attention).toEqual([]);
  });

  test('is asked for anew of a deal that goes on, even if it then goes in parts', () => {
    const play = new Play({ mode: 'prepaid' });
    play.give('accept', 'freelancer');
    play.ofEmployer('paid', 'e1');
    play.ofEmployer('refunded', 'r1');
    play.ofEmployer('refund_failed', 'r1');
    const { events } = play.give('retry-refund', 'operator');
    expect(events).toMatchObject([
      { type: 'employer_payment.refund_retried', data: { status: 'paid' } },
    ]);
    play.ofEmployer('refunded', 'by hand', 30n);
    expect(play.intents.at(-1)).toBe('refund 0.70 pending');
    play.ofEmployer('refunded', 'the rest');
    expect(balanceOf(play.state.posting)).toMatchObject({ refunded: 100n, held: 0n });
  });

  test('cannot be more than went back under its reference', () => {
    const play = refunded();
    expect(() => play.ofEmployer('refund_failed', 'r1', 101n)).toThrow();
    play.ofEmployer('refund_failed', 'r1', 40n);
    expect(play.state.employer_payment).toMatchObject([{ status: 'partially_refunded' }]);
  });

  test('is not for the operator of a dispute to see to', () => {
    const play = new Play({ budgets: [100n] }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.ofEmployer('refunded', 'r1', 10n);
    play.ofEmployer('refund_failed', 'r1');
    play.give('dispute', 'partner', { reason });
    for (const name of ['retry-refund', 'retry-payout']) {
      const refused = play.try(name, 'operator')._unsafeUnwrapErr();
      expect(refused).toMatchObject({ code: 'illegal_transition' });
    }
  });
});

describe('the end of a deal', () => {
  test('by a decline gives back what is held, even if a stage was sent back', () => {
    const play = new Play();
    play.give('accept', 'freelancer');
    play.delivered(101);
    play.give('request-changes', 'partner', { reason });
    const paid = { status: 'paid', amount: fromMinorUnits(100n), reference: 'e1' } as const;
    play.give('record-employer-payment', 'payments', { report: paid });
    play.give('decline', 'freelancer');
    expect(play.state.deal).toMatchObject({ status: 'cancelled', freelancer_status: 'declined' });
    expect(play.intents).toEqual(['refund 1.00 pending']);
  });

  test('keeps of the fee what a payout has taken, and gives the rest back for good', () => {
    const play = new Play({ budgets: [50n, 50n], employerFee: 10n, mode: 'prepaid' });
    play.give('accept', 'freelancer');
    play.ofEmployer('paid', 'e1');
    play.delivered(101);
    play.give('approve', 'partner', { stage_id: 101 });
    play.ofContractor('paid', 'c1');
    play.give('dispute', 'partner', { reason });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(0n) });
    expect(play.state.deal.status).toBe('completed');
    expect(play.intents.at(-1)).toBe('refund 0.55 pending');
    play.ofEmployer('refunded', 'r1');
    expect(billingOf(play.state)).toMatchObject({
      outstanding: '0.00',
      held: '0.00',
      fees: '0.05',
    });
    expect(play.try('request-payment', 'partner')._unsafeUnwrapErr()).toMatchObject({
      reason: 'nothing_outstanding',
    });
  });

  test('by a resolution with nothing leaves the freelancer removed', () => {
    const play = new Play().approved(101);
    play.give('dispute', 'partner', { reason });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(0n) });
    expect(play.state.deal).toMatchObject({ status: 'cancelled', freelancer_status: 'removed' });
  });
});

test('a payout of nothing is not made', () => {
  const play = new Play({ contractorFee: 100n }).approved(101);
  play.ofEmployer('paid', 'e1');
  expect(play.state.contractor_payment).toEqual([]);
  expect(play.posted).toEqual(['payment employer held 1.00', 'fee held fees 1.00']);
  expect(play.state.deal.status).toBe('completed');
});
