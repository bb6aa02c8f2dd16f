import { fromMinorUnits } from 'dealwright';
import { balanceOf, type Command, type DealState } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { billingOf } from '../../../src/domain/payments/billing.js';
import { Play } from '../../life/play.js';

const mostPayments = 200;
const mostReports = 1000;

/** Money of the employer that was not requested. */
function came(play: Play, amount: bigint, reference: string, payment_id?: string) {
  const report = {
    ...{ status: 'paid', amount: fromMinorUnits(amount), reference },
    ...(payment_id !== undefined && { payment_id }),
  } as Command['report'] & object;
  return play.give('record-employer-payment', 'payments', { report });
}

/** A deal with this many payments, each of one cent, and this many reports. */
function crowded(payments: number, reports: number): Play {
  const play = new Play();
  play.give('accept', 'freelancer');
  for (let each = 0; each < payments; each += 1) came(play, 1n, `in-${each}`);
  const [first] = play.state.employer_payment;
  for (let each = payments; each < reports; each += 1) came(play, 1n, `in-${each}`, first?.id);
  return play;
}

describe('a deal with as many payments as it may have', () => {
  test('asks for no other one, and takes money all the same', () => {
    const play = new Play({ budgets: [100_000n] });
    play.give('accept', 'freelancer');
    for (let each = 0; each < mostPayments; each += 1) came(play, 1n, `in-${each}`);
    play.delivered(101);
    play.give('approve', 'partner');
    expect(play.state.employer_payment).toHaveLength(mostPayments);
    const refused = play.try('request-payment', 'partner')._unsafeUnwrapErr();
    expect(refused).toEqual({ code: 'precondition_failed', reason: 'too_many' });
    came(play, 99_800n, 'the-rest');
    expect(play.state.contractor_payment).toMatchObject([{ status: 'scheduled' }]);
  });

  test('has room for one less', () => {
    const play = new Play({ budgets: [100_000n] });
    play.give('accept', 'freelancer');
    for (let each = 0; each < mostPayments - 1; each += 1) came(play, 1n, `in-${each}`);
    play.delivered(101);
    play.give('approve', 'partner');
    expect(play.state.employer_payment.at(-1)).toMatchObject({ status: 'requested' });
  });
});

describe('a deal with as many reports as it may have', () => {
  const full = () => {
    const play = new Play({ budgets: [100_000n] }).approved(101);
    for (let each = 0; each < mostReports; each += 1) came(play, 1n, `in-${each}`);
    return play;
  };
  const reports = (play: Play) => play.state.payment_report.length;

  test('refuses what is no movement of money, and answers what changes nothing', () => {
    const play = full();
    const [request] = play.state.employer_payment;
    const report = { payment_id: request?.id, status: 'failed', reference: 'x' };
    const tell = (given: object) =>
      play.try('record-employer-payment', 'payments', {
        report: given as Command['report'] & object,
      });
    expect(tell(report)._unsafeUnwrapErr()).toEqual({
      ...{ code: 'precondition_failed', reason: 'too_many' },
    });
    const paid = { ...report, payment_id: play.state.employer_payment[1]?.id };
    expect(tell(paid)._unsafeUnwrap()).toEqual({ insert: [], change: [], events: [] });
  });

  test('records all money that moves', () => {
    const play = full();
    play.ofEmployer('paid', 'e1');
    play.ofEmployer('refunded', 'r1', 10n);
    play.ofEmployer('refund_failed', 'r1');
    play.ofEmployer('refunded', 'r2', 5n);
    play.ofEmployer('charged_back', 'b1', 10n);
    play.ofContractor('processing', 'c1');
    play.ofContractor('paid', 'c1');
    play.ofContractor('returned', 'c1');
    expect(reports(play)).toBe(mostReports + 8);
    expect(balanceOf(play.state.posting)).toMatchObject({ refunded: 5n, charged_back: 10n });
    // and reports that change nothing are not kept
    play.ofContractor('processing', 'c2');
    play.ofEmployer('charged_back', 'b2', 89n);
    play.ofEmployer('charge_back_reversed', 'b2', 99n);
    // one that has to wait for its charge-back moves nothing
    expect(() => play.ofEmployer('charge_back_reversed', 'b3', 1n)).toThrow();
    expect(reports(play)).toBe(mostReports + 10);
  });
});

test('what is outstanding has 24 digits, too, so that it can be asked for', () => {
  const most = 10n ** 26n - 1n;
  const play = new Play({ budgets: [10n ** 20n - 1n] }).approved(101);
  play.ofEmployer('paid', 'e1', most);
  const back = play.state.posting.length;
  play.ofEmployer('refunded', 'r1', most);
  expect(play.state.posting).toHaveLength(back + 1);
  const tell = (amount: bigint) =>
    play.try('record-employer-payment', 'payments', {
      report: {
        ...{ payment_id: play.state.employer_payment[0]?.id ?? '', status: 'charged_back' },
        ...{ amount: fromMinorUnits(amount), reference: 'b1' },
      },
    });
  const room = most - (10n ** 20n - 1n);
  expect(tell(room + 1n)._unsafeUnwrapErr()).toMatchObject({ reason: 'amount_out_of_bounds' });
  play.take(tell(room)._unsafeUnwrap());
  expect(billingOf(play.state).outstanding).toBe('999999999999999999999999.99');
});

test('an ended deal of 200 payments and 1,000 reports gives all of it back', () => {
  const play = crowded(mostPayments, mostReports);
  play.give('cancel', 'operator', { reason: 'because' });
  // what may have come twice waits: of the first payment a part
  play.give('refund-surplus', 'operator');
  const refunds = play.state.intent.filter(({ kind }) => kind === 'refund');
  expect(refunds).toHaveLength(mostPayments + 1);
  for (const { id } of play.state.employer_payment) {
    const report = { payment_id: id, status: 'refunded', reference: id } as const;
    play.give('record-employer-payment', 'payments', { report });
  }
  expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, refunded: 1000n, loss: 0n });
});

/** How often a decision about this deal reads rows. */
function lookedInto(state: DealState, decide: (counted: DealState) => void): number {
  let count = 0;
  const counted = (rows: readonly object[]) =>
    rows.map(
      (row) =>
        new Proxy(row, {
          get(target, name) {
            count += 1;
            return Reflect.get(target, name);
          },
        }),
    );
  const kinds = ['employer_payment', 'posting', 'intent', 'payment_report'] as const;
  decide(Object.assign({ ...state }, ...kinds.map((kind) => ({ [kind]: counted(state[kind]) }))));
  return count;
}

test.each([
  ['cancel', (play: Play) => play.give('cancel', 'operator', { reason: 'because' })],
  ['a payment', (play: Play) => came(play, 1n, 'another')],
  [
    'a refund',
    (play: Play) => {
      play.give('cancel', 'operator', { reason: 'because' });
      play.ofEmployer('refunded', 'r1', 1n);
    },
  ],
] as const)('%s costs as much as the deal holds, and no power of it', (_, act) => {
  const costs = [50, 200].map((payments) => {
    const play = crowded(payments, payments * 5);
    return lookedInto(play.state, (state) => {
      play.state = state;
      act(play);
    });
  });
  const [few = 0, many = 0] = costs;
  expect(few).toBeGreaterThan(100);
  expect(many / few).toBeLessThan(5);
});
