import ipaddr from 'ipaddr.js';

/** For text that is not an address, this much of it is the key. */
const longestText = 64;

/**
 * The key of an address: an IPv4 address itself, even if written as IPv6; the first 64 bits of an
 * IPv6 address, all of which one customer of a network has. Proxies may append a port.
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
