import type { ApiToken } from '../domain/values/api-token.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Returns the tenant of an API token; `undefined` for an unknown token (decision 5.3). An
 * implementation keeps tokens as digests and never logs one.
 */
export interface Authenticator {
  authenticate(token: string): Answer<Tenant | undefined>;
  /**
   * Lists the valid API tokens of a tenant, at most 1,000, for `listTokens`. Without it there is no
   * such operation.
   */
  list?(tenant: Tenant): Answer<readonly ApiToken[]>;
}

/**
 * Returns the environment of an operator's token; `undefined` for an unknown token (decision 6.5).
 */
export interface OperatorAuthenticator {
  authenticate(token: string): Answer<Environment | undefined>;
}

/** Says whether a caller may do one more operation now (decision 5.2, status 429). */
export interface Limiter {
  take(tenant: Tenant, operation: string): Answer<LimiterDecision>;
  /** The same for callers that are not partners. A limiter without it limits partners only. */
  takeOther?(other: LimitedCaller): Answer<LimiterDecision>;
  /**
   * Told what the operations of a partner need beside their number, as soon as that is known: often,
   * and without waiting. What it returns or throws is ignored. A limiter without it counts
   * operations only.
   */
  spend?(tenant: Tenant, usage: Usage): unknown;
  /** The same for callers that are not partners. */
  spendOther?(other: LimitedCaller, usage: Usage): unknown;
}

/** What an operation needs. */
export interface Usage {
  /**
   * `records`: what it has the store read or write; `json`: a body of JSON, or an answer; `file`: a
   * piece of a file on its way in or out.
   */
  readonly of: 'records' | 'json' | 'file';
  /** Bytes; of `records`, and of answers of JSON, characters. */
  readonly size: number;
}

/** A caller that a limiter identifies by a key. */
export interface LimitedCaller {
  /**
   * The holder of an operator's token, or of the payment token of a deal; or the address of a
   * client with an invalid token, which gets 429 instead of 401.
   */
  readonly kind: 'operator' | 'offer' | 'failed_token';
  /** A digest of the token; or the text of the address, as the network or a proxy gave it. */
  readonly key: string;
}

/** The answer of a limiter; `retryAfter` is in seconds. */
export type LimiterDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };
