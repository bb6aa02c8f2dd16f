import { type Answer, createPortGuard, type Timer, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { err, errAsync, ok, okAsync, ResultAsync } from 'neverthrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const deadline = 1000;
const cause = new Error('down');

/** An answer in JavaScript, whose type the compiler does not check. */
const careless = (answer: unknown) => (() => answer) as () => never;

/** A thenable with a `then` of the test. */
const thenable = (then: unknown): unknown => Object.defineProperty({}, 'then', { value: then });

const unhandled: unknown[] = [];
const collect = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', collect);
});
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', collect);
  expect(unhandled).toEqual([]);
});

describe('an answer that comes at once', () => {
  const timer = createManualClock();
  const guard = createPortGuard(timer, deadline);

  it('is passed on at once, and costs no timer', () => {
    const answer = ok(7);
    expect(guard('none', () => answer)).toBe(answer);
    expect(timer.sleepers()).toBe(0);
  });

  it("is a failure with the port's own word on the outcome", () => {
    const failure = unavailable({ outcome: 'none', retryable: false, retryAfter: 3, cause });
    expect(guard('unknown', () => failure)).toBe(failure);
  });

  it('is unavailable if the port throws', () => {
    const failed = guard('none', () => {
      throw cause;
    });
    expect(failed).toEqual(err({ code: 'unavailable', outcome: 'none', retryable: true, cause }));
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'ok'],
    ['a plain object', {}],
    ['a value without its result', { outcome: 'created' }],
    ['a failure without a code', err(new Error('down'))],
    ['a failure of nothing', err(undefined)],
    ['a failure without an outcome', err({ code: 'unavailable', retryable: false })],
    [
      'a failure with another outcome',
      err({ code: 'unavailable', outcome: 'maybe', retryable: false }),
    ],
    [
      'a failure with another code',
      err({ code: 'deal_exists', outcome: 'none', retryable: false }),
    ],
    [
      'a failure that does not say whether a retry helps',
      err({ code: 'unavailable', outcome: 'none' }),
    ],
    [
      'a getter that throws',
      Object.defineProperty({}, 'then', {
        get() {
          throw cause;
        },
      }),
    ],
  ])('is a mistake that no retry mends if it is %s', (_what, answer) => {
    for (const outcome of ['none', 'unknown'] as const) {
      const failed = guard(outcome, careless(answer));
      expect(failed).toMatchObject({ error: { code: 'unavailable', outcome, retryable: false } });
    }
  });

  it('says what a port answers if it is none of that, with what came', () => {
    const failed = guard('none', careless(err(cause)));
    const wrong = new Error('neither ok() nor unavailable()', {
      cause,
    });
    expect(failed).toEqual(unavailable({ outcome: 'none', retryable: false, cause: wrong }));
  });
});

