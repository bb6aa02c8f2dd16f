import { fromMinorUnits } from 'dealwright';
import { commandsOf, guards, lifecycle } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { planFees } from '../../src/domain/payments/fees.js';
import { Play } from './play.js';
import { day, dayOne, instant } from './states.js';

const reason = 'because';

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

test('a fee has at most 18 digits before the decimal point: one of 19 is a wrong answer', () => {
  const terms = {
    ...{ partner_id: 'D-1', email_freelancer: 'ann@example.com', subcategory_id: 1 },
    ...{ amount: fromMinorUnits(100n), currency: 'PLN' },
  };
  const plan = (employer: bigint) => {
    const employer_fee = fromMinorUnits(employer);
    return planFees(() => ({ employer_fee, contractor_fee: fromMinorUnits(0n) }), terms);
  };
  const most = 10n ** 20n - 1n;
  expect(plan(most)._unsafeUnwrap().employer_fee).toBe(most);
  expect(plan(most + 1n)._unsafeUnwrapErr()).toEqual(
    new Error(
      'fees are zero or more, of at most 18 digits, and those of a contractor at most the amount',
    ),
  );
});
