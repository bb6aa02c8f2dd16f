import { err, ok, type Result } from 'neverthrow';
import type { Outcome } from '../domain/input/errors.js';
import type { Answer, PortFailure } from './answer.js';
import { type PortProblem, portProblem } from './answer.js';
import { createPortGuard, threw, wrongAnswer } from './guard.js';
import type { Timer } from './runtime.js';

/** The answer of a guarded port. */
export type Guarded<T> = Result<T, PortProblem> | Promise<Result<T, PortProblem>>;

/** Calls a method of a port, and judges its answer. */
export type Ask = ReturnType<typeof createAsk>;

export function createAsk(timer: Timer, deadline: number) {
  const guard = createPortGuard(timer, deadline);
  return <T>(
    port: string,
    outcome: Outcome,
    call: () => Answer<T>,
    isKept: (answer: T) => boolean,
    rule?: string,
  ): Guarded<T> => {
    let fault: string | undefined;
    const judge = (answer: Result<T, PortFailure>) =>
      judged(port, outcome, answer, isKept, { fault, rule });
    const answer = guard(outcome, call, (said) => {
      fault = said;
    });
    return answer instanceof Promise ? answer.then(judge) : judge(answer);
  };
}

interface Judged {
  /** The failure of the port, if its guard gives one. */
  readonly fault?: string | undefined;
  /** The rule for its answer. */
  readonly rule?: string | undefined;
}

export function judged<T>(
  port: string,
  outcome: Outcome,
  answer: Result<T, PortFailure>,
  isKept: (answer: T) => boolean,
  { fault, rule = 'the answer is not one that the port promises' }: Judged = {},
): Result<T, PortProblem> {
  if (answer.isErr()) {
    // further members of a port's failure are not for the caller
    const { retryable, retryAfter, cause } = answer.error;
    return err(
      portProblem(port, {
        outcome: outcome === 'none' ? outcome : answer.error.outcome,
        retryable,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(cause !== undefined && { cause }),
        fault,
      }),
    );
  }
  try {
    if (isKept(answer.value)) return ok(answer.value);
  } catch (cause) {
    return err(brokenPromise(port, outcome, rule, cause));
  }
  return err(brokenPromise(port, outcome, rule, new Error(rule)));
}

function brokenPromise(port: string, outcome: Outcome, rule: string, cause: unknown): PortProblem {
  return portProblem(port, { outcome, retryable: false, fault: wrongAnswer(rule), cause });
}

/** Calls a method of a port that answers at once, without a result. */
export function plain<T>(
  port: string,
  call: () => T,
  isKept: (answer: T) => boolean,
  rule?: string,
): Result<T, PortProblem> {
  try {
    return judged(port, 'none', ok(call()), isKept, { rule });
  } catch (cause) {
    return err(portProblem(port, { cause, fault: threw }));
  }
}
