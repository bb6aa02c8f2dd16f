import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Returns the tenant of an API token; `undefined` for an unknown token (decision 5.3). An
 * implementation keeps tokens as digests and never logs one.
 */
export interface Authenticator {
  authenticate(token: string): Answer<Tenant | undefined>;
}

/**
 * Returns the environment of an operator's token; `undefined` for an unknown token (decision 6.5).
 */
export interface OperatorAuthenticator {
  authenticate(token: string): Answer<Environment | undefined>;
}
