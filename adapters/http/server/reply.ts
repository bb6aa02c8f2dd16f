import type { Unavailable } from 'dealwright';
import type { Answer, PortGuard } from 'dealwright/ports';
import type { Problem } from '../wire/problem.js';
import type { HttpResponse } from './messages.js';

/** An answer without the headers that all answers have. */
export interface Reply {
  readonly status: number;
  readonly body: HttpResponse['body'];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem, with the headers of its status and the details for the host alone. */
export interface Refusal extends Problem {
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds, if the port that failed knows. */
  readonly retryAfter?: number | undefined;
  readonly port?: string | undefined;
  readonly cause?: unknown;
}

type FailedPort = Pick<Unavailable, 'port' | 'outcome' | 'retryable' | 'retryAfter' | 'cause'>;

/** The refusal for a failure of a port: 503 if a retry makes sense, or else 500. */
export function portRefusal(failure: FailedPort): Refusal {
  const { port, outcome, retryable, retryAfter, cause } = failure;
  return { code: retryable ? 'unavailable' : 'internal', outcome, port, cause, retryAfter };
}

/** Asks a port. `read` reads its answer once; if it cannot, `flaw` says why. */
export async function askPort<T, R extends object>(
  guard: PortGuard,
  port: string,
  ask: () => Answer<T>,
  read: (answer: T) => R | undefined,
  flaw: string,
): Promise<R | Refusal> {
  const answered = await guard('none', ask);
  if (answered.isErr()) return portRefusal({ ...answered.error, port, outcome: 'none' });
  const broken = portRefusal({ port, outcome: 'none', retryable: false, cause: flaw });
  try {
    return read(answered.value) ?? broken;
  } catch {
    return broken;
  }
}

/** A token is missing, malformed, unknown or of the other environment: no answer says which. */
export const unauthorized = (scheme: Scheme): Refusal => ({
  code: 'unauthorized',
  headers: { 'www-authenticate': scheme },
});

/** The scheme of the credentials in a header (decision 6.5). */
export type Scheme = 'Token' | 'Offer' | 'Operator';

/** The path does not exist, or not here. */
export const noOperation: Refusal = { code: 'not_found', resource: 'operation' };

/** The path exists, but not for this method. */
export function wrongMethod(methods: string): Refusal {
  return { code: 'method_not_allowed', headers: { allow: `${methods}, OPTIONS` } };
}
