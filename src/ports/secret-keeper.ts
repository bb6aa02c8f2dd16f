import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Keeps secrets that have to be read again, such as those that webhooks are signed with: a store
 * gets no more than the sealed text. It encrypts them, or keeps them somewhere else and gives a name.
 */
export interface SecretKeeper {
  /** A text that stands for the secret, and tells nobody what it is. */
  seal(tenant: Tenant, secret: string): Answer<string>;
  /** The secret that was sealed for this tenant. */
  open(tenant: Tenant, sealed: string): Answer<string>;
}
