import { err, type Result } from 'neverthrow';
import type { Outcome } from '../domain/input/errors.js';

/** The failure of a port: `unavailable` makes one. */
export interface PortFailure {
  readonly code: 'unavailable';
  /** Whether the call may have had its effect. */
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Seconds after which a retry makes sense, if the port knows. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * The answer of a port method: a neverthrow `Result`, at once or later. A `ResultAsync` and a
 * `Promise<Result>` are both such answers. An answer that comes at once costs no timer.
 */
export type Answer<T> = Result<T, PortFailure> | PromiseLike<Result<T, PortFailure>>;

/**
 * The answer of a port that failed. Set `outcome: 'none'` if nothing can have happened, and
 * `'unknown'` if it may have. `retryable` is true by default.
 *
 * @example
 * ```ts
 * import { unavailable } from 'dealwright/ports';
 *
 * unavailable({ outcome: 'unknown', cause: new Error('connection reset') });
 * ```
 */
export function unavailable(failure: Partial<PortFailure> & Pick<PortFailure, 'outcome'>) {
  return err(Object.freeze({ retryable: true, ...failure, code: 'unavailable' as const }));
}

/** A failure, and the port that it came from. */
export interface PortProblem extends PortFailure {
  readonly port: string;
  /** The failure, for the operator alone, if the port itself did not report one. */
  readonly fault?: string | undefined;
}

/** A failure in words for the operator: the port, its method and how it failed. */
export function faultOf({ port, fault = 'failed' }: Pick<PortProblem, 'port' | 'fault'>): string {
  return `${port} ${fault}`;
}

/** The failure of a port: by default nothing has happened and a retry makes sense. */
export function portProblem(
  port: string,
  failure: Partial<Omit<PortProblem, 'code' | 'port'>>,
): PortProblem {
  return { outcome: 'none', retryable: true, ...failure, code: 'unavailable', port };
}

/** The name of the failure that an error carries. */
const failure: unique symbol = Symbol('failure of a port');

/**
 * The value of an answer, where nothing can be returned instead: an error carries the failure to the
 * end of the call.
 */
export function valueIn<T>(answer: Result<T, PortProblem>): T {
  if (answer.isOk()) return answer.value;
  throw Object.assign(new Error(faultOf(answer.error)), { [failure]: answer.error });
}

/** The failure that an error of `valueIn` carries. */
export function failureIn(thrown: unknown): PortProblem | undefined {
  return thrown instanceof Error ? Reflect.get(thrown, failure) : undefined;
}
