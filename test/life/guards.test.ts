import { type Money, parseMoney } from 'dealwright';
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
  expect(commandsOf(lifecycle, 'clock')).toEqual([
    ...['tell-expiry', 'expire', 'tell-review-end', 'approve'],
    ...['expire-proposal', 'tell-overdue', 'expire-payment'],
  ]);
});

test('a deal of nothing or less has no fees, and a fee has at most 18 digits before the point', () => {
  const plan = (amount: string, employer_fee: string, contractor_fee: string) => {
    const terms = {
      ...{ partner_id: 'D-1', email_freelancer: 'ann@example.com', subcategory_id: 1 },
      ...{ amount: parseMoney(amount) as Money, currency: 'PLN' },
    };
    return planFees(() => ({ employer_fee, contractor_fee }), terms).isOk();
  };
  expect(plan('-0.01', '0', '0')).toBe(true);
  expect(plan('-0.01', '0.01', '0')).toBe(false);
  expect([plan('0', '0', '-0'), plan('0', '.01', '0'), plan('0', '0', '.01')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([plan('.09', '.01', '.09'), plan('.09', '.01', '.10')]).toEqual([true, false]);
  expect([plan('.09', '-.01', '0'), plan('.09', '0', '-.01')]).toEqual([false, false]);
  const most = '999999999999999999.99';
  expect([plan('1', most, '0'), plan('1', '1000000000000000000', '0')]).toEqual([true, false]);
});
