import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Held, holdAfter, readHeld, type Tried, writeHeld } from '../../src/relay/lease.js';

const subjects = ['deal:a', 'deal:b', 'webhook:c'];

/** The state of the events of one subject. */
interface Model {
  /** The sequences in the log that were passed. */
  readonly passed: number;
  /** The last sequence that was delivered, or given up. */
  readonly done: number;
  /** Whether the event after `done` has failed and is tried again. */
  readonly isPending: boolean;
}

const outcome = fc.constantFrom('delivered', 'failed', 'pending', undefined);
const step = fc.record({
  /** The number of new events of the subject in the page. */
  fresh: fc.integer({ min: 0, max: 3 }),
  /** The outcomes of the tried events, in order. */
  outcomes: fc.array(outcome, { minLength: 12, maxLength: 12 }),
  isRetried: fc.boolean(),
  limit: fc.integer({ min: 1, max: 4 }),
});

interface Step {
  readonly fresh: number;
  readonly outcomes: readonly Tried['outcome'][];
  readonly isRetried: boolean;
  readonly limit: number;
}

/** One batch of a relay: the tried events, the passed ones, and the state of the model. */
function play(model: Model, held: Held, subject: string, given: Step) {
  const { fresh, outcomes, isRetried, limit } = given;
  const passed = model.passed + fresh;
  const tried: Tried[] = [];
  let { done, isPending } = model;
  let readAgain: number | undefined;
  const isHeld = held.has(subject);
  if (isPending) {
    const [first] = outcomes;
    if (isRetried) {
      tried.push({ subject, sequence: done + 1, isRetry: true, outcome: first });
      if (first === 'delivered' || first === 'failed') [done, isPending] = [done + 1, false];
    }
  } else {
    const from = done + 1;
    const to = isHeld ? Math.min(model.passed, done + limit) : passed;
    if (isHeld) readAgain = to;
    for (let sequence = from; sequence <= to; sequence += 1) {
      // an event that was passed for the first time was begun, or it would not have been passed
      const came = outcomes[sequence - from];
      const own = isHeld ? came : (came ?? 'delivered');
      tried.push({ subject, sequence, isRetry: false, outcome: own });
      if (own === undefined) break;
      if (own === 'pending') {
        isPending = true;
        break;
      }
      done = sequence;
    }
  }
  const after = holdAfter(held, {
    passed: new Map(fresh > 0 ? [[subject, passed]] : []),
    readAgain: new Map(readAgain === undefined ? [] : [[subject, readAgain]]),
    tried,
  });
  return { model: { passed, done, isPending }, held: after };
}

describe('what waits', () => {
  it('is everything after the last event that was done, batch after batch', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom(...subjects),
        (all, subject) => {
          let model: Model = { passed: 0, done: 0, isPending: false };
          let held: Held = new Map();
          for (const each of all) {
            ({ model, held } = play(model, held, subject, each));
            const entry = held.get(subject);
            const { done, passed, isPending } = model;
            if (isPending) {
              // the failed event is tried again by its delivery: the others come after it
              expect(entry).toStrictEqual({ after: done + 1, upTo: passed, isPending });
            } else if (done < passed) {
              expect(entry).toStrictEqual({ after: done, upTo: passed, isPending });
            } else expect(entry).toBeUndefined();
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is of one subject what it is without the others', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.array(step, { maxLength: 8 }),
        (one, two) => {
          const alone = (subject: string, all: readonly Step[]) => {
            let state = {
              model: { passed: 0, done: 0, isPending: false },
              held: new Map() as Held,
            };
            for (const each of all) state = play(state.model, state.held, subject, each);
            return state.held;
          };
          const others = alone('deal:b', two);
          let state = { model: { passed: 0, done: 0, isPending: false }, held: others };
          for (const each of one) state = play(state.model, state.held, 'deal:a', each);
          expect(state.held.get('deal:a')).toStrictEqual(alone('deal:a', one).get('deal:a'));
        },
      ),
    );
  });

  it('does not begin with an event that is sent again by hand', () => {
    const tried = [{ subject: 'deal:a', sequence: 4, isRetry: true, outcome: 'pending' }] as const;
    const none = new Map();
    expect(holdAfter(none, { passed: none, readAgain: none, tried }).size).toBe(0);
  });

  it('is read as it was written, with any names of subjects', () => {
    const entry = fc.record({ after: fc.nat(), upTo: fc.nat(), isPending: fc.boolean() });
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '1', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, entry), { maxLength: 5 }), (entries) => {
        const held: Held = new Map(entries);
        expect(readHeld(writeHeld(held))).toEqual(held);
      }),
    );
  });
});
