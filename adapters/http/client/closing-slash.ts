import type { ResponseLike } from './fetch-like.js';

/**
 * Whether paths are sent with their closing slash, as the interface writes them. Some hosts answer
 * one form alone, and redirect to it. What a client learns of that, it keeps.
 */
export interface ClosingSlash {
  isSent: boolean;
}

/** A path, with its query if it has one, in the form that is sent. */
export function withClosingSlash(path: string, { isSent }: ClosingSlash): string {
  return path.replace(/\/?(?=\?|$)/, isSent ? '/' : '');
}

/**
 * Says whether a response redirects to the same address, but for the closing slash of its path. Only
 * 307 and 308 ask for the same method and body. Escapes of the query may be written in another way.
 */
export function isToOtherSlash(
  { status, type, headers }: ResponseLike,
  sent: string,
  closing: ClosingSlash,
  isRepeatable: boolean,
): boolean {
  // a browser says neither which redirect it is nor where it leads
  if (type === 'opaqueredirect') return isRepeatable;
  const location = headers.get('location');
  if ((status !== 307 && status !== 308) || location === null) return false;
  const other = withClosingSlash(sent, { isSent: !closing.isSent });
  return URL.canParse(location, sent) && plain(new URL(location, sent)) === plain(new URL(other));
}

function plain(url: URL): string {
  const query = String(url.searchParams);
  url.search = '';
  return `${url.href} ${query}`;
}
