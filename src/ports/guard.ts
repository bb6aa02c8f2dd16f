import type { Result } from 'neverthrow';
import type { Outcome } from '../domain/input/errors.js';
import { type Answer, type PortFailure, unavailable } from './answer.js';
import type { Timer } from './runtime.js';

/**
 * Calls a port so that no failure escapes: a throw, a rejection, no answer or one after the
 * deadline become `unavailable` with the given outcome; a second answer is ignored. An answer that
 * is not a `Result`, or whose error was not made by `unavailable`, is a mistake in the port's
 * program: `unavailable` with `retryable: false` (decision 8). An answer that comes at once is
 * passed on at once, so a use case need not wait a turn of the queue for it, which costs as much as
 * a look-up in memory.
 */
export type PortGuard = <T>(
  outcome: Outcome,
  ask: () => Answer<T>,
  /**
   * Called with the failure, in words without the port's data, unless the port itself reported one.
   */
  onFault?: (fault: string) => void,
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
  return (outcome, ask, onFault) => {
    let isAnswered = false;
    try {
      const answer = ask();
      isAnswered = true;
      return isPending(answer)
        ? settle(answer, { outcome, onFault, timer, deadline })
        : checked(answer, outcome, onFault);
    } catch (cause) {
      if (isAnswered) return broken(outcome, cause, onFault);
      onFault?.(threw);
      return unavailable({ outcome, cause });
    }
  };
}

type Failed = ReturnType<typeof unavailable>;

interface Pending {
  readonly outcome: Outcome;
  readonly onFault: ((fault: string) => void) | undefined;
  readonly timer: Timer;
  readonly deadline: number;
}

function settle<T>(
  answer: PromiseLike<Result<T, PortFailure>>,
  { outcome, onFault, timer, deadline }: Pending,
): Promise<Result<T, PortFailure>> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    let isOver = false;
    const finish = (answered: () => Result<T, PortFailure>) => {
      if (isOver) return;
      isOver = true;
      resolve(answered());
      try {
        cancel?.();
      } catch {
        // a timer that cannot be cancelled wakes a settled promise: no harm
      }
    };
    const fail = (fault: string, cause: unknown) =>
      finish(() => {
        onFault?.(fault);
        return unavailable({ outcome, cause });
      });
    try {
      // handled first: if the timer throws, a later rejection is still handled
      answer.then(
        (result) => finish(() => checked(result, outcome, onFault)),
        (cause) => fail('rejected its promise', cause),
      );
      if (isOver) return;
      cancel = timer.sleep(deadline, () => {
        fail(
          `did not answer within ${deadline / 1000} s`,
          new Error(`no answer within ${deadline} ms`),
        );
      });
    } catch (cause) {
      fail('could not be timed', cause);
    }
  });
}

function isPending<T>(answer: Answer<T>): answer is PromiseLike<Result<T, PortFailure>> {
  return typeof (answer as Partial<PromiseLike<unknown>>).then === 'function';
}

/** The result, if it is one. The outcome in a failure takes precedence. */
function checked<T>(
  result: Result<T, PortFailure>,
  outcome: Outcome,
  onFault: Pending['onFault'],
): Result<T, PortFailure> {
  try {
    if (result.isOk() || isPortFailure(result.error)) return result;
    throw result.error;
  } catch (cause) {
    return broken(outcome, cause, onFault);
  }
}

/** The failure of a port that threw. */
export const threw = 'threw an error';

/** The failure of a port whose answer breaks a rule. */
export const wrongAnswer = (rule: string): string => `gave a wrong answer: ${rule}`;

/** The answer of a port breaks its contract: no retry helps, its program has to be fixed. */
function broken(outcome: Outcome, cause: unknown, onFault: Pending['onFault']): Failed {
  const rule = 'neither ok() nor unavailable()';
  onFault?.(wrongAnswer(rule));
  const why = new Error(rule, { cause });
  return unavailable({ outcome, retryable: false, cause: why });
}

function isPortFailure(error: PortFailure): boolean {
  const { code, outcome, retryable } = error;
  const isOutcome = outcome === 'none' || outcome === 'unknown';
  return code === 'unavailable' && isOutcome && typeof retryable === 'boolean';
}
