import { partnerRoutes } from '../wire/partner.js';
import type { DealwrightClient } from './client-api.js';
import { copyMembers } from './encode-input.js';
import { createOperations } from './operations.js';
import { type ClientOptions, readSettings } from './settings.js';

/**
 * Makes a client of a service over HTTP: the same `PartnerApi` that `Marketplace.partner` returns
 * in process. No call throws or rejects; a mistake in the options throws a `TypeError` here. It
 * needs only web globals: Node, Deno, Bun, Workers and browsers have them.
 *
 * A passing failure (no connection, a time-out, 429, 502, 503, 504) is retried if that is safe: a
 * read, or a call with an idempotency key. The client makes a key if the call has none.
 *
 * Another implementation of the service is understood as far as it keeps to the interface: an error
 * with another body becomes the error of its status.
 *
 * @example
 * ```ts
 * import { createClient } from 'dealwright/client';
 *
 * const api = createClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * const result = await api.createDeal(
 *   {
 *     partner_id: 'order-1',
 *     contractor_email: 'user@example.com',
 *     name: 'Deal name',
 *     description: 'Deal description',
 *     budget: '1000.00',
 *     currency: 'EUR',
 *     sub_category_id: 75,
 *   },
 *   { idempotencyKey: 'order-1' },
 * );
 * if (result.isErr()) console.error(result.error.code);
 * ```
 */
export function createClient(options: ClientOptions): DealwrightClient {
  const operation = createOperations(readSettings(options));
  const { uploadFile, uploadWorkFile, ...others } = partnerRoutes;
  // the categories of version 2.0 come last: they are served with either version
  const operations = Object.values(others).map((route) => [route.operation, operation(route)]);
  const byId = operation(uploadFile);
  const byPartnerId = operation(uploadWorkFile);
  const upload = (deal: unknown, ...more: readonly unknown[]) => {
    const { id, partner_id } = copyMembers(deal) ?? {};
    return partner_id === undefined ? byId(id, ...more) : byPartnerId(partner_id, ...more);
  };
  // the routes are those of the interface, with its names, answers and errors
  return { ...Object.fromEntries(operations), uploadFile: upload } as DealwrightClient;
}
