import { fromMinorUnits } from 'dealwright';
import { balanceOf } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { begun, dueIntent } from '../../src/domain/life/executions.js';
import { atOnce } from '../../src/domain/values/timestamp.js';
import { asked, due, hour, idOf, minute, payable, postponed, take } from './intents-kit.js';
import { Play } from './play.js';
import { dayOne, instant } from './states.js';

describe('an intent', () => {
  test('is due at its time, while it is pending, and under its own id', () => {
    const play = asked();
    expect(play.intents).toEqual(['request_payment 1.00 pending', 'request_payment 2.00 pending']);
    const [one, two] = [0, 1].map((place) => idOf(play, place));
    const find = (id = '', now = dayOne) => dueIntent(play.state, id, instant(now))?.id;
    expect([find(one), find(two), find('nobody')]).toEqual([one, two, undefined]);
    // it was never tried: it waits for no time, though the clock goes back
    expect(find(one, dayOne - hour)).toBe(one);
    play.take(postponed(play, idOf(play, 0)));
    expect([find(one), find(one, dayOne + 10_000)]).toEqual([undefined, one]);
    play.ofEmployer('failed', 'e1');
    expect([find(one), find(two)]).toEqual([undefined, two]);
    // it may have been requested
    expect(play.intents).toEqual(['request_payment 1.00 done', 'request_payment 2.00 pending']);
  });

  test('of a deal without a gateway is never due', () => {
    const play = new Play();
    play.approved(101);
    const byHand = play.state.intent.map((each) => ({ ...each, due_at: null }));
    const state = { ...play.state, intent: byHand };
    expect(dueIntent(state, idOf(play, 0), instant(dayOne + 1000 * hour))).toBe(undefined);
  });

  test('is taken over for a time, and counts how often', () => {
    const play = asked();
    const { change, events } = take(play, 1);
    expect(change).toEqual([
      {
        kind: 'intent',
        key: idOf(play, 1),
        set: {
          ...{ attempts: 1, due_at: instant(dayOne + minute) },
          ...{ outcome: 'calling', outcome_at: instant(dayOne) },
        },
      },
    ]);
    expect(events).toEqual([]);
    expect(dueIntent(play.state, idOf(play, 1), instant(dayOne))).toBe(undefined);
    play.now += minute;
    take(play, 1);
    expect(play.state.intent.map(({ attempts }) => attempts)).toEqual([0, 2]);
  });

  test('that has begun is done, except for money that goes out', () => {
    const play = asked();
    play.take(begun(play.state, idOf(play, 1), play.moment));
    expect(play.intents).toEqual(['request_payment 1.00 pending', 'request_payment 2.00 done']);
    expect([due(play, 0), due(play, 1)]).toEqual([atOnce, null]);

    const paying = payable();
    paying.take(begun(paying.state, idOf(paying, 1), paying.moment));
    expect(paying.intents).toEqual(['request_payment 1.00 cancelled', 'pay_out 1.00 pending']);
    expect(due(paying, 1)).toBe(null);

    const back = payable();
    back.give('cancel', 'operator', { reason: 'because' });
    expect(back.intents).toContain('refund 1.00 pending');
    const place = back.intents.indexOf('refund 1.00 pending');
    expect(due(back, place)).toBe(atOnce);
    back.take(begun(back.state, idOf(back, place), back.moment));
    expect(back.intents[place]).toBe('refund 1.00 pending');
    expect(due(back, place)).toBe(null);
  });

  test('that is over meanwhile stays as it is', () => {
    const play = payable();
    for (const id of [idOf(play, 0), 'nobody']) {
      const nothing = { insert: [], change: [], events: [] };
      expect(begun(play.state, id, play.moment)).toEqual(nothing);
      expect(postponed(play, id)).toEqual(nothing);
    }
    const ended = asked();
    ended.give('cancel', 'operator', { reason: 'because' });
    expect(begun(ended.state, idOf(ended, 0), ended.moment).change).toEqual([]);
    expect(ended.intents[0]).toBe('request_payment 1.00 cancelled');
  });

  test('that fails waits longer each time, an hour at most', () => {
    const play = asked();
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 40; attempts += 1) {
      take(play, 1);
      play.take(postponed(play, idOf(play, 1)));
      const at = Date.parse(due(play, 1) ?? '');
      waits.push((at - play.now) / 1000);
      play.now = at;
    }
    expect(waits.slice(0, 10)).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]);
    expect(new Set(waits.slice(9))).toEqual(new Set([3600]));
    // the gateway knows better
    for (const outcome of ['none', 'unknown'] as const) {
      take(play, 1);
      play.take(postponed(play, idOf(play, 1), { outcome, retryAfter: 90 }));
      expect(due(play, 1)).toBe(instant(play.now + 90_000));
      play.now += 90_000;
    }
    expect(due(play, 0)).toBe(atOnce);
  });

  test('is not left when its payment has ended', () => {
    const play = new Play().approved(101);
    take(play, 0);
    play.ofEmployer('processing', 'e1');
    // it has begun, though its call has not ended
    expect(play.intents).toEqual(['request_payment 1.00 done']);
    play.ofEmployer('paid', 'e1');
    expect(play.intents).toEqual(['request_payment 1.00 done', 'pay_out 1.00 pending']);
    expect(due(play, 0)).toBe(null);
    take(play, 1);
    play.ofContractor('processing', 'c1');
    expect(play.intents[1]).toBe('pay_out 1.00 pending');
    play.ofContractor('failed', 'c1');
    expect(play.intents[1]).toBe('pay_out 1.00 done');
    play.give('retry-payout', 'operator');
    expect(play.intents[2]).toBe('pay_out 1.00 pending');
    play.give('dispute', 'partner', { reason: 'because' });
    expect(play.intents).toEqual([
      'request_payment 1.00 done',
      'pay_out 1.00 done',
      'pay_out 1.00 cancelled',
    ]);
    expect(due(play, 2)).toBe(null);
  });

  test('of a refund is done by parts, and only by refunds', () => {
    const play = payable();
    play.give('cancel', 'operator', { reason: 'because' });
    const refund = () => play.state.intent.filter(({ kind }) => kind === 'refund').at(-1);
    expect(refund()).toMatchObject({ amount: '1.00', remaining: '1.00', status: 'pending' });
    play.ofEmployer('refunded', 'r1', 40n);
    // the whole amount was not requested yet
    expect(play.intents).toContain('refund 1.00 cancelled');
    expect(refund()).toMatchObject({ amount: '0.60', remaining: '0.60', status: 'pending' });
    expect(refund()?.due_at).toBe(atOnce);
    play.ofEmployer('refunded', 'r2');
    expect(refund()).toMatchObject({
      amount: '0.60',
      remaining: '0.00',
      // it was not requested: an operator has refunded it by hand
      status: 'cancelled',
      due_at: null,
    });
    expect(play.state.employer_payment).toMatchObject([{ status: 'refunded', reference: 'r2' }]);
  });

  test('of a refund that may be on its way is asked for again as it was', () => {
    const play = payable();
    play.give('cancel', 'operator', { reason: 'because' });
    const place = play.intents.indexOf('refund 1.00 pending');
    take(play, place);
    play.ofEmployer('refunded', 'r1', 40n);
    expect(play.state.intent[place]).toMatchObject({ amount: '1.00', remaining: '0.60' });
  });

  test('of a refund is done if the bank of the employer was quicker, and the rest is lost', () => {
    const play = payable();
    play.give('cancel', 'operator', { reason: 'because' });
    const place = play.intents.indexOf('refund 1.00 pending');
    take(play, place);
    play.ofEmployer('charged_back', 'b1', 30n);
    expect(play.state.intent[place]).toMatchObject({ amount: '1.00', status: 'pending' });
    play.ofEmployer('refunded', 'r1', 100n);
    expect(play.state.intent[place]).toMatchObject({ remaining: '0.00', status: 'done' });
    const { held, refunded, charged_back, loss } = balanceOf(play.state.posting);
    expect([held, refunded, charged_back, loss]).toEqual([0n, 100n, 30n, 30n]);
    // nor more than has arrived
    expect(() => play.ofEmployer('refunded', 'r2', 1n)).toThrow();
    expect(() => play.ofEmployer('charged_back', 'b2', 71n)).toThrow();
  });

  test('of a request is not lessened by a refund that comes before the payment', () => {
    const play = new Play().approved(101);
    play.ofEmployer('refunded', 'r1', 40n);
    expect(play.state.intent[0]).toMatchObject({ remaining: '1.00', status: 'cancelled' });
    expect(play.state.employer_payment).toMatchObject([{ status: 'refunded', amount: '0.40' }]);
  });

  test('of a refund takes what is left of its own payment', () => {
    const play = new Play().approved();
    const came = (amount: bigint, reference: string, payment_id?: string) =>
      play.give('record-employer-payment', 'payments', {
        report: {
          ...{ status: 'paid', amount: fromMinorUnits(amount), reference },
          ...(payment_id !== undefined && { payment_id }),
        },
      });
    came(100n, 'e1');
    came(50n, 'e2');
    play.give('cancel', 'operator', { reason: 'because' });
    play.give('refund-surplus', 'operator');
    expect(play.intents).toEqual(['refund 1.00 pending', 'refund 0.50 pending']);
    came(30n, 'e3', play.state.employer_payment[0]?.id);
    play.give('refund-surplus', 'operator');
    expect(play.intents).toEqual([
      'refund 1.00 pending',
      'refund 0.50 pending',
      'refund 0.30 pending',
    ]);
    play.ofEmployer('refunded', 'r1', 110n);
    expect(play.state.intent.map(({ remaining }) => remaining)).toEqual([
      '0.00',
      '0.50',
      '0.20',
      '0.20',
    ]);
    expect(play.intents.slice(2)).toEqual(['refund 0.30 cancelled', 'refund 0.20 pending']);
    expect(play.state.intent[3]?.payment_id).toBe(play.state.employer_payment[0]?.id);
  });

  test('of a payout that is on its way outlives the deal', () => {
    const play = new Play({ budgets: [100n, 100n] }).approved(101, 102);
    play.ofEmployer('paid', 'e1', 500n);
    play.give('dispute', 'partner', { reason: 'because' });
    play.give('resolve', 'operator', { agreed_amount: fromMinorUnits(200n) });
    const sent = play.intents.lastIndexOf('pay_out 1.00 pending');
    take(play, sent);
    play.ofContractor('paid', 'c0', 2);
    play.ofContractor('paid', 'c1', 1);
    expect(play.state.deal.status).toBe('completed');
    expect(play.intents.slice(sent)).toEqual(['pay_out 1.00 pending', 'refund 2.00 pending']);
    // a cancelled refund takes nothing from later ones
    play.ofEmployer('charged_back', 'b1', 150n);
    expect(play.intents.slice(sent + 1)).toEqual(['refund 2.00 cancelled', 'refund 0.50 pending']);
    play.ofEmployer('paid', 'e2', 300n);
    play.give('refund-surplus', 'operator');
    play.ofEmployer('failed', 'e3');
    expect(play.intents.slice(sent)).toEqual([
      'pay_out 1.00 pending',
      'refund 2.00 cancelled',
      'refund 0.50 pending',
      'refund 3.00 pending',
    ]);
  });

  test('of a refund outlives a report that may be of another one', () => {
    const play = new Play();
    play.give('cancel', 'operator', { reason: 'because' });
    const came = (reference: string, payment_id?: string) =>
      play.give('record-employer-payment', 'payments', {
        report: {
          ...{ status: 'paid', amount: fromMinorUnits(50n), reference },
          ...(payment_id !== undefined && { payment_id }),
        },
      });
    came('e1');
    play.give('refund-surplus', 'operator');
    came('e2', play.state.employer_payment[0]?.id);
    play.give('refund-surplus', 'operator');
    // the gateway could not do the first; the process ends before it notes the second
    take(play, 0);
    play.take(postponed(play, idOf(play, 0)));
    take(play, 1);
    play.ofEmployer('refunded', 'b1', 50n);
    expect(play.state.intent.map(({ remaining }) => remaining)).toEqual(['0.00', '0.50']);
    expect(play.intents).toEqual(['refund 0.50 pending', 'refund 0.50 pending']);
    // both are requested again: one of them was made, and has its effect once
    for (const place of [1, 0]) {
      play.now += hour;
      take(play, place);
      play.take(begun(play.state, idOf(play, place), play.moment));
    }
    expect(play.intents).toEqual(['refund 0.50 done', 'refund 0.50 pending']);
    play.ofEmployer('refunded', 'b2', 50n);
    expect(play.intents).toEqual(['refund 0.50 done', 'refund 0.50 done']);
  });

  test('of a refund is cancelled with a charge-back, unless it may be on its way', () => {
    for (const outcome of [undefined, 'none', 'unknown'] as const) {
      const play = payable();
      play.give('cancel', 'operator', { reason: 'because' });
      const place = play.intents.indexOf('refund 1.00 pending');
      if (outcome !== undefined) {
        take(play, place);
        play.take(postponed(play, idOf(play, place), { outcome }));
      }
      play.ofEmployer('charged_back', 'b1');
      const isDoubtful = outcome === 'unknown';
      expect(play.intents[place]).toBe(`refund 1.00 ${isDoubtful ? 'pending' : 'cancelled'}`);
      // nor is it asked for again: its payment has nothing left
      expect(due(play, place)).toBe(null);
    }
  });
});
