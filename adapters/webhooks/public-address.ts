import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Within the public range, and yet the host itself: Azure answers its machines there. */
const hostAddresses = new Set(['168.63.129.16']);

/** All of IPv6 that is given out as public (RFC 4291): the rest has meanings, or will have. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The addresses by which a network of IPv6 alone reaches those of IPv4 (RFC 6052). */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Says whether an address is one of the public internet. It is a list of what is allowed, so that a
 * range that nobody thought of is refused. An address of IPv4 within one of IPv6 is judged by
 * itself where networks write it so today: mapped, and behind NAT64. 6to4 and Teredo are refused
 * altogether: they are out of use, and lead to any address of IPv4.
 */
export function isPublicAddress(text: string): boolean {
  // the library reads 127.1 and 0x7f000001 too: what is connected to has one spelling, and no zone
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