describe('an answer that comes later', () => {
  const ask = async (answer: Answer<number> | unknown, timer: Timer = createManualClock()) =>
    createPortGuard(timer, deadline)('unknown', careless(answer));

  it('is passed on as it is, a success or a failure', async () => {
    const failure = { code: 'unavailable', outcome: 'none', retryable: false } as const;
    expect(await ask(Promise.resolve(ok(7)))).toEqual(ok(7));
    expect(await ask(okAsync(7))).toEqual(ok(7));
    expect(await ask(errAsync(failure))).toEqual(err(failure));
    expect(await ask(new ResultAsync(Promise.resolve(ok(7))))).toEqual(ok(7));
  });

  it('calls its timer off', async () => {
    const timer = createManualClock();
    const asked = ask(Promise.resolve(ok(7)), timer);
    expect(timer.sleepers()).toBe(1);
    await asked;
    expect(timer.sleepers()).toBe(0);
  });

  it('is unavailable if it rejects', async () => {
    expect(await ask(Promise.reject(cause))).toEqual(
      err({ code: 'unavailable', outcome: 'unknown', retryable: true, cause }),
    );
    expect(await ask(Promise.reject(undefined))).toMatchObject({ error: { outcome: 'unknown' } });
  });

  it.each([undefined, null, 7, {}, err(cause), { isOk: true }])(
    'is a mistake that no retry mends if it is %j',
    async (answer) => {
      expect(await ask(Promise.resolve(answer))).toMatchObject({
        error: { code: 'unavailable', outcome: 'unknown', retryable: false },
      });
    },
  );

  it('is unavailable at the deadline, not before, if it never comes', async () => {
    const timer = createManualClock();
    let answer: unknown;
    const asked = ask(new Promise(() => undefined), timer).then((result) => {
      answer = result;
    });
    timer.advance(deadline - 1);
    await Promise.resolve();
    expect(answer).toBeUndefined();
    timer.advance(1);
    await asked;
    expect(answer).toEqual(
      err({
        code: 'unavailable',
        outcome: 'unknown',
        retryable: true,
        cause: new Error('no answer within 1000 ms'),
      }),
    );
  });

  it('is not heard after the deadline, be it an answer or a rejection', async () => {
    for (const late of [
      (resolve: (answer: unknown) => void) => resolve(ok(7)),
      (_: unknown, reject: (reason: unknown) => void) => reject(cause),
    ]) {
      const timer = createManualClock();
      let comeNow = () => {};
      const answer = new Promise((resolve, reject) => {
        comeNow = () => late(resolve, reject);
      });
      const asked = ask(answer, timer);
      timer.advance(deadline);
      comeNow();
      expect(await asked).toMatchObject({ error: { outcome: 'unknown' } });
    }
  });

  it('is heard once, however often it comes', async () => {
    const timer = createManualClock();
    const twice = thenable((resolve: (answer: unknown) => void, reject: (e: unknown) => void) => {
      setImmediate(() => {
        resolve(ok(1));
        resolve(ok(2));
        reject(cause);
        timer.advance(deadline);
      });
    });
    expect(await ask(twice, timer)).toEqual(ok(1));
    expect(timer.sleepers()).toBe(0);
  });

  it('may come from a thenable that answers before it returns: no timer is left', async () => {
    const timer = createManualClock();
    const now = thenable((resolve: (answer: unknown) => void) => resolve(ok(7)));
    expect(await ask(now, timer)).toEqual(ok(7));
    expect(timer.sleepers()).toBe(0);
  });

  it('is unavailable if its thenable throws, even after it answered', async () => {
    const timer = createManualClock();
    const throws = thenable(() => {
      throw cause;
    });
    expect(await ask(throws, timer)).toMatchObject({ error: { outcome: 'unknown', cause } });
    expect(timer.sleepers()).toBe(0);
    const answersAndThrows = thenable((resolve: (answer: unknown) => void) => {
      resolve(ok(7));
      throw cause;
    });
    expect(await ask(answersAndThrows)).toEqual(ok(7));
  });
});

describe('a clock that fails', () => {
  const throwing = () => {
    throw new Error('no time');
  };

  it('at sleeping makes a pending answer unavailable, whose rejection is still handled', async () => {
    const guard = createPortGuard({ now: () => 0, sleep: throwing }, deadline);
    for (const answer of [Promise.reject(cause), Promise.resolve(ok(1))]) {
      expect(await guard('unknown', careless(answer))).toMatchObject({
        error: { code: 'unavailable', outcome: 'unknown', cause: new Error('no time') },
      });
    }
    expect(guard('none', () => ok(1))).toEqual(ok(1));
  });

  it.each([
    ['throws', throwing],
    ['is a number', 7],
    ['is nothing', undefined],
  ])('does no harm if what sleep gave, called to cancel, %s', async (_what, cancel) => {
    const guard = createPortGuard({ now: () => 0, sleep: careless(cancel) }, deadline);
    expect(await guard('none', async () => ok(7))).toEqual(ok(7));
  });

  it('and wakes at once is a deadline that has passed', async () => {
    const hasty: Timer = {
      now: () => 0,
      sleep(_, wake) {
        wake();
        wake();
        return () => undefined;
      },
    };
    expect(await createPortGuard(hasty, deadline)('none', async () => ok(7))).toMatchObject({
      error: { code: 'unavailable', outcome: 'none' },
    });
  });
});

describe('unavailable', () => {
  it('is frozen, retryable unless said otherwise, and cannot be another code', () => {
    const { error } = unavailable({ outcome: 'none' });
    expect(error).toEqual({ code: 'unavailable', outcome: 'none', retryable: true });
    expect(Object.isFrozen(error)).toBe(true);
    expect(unavailable({ outcome: 'unknown', retryable: false }).error.retryable).toBe(false);
  });
});
