import dns from 'node:dns/promises';
import { isIP } from 'node:net';
import type { WebhookReply } from 'dealwright/ports';
import { isPublicAddress } from './public-address.js';

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The resolver of the system, which knows the hosts file and the names of a local network. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Asks the name servers directly, for names that partners choose. The system's resolver would
 * occupy one of a few threads of the process until it answers: four names whose servers stay silent
 * would block every other name of the process.
 */
export const nameServerResolve: Resolve = async (hostname) => {
  const [four, six] = await Promise.all(
    [dns.resolve4(hostname), dns.resolve6(hostname)].map((asked) =>
      asked.catch((): string[] => []),
    ),
  );
  // alternating: of many addresses only the first ones are tried, and one family may be unreachable
  const longest = Math.max(four?.length ?? 0, six?.length ?? 0);
  return Array.from({ length: longest }, (_, at) => [four?.[at], six?.[at]])
    .flat()
    .filter((address) => address !== undefined);
};

/**
 * The addresses to connect to. All of them have to be allowed: a name with one private address
 * among others is refused.
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
