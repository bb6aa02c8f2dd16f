import { isIP } from 'node:net';
import type { Environment } from 'dealwright';
import type { WebhookUrlVerdict } from 'dealwright/ports';
import { isLocalName } from '../shared/loopback.js';
import { isPublicAddress } from './addresses.js';

/** The target of a message. */
export interface Target {
  readonly isTls: boolean;
  /** The name or the address, without the brackets of IPv6. */
  readonly hostname: string;
  readonly port: number;
  /** For the header `Host`. */
  readonly host: string;
  /** Path and query. The fragment is not sent. */
  readonly path: string;
}

/**
 * Reads the URL of a webhook, or returns its problem. The parser of the URL standard turns
 * every spelling of an address of IPv4 (decimal, octal, hexadecimal, short, full-width) into the one
 * that is checked and used.
 */
export function readTarget(
  environment: Environment,
  url: string,
  allowPrivate: boolean,
): Target | Exclude<WebhookUrlVerdict, 'allowed'> {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return 'invalid_url';
  }
  const { protocol, username, password, host, port, pathname, search } = parsed;
  const isTls = protocol === 'https:';
  if (!isTls && protocol !== 'http:') return 'invalid_url';
  if (username !== '' || password !== '') return 'address_not_allowed';
  if (!isTls && environment === 'production' && !allowPrivate) return 'https_required';
  const hostname = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowPrivate && !mayBePublic(hostname)) return 'address_not_allowed';
  return {
    isTls,
    hostname,
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    host,
    path: pathname + search,
  };
}

/**
 * The addresses of a name are checked at each connection: only this name is known to be private.
 */
function mayBePublic(hostname: string): boolean {
  return isIP(hostname) === 0 ? !isLocalName(hostname) : isPublicAddress(hostname);
}
