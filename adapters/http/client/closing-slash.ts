import type { ResponseLike } from './fetch-like.js';

/**
 * Whether paths are sent with their closing slash, as the interface writes them. Some hosts answer
 * only one form, and redirect to it. A client remembers the form that it was redirected to.
 */
export interface ClosingSlash {
  isSent: boolean;
}

/** A path, with its query if it has one, in the form that is sent. */
export function withClosingSlash(path: string, { isSent }: ClosingSlash): string {
  return path.replace(/\/?(?=\?|$)/, isSent ? '/' : '');
}

/**
 * Says whether a response redirects to the same address, except for the closing slash of its path.
 * Only 307 and 308 ask for the same method and body. Escapes in the query may differ.
 */
export function isToOtherSlash(
  { status, type, headers }: ResponseLike,
  sent: string,
  closing: ClosingSlash,
  isRepeatable: boolean,
): boolean {
  // a browser hides the status of a redirect and its target
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
