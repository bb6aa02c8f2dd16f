import { createFetchHandler } from 'dealwright/http';
import {
  createHttpStore,
  createStoreHandler,
  type HttpStoreOptions,
  type StoreHandlerOptions,
} from 'dealwright/http-store';
import type { Store } from 'dealwright/ports';

export const secret = 'secret-of-both-ends';
const baseUrl = 'http://store.test/store';

/** A store, offered over HTTP and used from there, without a network. */
export function createPair(
  store: Store,
  options: Partial<StoreHandlerOptions> & { readonly client?: Partial<HttpStoreOptions> } = {},
) {
  const { client, ...server } = options;
  const handle = createFetchHandler(createStoreHandler(store, { secret, ...server }));
  const asked: string[] = [];
  const send: typeof fetch = async (...request) => {
    const sent = new Request(...request);
    asked.push(sent.url.slice(baseUrl.length + 1));
    return handle(sent);
  };
  return {
    handle,
    asked,
    send,
    store: createHttpStore({ baseUrl, secret, fetch: send, ...client }),
  };
}

/** One raw request, with the headers that the other end requires unless others are given. */
export function requestOf(
  operation: string,
  body: BodyInit | null,
  headers: Record<string, string>,
  method = 'POST',
): Request {
  return new Request(`${baseUrl}/${operation}`, { method, headers, body });
}
