import { balanceOf } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { begun } from '../../src/domain/life/executions.js';
import { atOnce } from '../../src/domain/values/timestamp.js';
import { due, hour, idOf, minute, payable, postponed, take } from './intents-kit.js';
import { Play } from './play.js';
import { instant } from './states.js';

/** Decision 10.1: what came of a call. */
describe('an intent', () => {
  test('of a payout makes it processing, which is told once it has begun', () => {
    const play = payable();
    const before = play.state.contractor_payment[0]?.updated_at;
    play.now += minute;
    expect(take(play, 1).events).toEqual([]);
    expect(play.state.contractor_payment).toMatchObject([
      { status: 'processing', updated_at: before },
    ]);
    play.now += minute;
    // the process ended: it may have begun
    const again = take(play, 1);
    expect(again.events.map(({ type }) => type)).toEqual(['contractor_payment.processing']);
    expect(play.state.contractor_payment[0]?.updated_at).toBe(instant(play.now));
    expect(play.take(begun(play.state, idOf(play, 1), play.moment)).events).toEqual([]);
  });

  test('of a payout that nothing came of is as if it had never been asked for', () => {
    const play = payable();
    const [payout] = play.state.contractor_payment;
    for (const round of [0, 1]) {
      take(play, 1);
      const { events } = play.take(postponed(play, idOf(play, 1), { outcome: 'none' }));
      expect(events.map(({ type, data }) => [type, data['waits_for']])).toEqual(
        round === 0 ? [['contractor_payment.waiting', 'unavailable']] : [],
      );
      expect(play.state.contractor_payment).toEqual([{ ...payout, reason: 'unavailable' }]);
      play.now += 10 * minute;
    }
    const refused = (reason: 'window' | 'payee_missing') =>
      ({ refused: { reason, retry: 'later' } }) as const;
    for (const [reason, told] of [
      ['payee_missing', 'payee_missing'],
      // nobody else can do anything about it
      ['window', 'other'],
    ] as const) {
      take(play, 1);
      const { events } = play.take(postponed(play, idOf(play, 1), refused(reason)));
      expect(events.map(({ data }) => data['waits_for'])).toEqual([told]);
      expect(play.state.contractor_payment[0]?.reason).toBe(reason);
      play.now += hour;
    }
    play.give('dispute', 'partner', { reason: 'because' });
    expect(play.intents[1]).toBe('pay_out 1.00 cancelled');
  });

  test('that may have happened stays so until an answer, a refusal or a report', () => {
    const play = payable();
    take(play, 1);
    const { events } = play.take(postponed(play, idOf(play, 1)));
    expect(events.map(({ type }) => type)).toEqual(['contractor_payment.processing']);
    play.now += hour;
    take(play, 1);
    // this speaks of the second call alone
    play.take(postponed(play, idOf(play, 1), { outcome: 'none' }));
    expect(play.state.intent[1]).toMatchObject({ outcome: 'unknown', status: 'pending' });
    expect(play.state.contractor_payment[0]?.status).toBe('processing');
    play.now += hour;
    take(play, 1);
    play.take(postponed(play, idOf(play, 1), { refused: { reason: 'balance', retry: 'later' } }));
    expect(play.state.intent[1]).toMatchObject({ outcome: 'none', reason: 'balance' });
    expect(play.state.contractor_payment[0]?.status).toBe('scheduled');
  });

  test('that a report has told of is begun, whatever its call says', () => {
    for (const outcome of ['none', 'unknown'] as const) {
      const play = payable();
      take(play, 1);
      const { events } = play.ofContractor('processing', 'c1');
      expect(events.map(({ type }) => type)).toEqual(['contractor_payment.processing']);
      expect(postponed(play, idOf(play, 1), { outcome }).change).toEqual([]);
      expect(play.state.intent[1]).toMatchObject({ outcome: 'taken', due_at: null });
    }
  });

  test('is not freed by a refusal that is older than its last call', () => {
    for (const retry of ['later', 'never'] as const) {
      const play = payable();
      take(play, 1);
      play.now += hour;
      // another process has taken it over meanwhile
      take(play, 1);
      const refused = { reason: 'balance', retry } as const;
      play.take(postponed(play, idOf(play, 1), { refused, calls: 0 }));
      expect(play.state.intent[1]).toMatchObject({ status: 'pending', outcome: 'unknown' });
      expect(play.state.contractor_payment[0]?.status).toBe('processing');
    }
  });

  test('that is refused for ever has failed, with the reason', () => {
    const never = { refused: { reason: 'closed_account', retry: 'never' } } as const;
    const play = payable();
    take(play, 1);
    const { events } = play.take(postponed(play, idOf(play, 1), never));
    expect(events.map(({ type, data }) => [type, data['reason']])).toEqual([
      ['contractor_payment.failed', 'closed_account'],
    ]);
    expect(play.state.contractor_payment[0]).toMatchObject({
      ...{ status: 'failed', reason: 'closed_account' },
    });
    expect(play.intents[1]).toBe('pay_out 1.00 cancelled');

    const request = new Play().approved(101);
    take(request, 0);
    request.take(postponed(request, idOf(request, 0), never));
    expect(request.state.employer_payment[0]).toMatchObject({
      ...{ status: 'failed', reason: 'closed_account' },
    });

    const back = payable();
    back.give('cancel', 'operator', { reason: 'because' });
    const place = back.intents.indexOf('refund 1.00 pending');
    take(back, place);
    const failed = back.take(postponed(back, idOf(back, place), never));
    expect(failed.events.map(({ type }) => type)).toEqual(['employer_payment.refund_failed']);
    expect(back.intents.slice(place)).toEqual(['refund 1.00 cancelled', 'refund 1.00 failed']);
    expect(back.state.intent.at(-1)?.reason).toBe('closed_account');
  });

  test('of a request that ended while it was asked for ends once nothing came of it', () => {
    for (const said of [
      { outcome: 'none' },
      { refused: { reason: 'declined', retry: 'later' } },
      { refused: { reason: 'declined', retry: 'never' } },
    ] as const) {
      const play = new Play().approved(101);
      take(play, 0);
      play.give('cancel', 'operator', { reason: 'because' });
      expect(play.intents).toEqual(['request_payment 1.00 pending']);
      const { events } = play.take(postponed(play, idOf(play, 0), said));
      expect([play.intents, events]).toEqual([['request_payment 1.00 cancelled'], []]);
      expect(play.state.employer_payment[0]?.status).toBe('expired');
    }
  });

  test('in doubt is asked for again though its payment has ended', () => {
    const play = new Play().approved(101);
    take(play, 0);
    play.take(postponed(play, idOf(play, 0)));
    play.give('cancel', 'operator', { reason: 'because' });
    expect(play.state.employer_payment[0]?.status).toBe('expired');
    expect(play.intents).toEqual(['request_payment 1.00 pending']);
    play.now += hour;
    take(play, 0);
    play.take(begun(play.state, idOf(play, 0), play.moment));
    expect(play.intents).toEqual(['request_payment 1.00 done']);
  });

  test('in doubt is not asked for again in a dispute, and ends with the report of an operator', () => {
    const play = payable();
    take(play, 1);
    play.take(postponed(play, idOf(play, 1)));
    play.now += minute;
    play.give('dispute', 'partner', { reason: 'because' });
    expect(due(play, 1)).toBe(null);
    play.now += hour;
    play.ofContractor('failed', idOf(play, 1));
    expect(play.intents[1]).toBe('pay_out 1.00 done');
  });

  test('of a payout in doubt waits while there is a loss', () => {
    const play = payable();
    take(play, 1);
    play.take(postponed(play, idOf(play, 1)));
    play.ofEmployer('charged_back', 'b1');
    expect(balanceOf(play.state.posting).loss).toBe(100n);
    expect([due(play, 1), play.state.deal.alert, play.state.deal.alert_at]).toEqual([
      ...[null, 'effect_in_doubt', instant(play.now + hour)],
    ]);
    // the money comes again, so that it may be asked for again
    play.ofEmployer('paid', 'e2', 100n);
    expect(due(play, 1)).toBe(atOnce);
  });
});
