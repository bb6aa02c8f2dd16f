import { collectBytes, piecesOfStream } from '../wire/bytes.js';
import type { Handler, HttpRequest } from './messages.js';
import { createTurn } from './turn.js';
import { checkHandler } from './wiring.js';

/**
 * Brings a handler to every runtime and framework that speaks the Fetch standard: Deno, Bun,
 * Workers, Hono, Next and others. In Node, `createNodeListener` of `dealwright/node` is lighter.
 * Throws a `TypeError` for what is not a handler.
 *
 * @example
 * ```ts
 * import { createFetchHandler, type Handler } from 'dealwright/http';
 *
 * const mount = (handler: Handler) => ({ fetch: createFetchHandler(handler) });
 * ```
 */
export function createFetchHandler(handler: Handler): (request: Request) => Promise<Response> {
  checkHandler('createFetchHandler', handler);
  const turn = createTurn();
  return async (request) => {
    if (turn !== undefined) await turn();
    const { status, headers, body } = await handler.handle(toHttpRequest(request));
    const isText = body === undefined || typeof body === 'string';
    return new Response(isText ? (body ?? null) : streamOf(body), { status, headers });
  };
}

/** The pieces as a stream, one as it is asked for. */
function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const all = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await all.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await all.return?.();
    },
  });
}

function toHttpRequest(request: Request): HttpRequest {
  return {
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBody(request, limit),
    stream: () => piecesOf(request),
  };
}

/** Path and query of an absolute URL, as they stand in it. */
function targetOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  const fragment = url.indexOf('#');
  return path < 0 ? '/' : url.slice(path, fragment < 0 ? undefined : fragment);
}

async function readBody(
  request: Request,
  limit: number,
): Promise<Uint8Array | 'too_large' | 'aborted'> {
  const declared = request.headers.get('content-length');
  try {
    if (declared === null || !/^\d+$/.test(declared)) {
      return await collectBytes(piecesOf(request), limit);
    }
    if (Number(declared) > limit) return 'too_large';
    // a runtime reads no more than was declared; what it reads is measured all the same
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > limit ? 'too_large' : bytes;
  } catch {
    return 'aborted';
  }
}

function piecesOf({ body }: Request): AsyncIterable<Uint8Array> {
  return piecesOfStream<Uint8Array>(body ?? new Blob().stream());
}
