import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/**
 * Keeps secrets that have to be read again, such as those that sign webhooks: a store gets only the
 * sealed text. It encrypts them, or keeps them somewhere else and gives a name.
 */
export interface SecretKeeper {
  /** A text that stands for the secret without revealing it. */
  seal(tenant: Tenant, secret: string): Answer<string>;
  /** The secret that was sealed for this tenant. */
  open(tenant: Tenant, sealed: string): Answer<string>;
}
