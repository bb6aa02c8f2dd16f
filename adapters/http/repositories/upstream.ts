import type { Tenant } from 'dealwright';
import { type ClientOptions, createClient, type DealwrightClient } from '../client/index.js';
import { createFindToken, type HttpRepositoriesOptions } from './options.js';

/** The service as a tenant sees it, or nothing where the tenant has no token of its own. */
export type Upstream = (tenant: Tenant) => DealwrightClient | undefined;

/** Less than the ten seconds that a marketplace waits for a port by default. */
export const defaultTimeout = 9_000;

/** Checks the options once, and makes a client with each call: a token may be another by then. */
export function createUpstream(options: HttpRepositoriesOptions): Upstream {
  const { baseUrl, fetch, timeout = defaultTimeout, headers } = options;
  const settings = {
    baseUrl,
    timeout,
    // an addition is one request: whoever calls us decides whether there is another, and its key
    attempts: 1,
    makeKeys: false,
    ...(fetch === undefined ? {} : { fetch }),
    ...(headers === undefined ? {} : { headers }),
  } satisfies Omit<ClientOptions, 'token'>;
  const findToken = createFindToken(options);
  checkOptions({ ...settings, token: typeof options.token === 'string' ? options.token : 'any' });
  return (tenant) => {
    try {
      const token = findToken(tenant);
      return token === undefined ? undefined : createClient({ ...settings, token });
    } catch {
      // what a function of the host throws may hold a token, and so may what is none
      return undefined;
    }
  };
}

function checkOptions(options: ClientOptions): void {
  try {
    createClient(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TypeError(message.replace('createClient', 'createHttpRepositories'));
  }
}
