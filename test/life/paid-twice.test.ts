import { balanceOf } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { dealDetails } from '../../src/domain/life/details.js';
import { Play } from './play.js';

/** A deal of a stage that was paid out by its second attempt; the first one was told to have failed. */
function paidBySecond(budgets = [100n]): Play {
  const play = new Play({ budgets });
  play.approved(...budgets.map((_, at) => 101 + at));
  play.ofEmployer('paid', 'in', 100n);
  play.ofContractor('failed', 'A');
  play.give('retry-payout', 'operator');
  play.ofContractor('paid', 'B');
  return play;
}

/** As an earlier version stored it: no posting tells its attempt. */
function asBefore(play: Play): Play {
  const posting = play.state.posting.map((each) => ({ ...each, retries: null }));
  play.state = { ...play.state, posting };
  return play;
}

const released = ({ state }: Play) => balanceOf(state.posting).released;
const statusOf = ({ state }: Play) => state.contractor_payment[0]?.status;

/** Decision 10.3. */
describe('what went out twice', () => {
  test('is made up by held money, before a later stage is paid of it', () => {
    const play = paidBySecond([50n, 50n]);
    expect(play.state.contractor_payment.map(({ status }) => status)).toEqual([
      ...['paid', 'scheduled'],
    ]);
    play.ofContractor('paid', 'A');
    const { held, loss } = balanceOf(play.state.posting);
    expect([released(play), held, loss]).toEqual([100n, 0n, 0n]);
    expect(play.state.contractor_payment[1]?.status).toBe('cancelled');
    expect([play.state.deal.alert, dealDetails(play.state).attention]).toEqual([
      ...['paid_twice', ['paid_twice']],
    ]);
    // it comes back, and pays the second stage
    play.ofContractor('returned', 'B');
    expect(play.state.contractor_payment[2]).toMatchObject({ status: 'scheduled', amount: '0.50' });
    expect([play.state.deal.alert, dealDetails(play.state).attention]).toEqual(['payout_late', []]);
  });

  test('comes before other alerts, but for a dispute', () => {
    const play = paidBySecond([50n, 50n]);
    play.ofContractor('paid', 'A');
    play.give('add-bonus', 'partner', { amount: 10n as never });
    expect(play.state.deal.alert).toBe('paid_twice');
  });
});

describe('an attempt that an earlier version has posted', () => {
  test('comes back, as the one that was told to be paid', () => {
    const play = asBefore(paidBySecond());
    play.ofContractor('failed', 'A again');
    play.ofContractor('returned', 'B');
    expect([released(play), statusOf(play)]).toEqual([0n, 'returned']);
  });

  test('is one of two, once the other one arrives', () => {
    const play = asBefore(paidBySecond());
    play.ofContractor('paid', 'A');
    expect([released(play), play.state.deal.alert]).toEqual([200n, 'paid_twice']);
    play.ofContractor('returned', 'B');
    expect([released(play), statusOf(play)]).toEqual([100n, 'paid']);
    play.ofContractor('returned', 'A');
    expect([released(play), statusOf(play)]).toEqual([0n, 'returned']);
  });
});
