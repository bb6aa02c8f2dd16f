import type { Marketplace } from 'dealwright';
import type { Digest } from 'dealwright/ports';
import { createOpenApiDocument } from '../openapi/document.js';
import type { DocumentFacts } from '../openapi/facts.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { portRefusal, type Refusal, type Reply } from './reply.js';
import { pathOf, pathWithin } from './request-facts.js';
import { listsTag } from './send-file.js';

const health: Reply = { status: 200, body: '{"status":"ok"}' };

type Answering = (request: HttpRequest) => Reply | Promise<Reply | Refusal>;

/** The paths that need no token: health checks, the OpenAPI document, the pages. */
export function createBeside(
  { referencePage, pages, digest, isReady, basePath = '' }: HandlerOptions,
  ready: Marketplace['ready'],
  facts: () => DocumentFacts,
) {
  const files = new Map(Object.entries({ ...referencePage, ...pages }));
  const replies = new Map<string, Reply>();

  /** Makes a reply at its first request: most handlers are never asked for it. */
  function kept(path: string, make: () => Reply): (request: HttpRequest) => Reply {
    return (request) => {
      let reply = replies.get(path);
      if (reply === undefined) {
        reply = withTag(make(), digest);
        replies.set(path, reply);
      }
      const headers = reply.headers ?? {};
      if (!listsTag(request.header('if-none-match'), headers['etag'])) return reply;
      return { status: 304, body: undefined, headers };
    };
  }

  /** The reply to GET of a path, if the path exists. */
  function find(path: string): Answering | undefined {
    if (path === '/healthz' || path === '/healthz/') return () => health;
    if (path === '/readyz' || path === '/readyz/')
      return ready === undefined ? undefined : askReady;
    if (files.has(`${path}/`)) return leadToPage;
    if (path === '/openapi.json') {
      return kept(path, () => ({
        status: 200,
        body: JSON.stringify(createOpenApiDocument(facts())),
      }));
    }
    const file = files.get(path);
    return file && kept(path, () => ({ status: 200, ...file }));
  }

  async function askReady(): Promise<Reply | Refusal> {
    // no port has failed: there is no cause to report
    if (isReady?.() === false) return { code: 'unavailable' };
    const answered = await ready?.();
    return answered?.isErr() ? portRefusal(answered.error) : health;
  }

  /** Without a slash at the end of the address, the links of the page would leave its path. */
  function leadToPage(request: HttpRequest): Reply {
    const { target } = request;
    const query = target.slice(pathOf(target).length);
    const path = basePath + pathWithin(basePath, request);
    const location = `./${path.slice(path.lastIndexOf('/') + 1)}/${query}`;
    return { status: 308, body: undefined, headers: { location } };
  }

  return {
    find,
    /** The methods of a path as `Allow` lists them; `*` asks about the server (RFC 9110, 9.3.7). */
    methods(path: string): string | undefined {
      if (path === '*') return 'DELETE, GET, HEAD, POST';
      return find(path) === undefined ? undefined : 'GET, HEAD';
    },
  };
}

/**
 * Makes clients ask for the reply each time, unless it says how long it can be kept; it is sent only
 * if it has changed.
 */
function withTag(reply: Reply, digest: Digest): Reply {
  const etag = `"${digest(String(reply.body ?? ''))}"`;
  return { ...reply, headers: { 'cache-control': 'no-cache', ...reply.headers, etag } };
}
