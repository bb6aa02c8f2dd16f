import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Says whom an API token speaks for; `undefined` for an unknown token (decision 5.3). An
 * implementation keeps tokens as digests and never logs one.
 */
export interface Authenticator {
  authenticate(token: string): Answer<Tenant | undefined>;
}

/** Says where a token of the host's staff is good; `undefined` for an unknown token (decision 6.5). */
export interface OperatorAuthenticator {
  authenticate(token: string): Answer<Environment | undefined>;
}
