import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * Says whom an API token speaks for; `undefined` for an unknown token (decision 5.3). An
 * implementation keeps tokens as digests and never logs one.
 */
export interface Authenticator {
  authenticate(token: string): Answer<Tenant | undefined>;
}
