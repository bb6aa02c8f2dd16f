import { createMarketplace, type PartnerApi } from 'dealwright';
import type { DealwrightClient } from 'dealwright/client';
import { createPorts } from '../../kit/ports.js';
import { createOfflineClient, createOfflineFetch, tenant } from './service.js';

/** One service, called in process and through the client. */
export function createBoth(): { readonly inside: PartnerApi; readonly client: DealwrightClient } {
  const ports = createPorts();
  const inside = createMarketplace(ports).partner(tenant);
  return { inside, client: createOfflineClient({ fetch: createOfflineFetch(ports) }) };
}

/** A result without the parts that differ from call to call. */
export function plain(result: Awaited<ReturnType<PartnerApi[keyof PartnerApi]>>): unknown {
  if (result.isOk()) return 'an answer';
  const { request_id: _, ...error } = result.error;
  return error;
}

export const throwing = {
  get name(): string {
    throw new Error('a getter that throws');
  },
};
export const hostile: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  7n,
  '',
  '1',
  '1.5',
  'text',
  'a\0b',
  'a\ud800',
  'x'.repeat(300),
  Symbol('s'),
  () => 1,
  {},
  [],
  ['a'],
  new Date(0),
  throwing,
];
