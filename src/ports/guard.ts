import type { Result } from 'neverthrow';
import type { Outcome } from '../domain/errors.js';
import { type Answer, type PortFailure, unavailable } from './answer.js';
import type { Timer } from './timer.js';

/**
 * Calls a port so that nothing it does escapes: a throw, a rejection, no answer or one after the
 * deadline become `unavailable` with the given outcome; a second answer is ignored. An answer that is
 * no `Result`, or whose error `unavailable` did not make, is a mistake in the program of the port:
 * `unavailable` with `retryable: false` (decision 8). An answer that comes at once is passed on at
 * once, so that a use case need not wait a turn of the queue for it, which costs as much as a look-up
 * in memory.
 */
export type PortGuard = <T>(
  outcome: Outcome,
  ask: () => Answer<T>,
) => Result<T, PortFailure> | Promise<Result<T, PortFailure>>;

/**
 * Makes the guard that all calls of ports go through; `deadline` is in milliseconds of the timer.
 *
 * @example
 * ```ts
 * import { createPortGuard } from 'dealwright/ports';
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const guard = createPortGuard(createSystemTimer(), 10_000);
 * ```
 */
export function createPortGuard(timer: Timer, deadline: number): PortGuard {
  return (outcome, ask) => {
    let isAnswered = false;
    try {
      const answer = ask();
      isAnswered = true;
      return isPending(answer)
        ? settle(answer, outcome, timer, deadline)
        : checked(answer, outcome);
    } catch (cause) {
      return isAnswered ? broken(outcome, cause) : unavailable({ outcome, cause });
    }
  };
}

type Failed = ReturnType<typeof unavailable>;

function settle<T>(
  answer: PromiseLike<Result<T, PortFailure>>,
  outcome: Outcome,
  timer: Timer,
  deadline: number,
): Promise<Result<T, PortFailure>> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    let isOver = false;
    const finish = (result: Result<T, PortFailure>) => {
      if (isOver) return;
      isOver = true;
      resolve(result);
      try {
        cancel?.();
      } catch {
        // a timer that cannot be cancelled wakes a settled promise: no harm
      }
    };
    const fail = (cause: unknown): Failed => unavailable({ outcome, cause });
    try {
      // handled first: where the timer throws, a later rejection is still handled
      answer.then(
        (result) => finish(checked(result, outcome)),
        (cause) => finish(fail(cause)),
      );
      if (isOver) return;
      cancel = timer.sleep(deadline, () => {
        finish(fail(new Error(`no answer within ${deadline} ms`)));
      });
    } catch (cause) {
      finish(fail(cause));
    }
  });
}

function isPending<T>(answer: Answer<T>): answer is PromiseLike<Result<T, PortFailure>> {
  return typeof (answer as Partial<PromiseLike<unknown>>).then === 'function';
}

/** The result, if it is one: the outcome that a failure says counts, if it is a failure. */
function checked<T>(result: Result<T, PortFailure>, outcome: Outcome): Result<T, PortFailure> {
  try {
    if (result.isOk() || isPortFailure(result.error)) return result;
    throw result.error;
  } catch (cause) {
    return broken(outcome, cause);
  }
}

/** What a port answers is against its contract: no retry helps, its program has to be mended. */
function broken(outcome: Outcome, cause: unknown): Failed {
  const why = new Error('neither ok() nor unavailable()', { cause });
  return unavailable({ outcome, retryable: false, cause: why });
}

function isPortFailure(error: PortFailure): boolean {
  const { code, outcome, retryable } = error;
  const isOutcome = outcome === 'none' || outcome === 'unknown';
  return code === 'unavailable' && isOutcome && typeof retryable === 'boolean';
}
