import { fromMinorUnits } from 'dealwright';
import { type Command, type Lifecycle, lifecycle } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { overdueRequests, reviewEnd } from '../../src/domain/life/deadlines.js';
import { shownStages } from '../../src/domain/life/details.js';
import { Play } from './play.js';
import { day, dayOne, instant, token } from './states.js';

const reason = 'because';

describe('an event', () => {
  test('says why, and what was said', () => {
    const play = new Play();
    const [invited] = play.give('invite', 'partner', { message: 'Hello' }).events;
    expect(invited).toStrictEqual({
      type: 'deal.invited',
      data: {
        partner_id: 'D-1',
        status: 'created',
        freelancer_status: 'invited',
        message: 'Hello',
      },
    });
    const [cancelled] = play.give('cancel', 'operator', { reason }).events;
    expect(cancelled?.data).toStrictEqual({
      ...{ partner_id: 'D-1', status: 'cancelled', freelancer_status: 'removed' },
      reason,
      // events have no members for things that did not happen
    });
  });

  test('of an acceptance does not repeat what the delivery says', () => {
    const play = new Play({ version: '2.0' });
    play.upload(101);
    const { events } = play.give('deliver', 'freelancer', { message: 'Done' });
    expect(events.map(({ type, data }) => [type, data['message'], data['stage_ids']])).toEqual([
      ['deal.accepted', undefined, undefined],
      ['deal.delivered', 'Done', [101]],
    ]);
  });

  test('of a resolution says what was agreed, and which stages moved', () => {
    const play = new Play({ budgets: [100n, 100n, 100n] }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('dispute', 'partner', { reason });
    const { events } = play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(150n) });
    expect(events.find(({ type }) => type === 'deal.dispute_resolved')?.data).toMatchObject({
      ...{ agreed_amount: '1.50', stage_ids: [102, 103] },
    });
  });

  test('tells that a resolution has completed the deal', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101);
    play.ofEmployer('paid', 'e1');
    play.ofContractor('paid', 'c1');
    play.give('dispute', 'partner', { reason });
    const { events } = play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(0n) });
    const completed = events.filter(({ type }) => type === 'deal.completed');
    expect(completed.map(({ data }) => data['stage_ids'])).toEqual([[]]);
  });

  test('of a payout says of which stage it is, and of a request it does not', () => {
    const play = new Play({ budgets: [100n, 200n] }).approved(102);
    const { events } = play.ofEmployer('paid', 'e1');
    const [payment, payout] = [play.state.employer_payment[0], play.state.contractor_payment[0]];
    expect(events).toEqual([
      {
        type: 'employer_payment.paid',
        data: {
          ...{ partner_id: 'D-1', payment_id: payment?.id, amount: '2.00', currency: 'PLN' },
          ...{ status: 'paid', payment_status: 'paid', reference: 'e1' },
        },
      },
      {
        type: 'contractor_payment.scheduled',
        data: {
          ...{ partner_id: 'D-1', payment_id: payout?.id, amount: '2.00', currency: 'PLN' },
          ...{ status: 'scheduled', payment_status: 'scheduled', attempt: 1 },
          ...{ reference: null, stage_ids: [102] },
        },
      },
    ]);
    const paid = play.ofContractor('paid', 'c1').events;
    expect(paid.map(({ type, data }) => [type, data['stage_ids']])).toEqual([
      ['contractor_payment.paid', [102]],
      ['deal.stage_paid', [102]],
    ]);
  });

  test('never holds the payment token', () => {
    const play = new Play({ version: '2.0' });
    for (const member of ['reason', 'message']) {
      const refused = play.try('cancel', 'operator', { reason, [member]: `a ${token} b` });
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        errors: [{ path: [member], code: 'secret_in_text' }],
      });
    }
    const both = play.try('cancel', 'operator', { reason: token, message: token });
    expect(both._unsafeUnwrapErr()).toMatchObject({ errors: [{}, {}] });
    // a deal of version 1.0 has no token
    for (const text of [token, 'null']) {
      expect(new Play().try('cancel', 'operator', { reason: text }).isOk()).toBe(true);
    }
  });
});

describe('a stage', () => {
  test('that there is not is named', () => {
    const play = new Play().approved();
    const refused = play.try('deliver', 'freelancer', { stage_id: 7 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['stage_id'], code: 'unknown_stage' }],
    });
  });

  test('waits for an answer only while it is submitted', () => {
    const play = new Play();
    play.give('accept', 'freelancer');
    play.delivered(101);
    const [stage] = play.state.stage;
    expect(stage?.submitted_at).toBe(instant(dayOne));
    if (stage === undefined) return;
    expect(reviewEnd(stage)).toBe(instant(dayOne + 7 * day));
    expect(reviewEnd({ ...stage, status: 'approved' })).toBe(null);
    expect(reviewEnd({ ...stage, submitted_at: null })).toBe(null);
    play.give('request-changes', 'partner', { reason });
    expect(play.state.stage[0]?.submitted_at).toBe(null);
  });

  test('shows its own files', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101, 102);
    const files = shownStages(play.state).map(({ work_files }) => work_files.map(({ id }) => id));
    expect(files).toEqual(play.state.work_file.map(({ id }) => [id]));
  });
});

