import {
  type CreateDealError,
  describeError,
  type Language,
  type ListDealsError,
  type Outcome,
  type RegisterContractorError,
  type RetrieveDealError,
  type TransportError,
  type Unavailable,
  type UploadFileError,
} from 'dealwright';
import type { Route } from '../wire/routes.js';

/** The errors of the operations themselves. */
export type OperationError =
  | RegisterContractorError
  | CreateDealError
  | RetrieveDealError
  | ListDealsError
  | UploadFileError;

/**
 * An error of the service as its caller may see it: one of the operation itself is passed on, with
 * its message in the language of the call; what only the connection to the service can answer is
 * `unavailable`, with that error as its cause.
 */
export function translate<E extends OperationError>(
  error: E | TransportError,
  route: Route,
  language: Language,
): E | Unavailable {
  if (!isOfTransport(error)) {
    const said = { ...error, message: describeError(error.code, language) };
    Object.freeze(said);
    return said;
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

/** A call that was not forwarded, or not answered, and will not be before somebody mends it. */
export function failed(language: Language, cause: unknown, outcome: Outcome = 'none'): Unavailable {
  const message = describeError('unavailable', language);
  const rest = { port: 'transport', outcome, retryable: false, cause };
  return Object.freeze({ code: 'unavailable', message, ...rest });
}

function isOfTransport(error: OperationError | TransportError): error is TransportError {
  const codes: readonly string[] = transportCodes;
  return codes.includes(error.code);
}

const transportCodes = [
  ...(['unauthorized', 'rate_limited', 'unexpected_response', 'aborted'] as const),
] satisfies readonly TransportError['code'][];

function outcomeOf(error: TransportError, { method }: Route): Outcome {
  switch (error.code) {
    case 'aborted':
      return error.outcome;
    case 'unexpected_response':
      // a success that cannot be understood may be one; every other status refuses
      return method === 'POST' && error.status >= 200 && error.status < 300 ? 'unknown' : 'none';
    default:
      return 'none';
  }
}
