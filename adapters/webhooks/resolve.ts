import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { WebhookReply } from 'dealwright/ports';
import { isPublicAddress } from './public-address.js';

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The resolver of the system. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * The addresses to connect to. All of them have to be allowed: a name that has one private address
 * among others is not one to connect to.
 */
export async function findAddresses(
  hostname: string,
  { resolve, allowPrivate }: { readonly resolve: Resolve; readonly allowPrivate: boolean },
): Promise<readonly string[] | Extract<WebhookReply, { error: string }>> {
  const found = isIP(hostname) === 0 ? await resolve(hostname).catch(() => []) : [hostname];
  if (found.length === 0) return { error: 'connection_failed' };
  const isAllowed = (address: string) =>
    allowPrivate ? isIP(address) !== 0 : isPublicAddress(address);
  return found.every(isAllowed) ? [...new Set(found)] : { error: 'address_not_allowed' };
}
