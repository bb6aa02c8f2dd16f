import dns from 'node:dns/promises';
import { isIP } from 'node:net';
import type { WebhookReply } from 'dealwright/ports';
import ipaddr from 'ipaddr.js';
import { isLocalName } from '../shared/loopback.js';

/** In the public range, but the host itself: Azure serves its machines there. */
const hostAddresses = new Set(['168.63.129.16']);

/** All public addresses of IPv6 (RFC 4291): the rest has special meanings, or will have. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The addresses by which a network with only IPv6 reaches those of IPv4 (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Says whether an address is one of the public internet. The ranges are an allow list, so an
 * unknown range is refused. An address of IPv4 within one of IPv6 is judged by itself in the forms
 * that networks use today: mapped, and behind NAT64. 6to4 and Teredo are always refused: they are
 * out of use, and lead to any address of IPv4.
 */
export function isPublicAddress(text: string): boolean {
  // the library also reads 127.1 and 0x7f000001: an address to connect to has one spelling, and no
  // zone
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  if (address.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === 'unicast' && address.match(globalUnicast);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !hostAddresses.has(address.toString());
}

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The resolver of the system, which knows the hosts file and the names of a local network. */
export const systemResolve: Resolve = async (hostname) => {
  // not every system knows them
  if (isLocalName(hostname)) return ['127.0.0.1', '::1'];
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
