import { createClient } from 'dealwright/client';
import { contractTenants, type PartnerApiSubject } from '../partner-api/subject.js';
import { chosen } from '../wire/promised.js';
import type { CaseTransport } from './transport.js';
import type { Visit } from './visit.js';

/**
 * The partners of a server, by the typed client. It retries nothing and makes no keys, so that each
 * call is one request as the case means it.
 */
export function partnersOf(
  { options, base, prefix, subcategory, promises, promised, timeout }: Visit,
  { fetch }: CaseTransport,
): PartnerApiSubject {
  const [first, second] = contractTenants;
  const tokens = new Map([
    [first, options.token],
    [second, options.otherToken],
  ]);
  return {
    api(tenant) {
      const token = tokens.get(tenant);
      if (token === undefined) return undefined;
      const calls = { attempts: 1, makeKeys: false, timeout };
      return createClient({ baseUrl: base, token, fetch, ...calls });
    },
    prefix,
    subcategory,
    fileLimit: promised.max_file_size,
    values: chosen(promised),
    webhooks: promises.profiles.has('webhooks'),
    environment: options.environment ?? 'sandbox',
    close: async () => undefined,
  };
}
