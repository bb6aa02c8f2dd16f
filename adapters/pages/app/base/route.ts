import { signal } from '@preact/signals';
import { moveOn } from './shell.js';

/** Where a page is: the fragment of its address, such as `#/deals/order-1?a=b`. */
interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function read(): Route {
  const [path = '', query] = location.hash.slice(1).split(/\?(.*)/s);
  return { path: path.split('/').slice(1).map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal(read());
addEventListener('hashchange', () => {
  moveOn();
  route.value = read();
});

/** The address of a screen; members of the query without a value are left out. */
export function hrefOf(path: readonly string[], query: Readonly<Record<string, string>> = {}) {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${path.map(encodeURIComponent).join('/')}${given.size > 0 ? `?${given}` : ''}`;
}

export const goTo = (href: string): void => {
  location.hash = href;
};
