import { fromMinorUnits } from 'dealwright';
import { type Command, commandsOf, guards, type Lifecycle, lifecycle } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { overdueRequests, reviewEnd } from '../../src/domain/life/deadlines.js';
import { shownStages } from '../../src/domain/life/details.js';
import { planFees } from '../../src/domain/payments/fees.js';
import { Play } from './play.js';
import { day, dayOne, instant, token } from './states.js';

const reason = 'because';

describe('an event', () => {
  test('says why, and what was said', () => {
    const play = new Play();
    const [invited] = play.give('invite', 'partner', { message: 'Hello' }).events;
    expect(invited).toEqual({
      type: 'deal.invited',
      data: {
        partner_id: 'D-1',
        status: 'created',
        freelancer_status: 'invited',
        message: 'Hello',
      },
    });
    const [cancelled] = play.give('cancel', 'operator', { reason }).events;
    expect(cancelled?.data).toEqual({
      ...{ partner_id: 'D-1', status: 'cancelled', freelancer_status: 'removed' },
      reason,
      // no member says what did not happen
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
          ...{ status: 'paid', reference: 'e1' },
        },
      },
      {
        type: 'contractor_payment.scheduled',
        data: {
          ...{ partner_id: 'D-1', payment_id: payout?.id, amount: '2.00', currency: 'PLN' },
          ...{ status: 'scheduled', reference: null, stage_ids: [102] },
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
    expect(new Play().try('cancel', 'operator', { reason: token }).isOk()).toBe(true);
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
});

test('each movement is posted under its kind', () => {
  const play = new Play({ contractorFee: 20n }).approved(101);
  play.ofEmployer('paid', 'e1');
  play.ofContractor('paid', 'c1');
  play.ofEmployer('refunded', 'r1', 30n);
  play.ofEmployer('charged_back', 'b1', 10n);
  const told = play.state.posting.map((each) =>
    [each.kind, each.from_account, each.to_account, each.amount].join(' '),
  );
  expect(told).toEqual([
    'payment employer held 1.00',
    'payout held contractor 0.80',
    'fee held fees 0.20',
    'refund loss employer 0.30',
    'charge_back loss employer 0.10',
  ]);
});

describe('the clock', () => {
  test('goes by the earliest time', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101);
    play.now += 8 * day;
    play.delivered(102);
    // the request of day one ends before the review of this stage
    expect(play.state.deal.due_at).toBe(instant(dayOne + 14 * day));
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
  });

  test('has nothing to do with a row that is never due', () => {
    const row = { command: 'ring', by: ['clock'], from: ['created'], to: 'created' } as const;
    const rows: Lifecycle = [...lifecycle, row];
    const play = new Play({}, rows);
    play.give('invite', 'partner');
    expect(play.state.deal.due_at).toBe(null);
  });
});

describe('a guard', () => {
  const command = { name: 'x', actor: 'operator' } as const;
  const judged = ({ state }: Play, now = dayOne) => ({ state, command, now: instant(now) });

  test('sees work of one stage', () => {
    const play = new Play({ budgets: [100n, 100n] });
    expect(guards.noWorkDelivered.holds(judged(play))).toBe(true);
    play.give('accept', 'freelancer');
    play.delivered(102);
    expect(guards.noWorkDelivered.holds(judged(play))).toBe(false);
    play.give('request-changes', 'partner', { reason });
    expect(guards.noWorkDelivered.holds(judged(play))).toBe(true);
  });

  test('of a stage does not hold without one', () => {
    const play = new Play().approved(101);
    expect(guards.hasFiles.holds(judged(play))).toBe(false);
    expect(guards.reviewIsOver.holds(judged(play))).toBe(false);
  });

  test('lets the clock approve each stage at its own time', () => {
    const play = new Play({ budgets: [100n, 100n, 100n] });
    play.give('accept', 'freelancer');
    play.delivered(101);
    play.now += day;
    play.delivered(102);
    const holds = (place: number, now: number) => {
      const stage = play.state.stage[place];
      return guards.reviewIsOver.holds({ ...judged(play, now), ...(stage && { stage }) });
    };
    expect([6.9, 7, 8].map((days) => holds(0, dayOne + days * day))).toEqual([false, true, true]);
    expect([holds(1, dayOne + 7 * day), holds(2, dayOne + 99 * day)]).toEqual([false, false]);
    play.now = dayOne + 7 * day;
    play.give('approve', 'clock');
    expect(play.state.stage.map(({ status }) => status)).toEqual([
      'approved',
      'submitted',
      'pending',
    ]);
  });
});

test('the commands of an actor are its own', () => {
  expect(commandsOf(lifecycle, 'freelancer')).toEqual(['accept', 'decline', 'deliver', 'dispute']);
  expect(commandsOf(lifecycle, 'clock')).toEqual(['expire', 'approve', 'expire-payment']);
});

test('a deal of less than nothing has no fees, and needs none', () => {
  const terms = (amount: bigint) => ({
    ...{ partner_id: 'D-1', email_freelancer: 'ann@example.com', subcategory_id: 1 },
    ...{ amount: fromMinorUnits(amount), currency: 'PLN' },
  });
  const plan = (amount: bigint, employer: bigint, contractor: bigint) =>
    planFees(
      () => ({
        employer_fee: fromMinorUnits(employer),
        contractor_fee: fromMinorUnits(contractor),
      }),
      terms(amount),
    ).isOk();
  expect(plan(-1n, 0n, 0n)).toBe(true);
  expect([plan(0n, 0n, 0n), plan(0n, 1n, 0n), plan(0n, 0n, 1n)]).toEqual([true, false, false]);
  expect([plan(9n, 1n, 9n), plan(9n, 1n, 10n), plan(9n, -1n, 0n), plan(9n, 0n, -1n)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
