import type { Marketplace } from 'dealwright';
import type { Digest } from 'dealwright/ports';
import { createOpenApiDocument } from '../openapi/document.js';
import type { DocumentFacts } from '../openapi/facts.js';
import type { HttpRequest } from './messages.js';
import type { HandlerOptions } from './options.js';
import { portRefusal, type Refusal, type Reply } from './reply.js';
import { pathOf } from './request-facts.js';
import { listsTag } from './send-file.js';

const health: Reply = { status: 200, body: '{"status":"ok"}' };

type Answering = (request: HttpRequest) => Reply | Promise<Reply | Refusal>;

/** What is answered to anybody: health checks, the OpenAPI document, the page that shows it. */
export function createBeside(
  { referencePage: page, digest, isReady, basePath = '' }: HandlerOptions,
  ready: Marketplace['ready'],
  facts: () => DocumentFacts,
) {
  const files = new Map(Object.entries(page ?? {}));
  const replies = new Map<string, Reply>();

  /** Made when it is first asked for: most handlers that start never are. */
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

  /** What GET of a path is answered with, where there is something. */
  function find(path: string): Answering | undefined {
    if (path === '/healthz' || path === '/healthz/') return () => health;
    if (path === '/readyz' || path === '/readyz/')
      return ready === undefined ? undefined : askReady;
    if (path === '' && files.has('/')) return leadToPage;
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
    // nothing has failed: there is no cause to report
    if (isReady?.() === false) return { code: 'unavailable' };
    const answered = await ready?.();
    return answered?.isErr() ? portRefusal(answered.error) : health;
  }

  /** The links of the page would lead out of the base path where its address has no slash at the end. */
  function leadToPage({ target }: HttpRequest): Reply {
    const query = target.slice(pathOf(target).length);
    const location = `./${basePath.slice(basePath.lastIndexOf('/') + 1)}/${query}`;
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

/** Asked for again each time, and sent only where it has changed. */
function withTag(reply: Reply, digest: Digest): Reply {
  const etag = `"${digest(String(reply.body ?? ''))}"`;
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-cache', etag } };
}
