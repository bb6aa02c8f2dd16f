import { fromMinorUnits } from 'dealwright';
import { lifecycle, tick } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { begun, claim, undone } from '../../src/domain/life/executions.js';
import { Play } from './play.js';
import { day, dayOne, instant } from './states.js';

const alertOf = ({ state }: Play) => [state.deal.alert, state.deal.alert_at];
const none = [null, null];
const minute = 60_000;

/** A gateway takes an intent over, and fails or begins it. */
function execute(play: Play, place: number, after: typeof begun): void {
  const [intent] = play.state.intent.slice(place);
  if (intent === undefined) throw new Error('there is no such intent');
  play.take(claim(play.state, intent, play.moment, minute));
  play.take(after(play.state, intent.id, play.moment));
}

describe('a deal needs the operator', () => {
  test('not while it is new, or work goes on without a due date', () => {
    const play = new Play();
    expect(alertOf(play)).toEqual(none);
    play.give('invite', 'partner');
    expect(alertOf(play)).toEqual(none);
  });

  test('from the moment of a dispute until its end', () => {
    const play = new Play();
    play.give('accept', 'freelancer');
    play.delivered(101);
    play.now += day;
    play.give('dispute', 'freelancer', { reason: 'no answer' });
    expect(alertOf(play)).toEqual(['disputed', instant(dayOne + day)]);
    play.now += day;
    play.give('resolve', 'operator', { reason: 'talked', agreed_amount: fromMinorUnits(0n) });
    expect(alertOf(play)).toEqual(none);
  });

  test('if work is past its due date, which is foreseen', () => {
    const play = new Play();
    play.give('accept', 'freelancer');
    expect(alertOf(play)).toEqual(['overdue', instant(dayOne + 30 * day)]);
    play.delivered(101);
    expect(alertOf(play)).toEqual(none);
  });

  test('seven days after the employer was asked for a payment', () => {
    const play = new Play().approved(101);
    expect(alertOf(play)).toEqual(['payment_overdue', instant(dayOne + 7 * day)]);
    play.ofEmployer('paid', 'e1');
    expect(play.state.deal.alert).not.toBe('payment_overdue');
  });

  test('three days after a payout was begun and not reported', () => {
    const play = new Play().approved(101);
    play.now += day;
    play.ofEmployer('paid', 'e1');
    expect(alertOf(play)).toEqual(['payout_late', instant(dayOne + 4 * day)]);
    play.now += day;
    execute(play, 1, begun);
    expect(alertOf(play)).toEqual(['payout_late', instant(dayOne + 5 * day)]);
    play.ofContractor('paid', 'c1');
    expect(alertOf(play)).toEqual(none);
  });

  test('if a payout failed or came back, until it is retried', () => {
    for (const failures of [['failed'], ['paid', 'returned']]) {
      const play = new Play().approved(101);
      play.ofEmployer('paid', 'e1');
      execute(play, 1, begun);
      play.now += day;
      for (const [at, status] of failures.entries()) play.ofContractor(status, `c${at}`);
      expect(alertOf(play)).toEqual(['payout_failed', instant(dayOne + day)]);
      play.give('retry-payout', 'operator');
      expect(alertOf(play)).toEqual(['payout_late', instant(dayOne + 4 * day)]);
    }
  });

  test('if a refund was not reported for three days, or failed', () => {
    const play = new Play().approved(101);
    play.ofEmployer('paid', 'e1');
    play.give('cancel', 'operator', { reason: 'because' });
    expect(alertOf(play)).toEqual(['refund_late', instant(dayOne + 3 * day)]);
    play.now += day;
    play.ofEmployer('refund_failed', 'r1');
    expect(alertOf(play)).toEqual(['refund_failed', instant(dayOne + day)]);
    // it has no time of its own, so that it counts since it was found
    play.now += day;
    play.give('retry-refund', 'operator');
    expect(alertOf(play)).toEqual(['refund_late', instant(dayOne + 5 * day)]);
  });

  test('if the gateway has failed three times to start a payment, since the fourth attempt', () => {
    const play = new Play().approved(101);
    for (const attempts of [1, 2, 3, 4, 5]) {
      play.now += minute;
      const [intent] = play.state.intent;
      if (intent === undefined) throw new Error('there is no intent');
      const isFailing = attempts > 3;
      // also while the attempt is under way: it has not failed yet
      for (const take of [
        () => claim(play.state, intent, play.moment, minute),
        () => undone(lifecycle, play.state, intent.id, { outcome: 'unknown' }, play.moment),
      ]) {
        play.take(take());
        expect(play.state.deal.alert).toBe(isFailing ? 'effect_failing' : 'payment_overdue');
        if (isFailing) expect(play.state.deal.alert_at).toBe(instant(dayOne + 4 * minute));
      }
    }
    execute(play, 0, begun);
    expect(alertOf(play)).toEqual(['payment_overdue', instant(dayOne + 7 * day)]);
  });

  test('for the reason that counts first, if there are several', () => {
    const play = new Play({ budgets: [100n, 200n] }).approved(101);
    // the work of the other stage is due in 30 days
    expect(alertOf(play)).toEqual(['payment_overdue', instant(dayOne + 7 * day)]);
    play.ofEmployer('paid', 'e1');
    execute(play, 1, begun);
    play.ofContractor('paid', 'c1');
    expect(alertOf(play)).toEqual(['overdue', instant(dayOne + 30 * day)]);
  });
});

test('a reason of now comes before one that was foreseen earlier, in the order of the list', () => {
  const play = new Play({ budgets: [100n, 200n] }).approved(101);
  play.ofEmployer('paid', 'e1');
  execute(play, 1, begun);
  // the work of the other stage is overdue by then
  play.now = dayOne + 31 * day;
  play.ofContractor('failed', 'c1');
  expect(alertOf(play)).toEqual(['payout_failed', instant(dayOne + 31 * day)]);
  play.now += day;
  play.give('retry-payout', 'operator');
  expect(alertOf(play)).toEqual(['overdue', instant(dayOne + 30 * day)]);
});

test('a foreseen reason makes no deal due, and comes earlier if time was moved', () => {
  const play = new Play().approved(101);
  expect(play.state.deal.due_at).toBe(instant(dayOne + 14 * day));
  // eight days later in the sandbox: the alert has come, in the time that was not moved
  const later = { ...play.moment, now: instant(dayOne + 8 * day), real: instant(dayOne + day) };
  play.take(tick(lifecycle, play.state, later)._unsafeUnwrap());
  expect(alertOf(play)).toEqual(['payment_overdue', instant(dayOne)]);
});

test('alerts have the time that no sandbox has moved', () => {
  const play = new Play();
  play.give('accept', 'freelancer');
  play.delivered(101);
  play.now += 40 * day;
  const moment = { ...play.moment, real: instant(dayOne + day) };
  Object.defineProperty(play, 'moment', { value: moment });
  play.give('dispute', 'freelancer', { reason: 'no answer' });
  expect(alertOf(play)).toEqual(['disputed', instant(dayOne + day)]);
});
