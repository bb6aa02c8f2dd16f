import type { Outcome } from 'dealwright';
import type { Problem } from '../wire/problem.js';

/** An answer before the headers that all answers have. */
export interface Reply {
  readonly status: number;
  readonly body: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem, with what its status obliges to and what only the host is told. */
export interface Refusal extends Problem {
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds, where the port that failed knows. */
  readonly retryAfter?: number;
  readonly port?: string;
  readonly cause?: unknown;
}

/** How a port failed. */
export interface FailedPort {
  readonly port: string;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** What a failure of a port is on the wire: 503 where it makes sense to come again, or else 500. */
export function portRefusal(failure: FailedPort): Refusal {
  const { port, outcome, retryable, retryAfter, cause } = failure;
  return {
    code: retryable ? 'unavailable' : 'internal',
    outcome,
    port,
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** A token is missing, malformed, unknown or of the other environment: nobody learns which. */
export const unauthorized: Refusal = {
  code: 'unauthorized',
  headers: { 'www-authenticate': 'Token' },
};

/** The path exists, but not for this method. */
export function wrongMethod(methods: string): Refusal {
  return { code: 'method_not_allowed', headers: { allow: `${methods}, OPTIONS` } };
}
