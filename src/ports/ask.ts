import { err, ok, type Result } from 'neverthrow';
import type { Outcome } from '../domain/errors.js';
import type { Answer, PortFailure } from './answer.js';
import { createPortGuard } from './guard.js';
import { type PortProblem, portProblem } from './port-problem.js';
import type { Timer } from './timer.js';

/** What a guarded port answers. */
export type Guarded<T> = Result<T, PortProblem> | Promise<Result<T, PortProblem>>;

/** Calls a method of a port, and judges what it answers. */
export type Ask = ReturnType<typeof createAsk>;

export function createAsk(timer: Timer, deadline: number) {
  const guard = createPortGuard(timer, deadline);
  return <T>(
    port: string,
    outcome: Outcome,
    call: () => Answer<T>,
    isKept: (answer: T) => boolean,
  ): Guarded<T> => {
    const judge = (answer: Result<T, PortFailure>) => judged(port, outcome, answer, isKept);
    const answer = guard(outcome, call);
    return answer instanceof Promise ? answer.then(judge) : judge(answer);
  };
}

export function judged<T>(
  port: string,
  outcome: Outcome,
  answer: Result<T, PortFailure>,
  isKept: (answer: T) => boolean,
): Result<T, PortProblem> {
  if (answer.isErr()) {
    // what a port adds to its failure beyond these is not for the caller
    const { retryable, retryAfter, cause } = answer.error;
    return err(
      portProblem(port, {
        outcome: outcome === 'none' ? outcome : answer.error.outcome,
        retryable,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(cause !== undefined && { cause }),
      }),
    );
  }
  try {
    if (isKept(answer.value)) return ok(answer.value);
  } catch (cause) {
    return err(portProblem(port, { outcome, retryable: false, cause }));
  }
  const cause = new Error('the answer is not one that the port promises');
  return err(portProblem(port, { outcome, retryable: false, cause }));
}

/** Calls a method of a port that answers at once, without a result. */
export function plain<T>(
  port: string,
  call: () => T,
  isKept: (answer: T) => boolean,
): Result<T, PortProblem> {
  try {
    return judged(port, 'none', ok(call()), isKept);
  } catch (cause) {
    return err(portProblem(port, { cause }));
  }
}
