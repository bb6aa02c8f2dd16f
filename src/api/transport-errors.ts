import type { Outcome, Plain } from '../domain/input/errors.js';

/** The API token is missing, wrong, or of the other environment. Only over a wire. */
export type Unauthorized = Plain<'unauthorized'>;

/** Too many requests. Only over a wire. */
export interface RateLimited extends Plain<'rate_limited'> {
  /** Seconds. */
  readonly retryAfter?: number;
}

/**
 * An answer that the interface does not define for this call: another status, a redirect, a body of
 * another shape. Only over a wire.
 */
export interface UnexpectedResponse extends Plain<'unexpected_response'> {
  readonly status: number;
  /** The URL of the request: the base URL and the path of the interface, without its values. */
  readonly url?: string;
  /** The code in the body, if the service gave one. */
  readonly problem?: string;
}

/** The caller aborted the request (`AbortSignal`). Only over a wire. */
export interface Aborted extends Plain<'aborted'> {
  /** `none` if no attempt was sent. */
  readonly outcome: Outcome;
  /** The reason of the signal in words, such as `TimeoutError: ...`; never with the token in it. */
  readonly cause?: string;
}

/** The errors of any call over a wire, besides its own. */
export type TransportError = Unauthorized | RateLimited | UnexpectedResponse | Aborted;
