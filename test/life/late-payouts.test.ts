import { fromMinorUnits } from 'dealwright';
import { balanceOf } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { Play } from './play.js';

describe('a payout that is paid after it was cancelled', () => {
  test('takes what is held, even if it was promised to another', () => {
    const play = new Play({ budgets: [50n, 50n] }).approved(101, 102);
    play.ofEmployer('paid', 'e1', 100n);
    play.give('dispute', 'partner', { reason: 'because' });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(100n) });
    const statuses = () => play.state.contractor_payment.map(({ status }) => status);
    expect(statuses()).toEqual(['cancelled', 'cancelled', 'scheduled', 'scheduled']);
    play.ofContractor('paid', 'c2', 2);
    play.ofContractor('paid', 'c0', 0);
    expect(statuses()).toEqual(['paid', 'cancelled', 'paid', 'cancelled']);
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, released: 100n, loss: 0n });
  });

  test('makes a later one for its stage needless', () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('dispute', 'partner', { reason: 'because' });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(100n) });
    play.ofContractor('paid', 'c0', 0);
    expect(play.state.contractor_payment.map(({ status }) => status)).toEqual([
      'paid',
      'cancelled',
    ]);
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, released: 100n, loss: 0n });
    expect(play.state.deal.status).toBe('completed');
  });

  test('leaves the money of a later one that may be on its way', () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('dispute', 'partner', { reason: 'because' });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(100n) });
    play.ofContractor('processing', 'c1', 1);
    play.ofContractor('paid', 'c0', 0);
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 100n, released: 100n, loss: 100n });
    play.ofContractor('paid', 'c1', 1);
    expect(balanceOf(play.state.posting)).toMatchObject({ held: 0n, released: 200n, loss: 100n });
  });
});
