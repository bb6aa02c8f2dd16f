import ipaddr from 'ipaddr.js';

/** Text of an address that is no address is told apart by so much of it. */
const longestText = 64;

/**
 * Whom an address stands for: IPv4 by itself, also where it is written as IPv6; of IPv6 the first 64
 * bits, which one customer of a network has all of. Proxies may write a port behind it.
 */
export function addressKey(text: string): string {
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (!ipaddr.isValid(bare)) return text.slice(0, longestText);
  const address = ipaddr.process(bare);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