test('a report that lacks something says what', () => {
  const play = new Play().approved(101);
  const refusal = (side: string, report: object) =>
    play
      .try(`record-${side}-payment`, 'payments', { report: report as Command['report'] & object })
      ._unsafeUnwrapErr();
  for (const [side, report, path, code] of [
    ['employer', { status: 'failed', reference: 'x' }, 'payment_id', 'required'],
    ['employer', { status: 'paid', reference: 'x' }, 'amount', 'required'],
    [
      'employer',
      { status: 'paid', reference: 'x', payment_id: 'y' },
      'payment_id',
      'unknown_payment',
    ],
    ['contractor', { status: 'paid', reference: 'x' }, 'payment_id', 'required'],
    [
      'contractor',
      { status: 'paid', reference: 'x', payment_id: 'y' },
      'payment_id',
      'unknown_payment',
    ],
  ] as const) {
    expect(refusal(side, report)).toMatchObject({ errors: [{ path: [path], code }] });
  }
  const retried = play.try('retry-payout', 'operator', { payment_id: 'y' })._unsafeUnwrapErr();
  expect(retried).toMatchObject({ errors: [{ path: ['payment_id'], code: 'unknown_payment' }] });
  play.ofEmployer('paid', 'e1');
  play.ofContractor('paid', 'x');
  // the report is recorded already, and still does not name its payout
  expect(refusal('contractor', { status: 'paid', reference: 'x' })).toMatchObject({
    errors: [{ path: ['payment_id'], code: 'required' }],
  });
});

test('each movement is posted under its kind', () => {
  const play = new Play({ contractorFee: 20n }).approved(101);
  play.ofEmployer('paid', 'e1');
  play.ofContractor('paid', 'c1');
  play.ofEmployer('refunded', 'r1', 30n);
  play.ofEmployer('charged_back', 'b1', 10n);
  expect(play.posted).toEqual([
    'payment employer held 1.00',
    'payout held contractor 0.80',
    'fee held fees 0.20',
    'refund loss employer 0.30',
    'charge_back loss employer 0.10',
  ]);
});

test('a fee that is all of a stage, and what makes up for a loss, are posted too', () => {
  const free = new Play({ contractorFee: 100n }).approved(101);
  free.ofEmployer('paid', 'e1');
  expect(free.posted).toEqual(['payment employer held 1.00', 'fee held fees 1.00']);
  const late = new Play().approved(101);
  late.ofEmployer('paid', 'e1');
  late.give('dispute', 'partner', { reason });
  late.ofEmployer('refunded', 'r1');
  late.ofContractor('paid', 'c1');
  expect(late.posted.at(-1)).toBe('payout loss contractor 1.00');
  const lost = new Play().approved(101);
  lost.ofEmployer('paid', 'e1');
  lost.ofContractor('processing', 'c1');
  lost.ofEmployer('charged_back', 'b1');
  lost.ofContractor('failed', 'c2');
  lost.give('cancel', 'operator', { reason });
  expect(lost.posted).toEqual([
    'payment employer held 1.00',
    'charge_back loss employer 1.00',
    'recovery held loss 1.00',
  ]);
  expect(lost.state.posting[2]?.payment_id).toBe(lost.state.employer_payment[0]?.id);
});

describe('the clock', () => {
  test('goes by the earliest time', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101);
    play.now += 8 * day;
    play.delivered(102);
    // it tells of the review of this stage before the request of day one ends
    expect(play.state.deal.due_at).toBe(instant(dayOne + 13 * day));
    play.now += 5 * day;
    play.give('approve', 'partner');
    const isOver = (after: number) => overdueRequests(play.state, instant(dayOne + after * day));
    expect([13, 14, 26, 27].map((days) => isOver(days).length)).toEqual([0, 1, 1, 2]);
    play.now = dayOne + 14 * day;
    play.give('expire-payment', 'clock');
    expect(play.state.employer_payment.map(({ status }) => status)).toEqual([
      'expired',
      'requested',
    ]);
    expect(play.intents).toEqual([
      'request_payment 1.00 cancelled',
      'request_payment 1.00 pending',
    ]);
  });

  test('has nothing to do with a row that is never due', () => {
    const row = { command: 'ring', by: ['clock'], from: ['created'], to: 'created' } as const;
    const rows: Lifecycle = [...lifecycle, row];
    const play = new Play({}, rows);
    play.give('invite', 'partner');
    expect(play.state.deal.due_at).toBe(null);
  });
});
