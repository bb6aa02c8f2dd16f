import {
  describeError,
  type Language,
  type Outcome,
  type TransportError,
  type Unavailable,
} from 'dealwright';
import type { OperationError, Route } from '../wire/route.js';

/**
 * An error of the service as its caller may see it. An error of the operation itself is passed on,
 * with its message in the language of the call. An error of the connection to the service becomes
 * `unavailable`, with that error as its cause.
 */
export function translate<E extends OperationError>(
  error: E | TransportError,
  route: Route,
  language: Language,
): E | Unavailable {
  if (!isOfTransport(error)) {
    const resource = error.code === 'not_found' ? error.resource : undefined;
    return Object.freeze({ ...error, message: describeError(error.code, language, resource) });
  }
  const { code } = error;
  return Object.freeze({
    ...failed(language, error),
    outcome: outcomeOf(error, route),
    retryable: code === 'rate_limited' || code === 'aborted',
    ...(code === 'rate_limited' && error.retryAfter !== undefined
      ? { retryAfter: error.retryAfter }
      : {}),
  });
}

/** The error of a call that was not forwarded, or not answered; no retry helps. */
export function failed(language: Language, cause: unknown, outcome: Outcome = 'none'): Unavailable {
  const message = describeError('unavailable', language);
  const rest = { port: 'transport', outcome, retryable: false, cause };
  return Object.freeze({ code: 'unavailable', message, ...rest });
}

const transportCodes: readonly string[] = [
  'unauthorized',
  'rate_limited',
  'unexpected_response',
  'aborted',
] satisfies readonly TransportError['code'][];

function isOfTransport(error: OperationError | TransportError): error is TransportError {
  return transportCodes.includes(error.code);
}

function outcomeOf(error: TransportError, { method }: Route): Outcome {
  switch (error.code) {
    case 'aborted':
      return error.outcome;
    case 'unexpected_response':
      // a success that cannot be read may have had its effect; every other status is a refusal
      return method !== 'GET' && error.status >= 200 && error.status < 300 ? 'unknown' : 'none';
    default:
      return 'none';
  }
}
