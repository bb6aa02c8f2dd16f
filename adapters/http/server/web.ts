import { joinBytes } from '../wire/join-bytes.js';
import type { Handler, HttpRequest } from './messages.js';
import { createTurn } from './turn.js';
import { checkHandler } from './wiring.js';

/**
 * Brings a handler to every runtime and framework that speaks the Fetch standard: Deno, Bun,
 * Workers, Hono, Next and others. In Node, `createNodeListener` of `dealwright/node` is lighter.
 * Throws a `TypeError` for what is no handler.
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
    return new Response(body ?? null, { status, headers });
  };
}

function toHttpRequest(request: Request): HttpRequest {
  return {
    method: request.method,
    target: targetOf(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBody(request, limit),
    stream: () => readPieces(request),
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
    if (declared === null || !/^\d+$/.test(declared)) return await readStream(request.body, limit);
    if (Number(declared) > limit) return 'too_large';
    // the runtime holds a body to the length that was declared for it; what lies is measured
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > limit ? 'too_large' : bytes;
  } catch {
    return 'aborted';
  }
}

async function* readPieces({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let isRead = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    isRead = true;
  } finally {
    // nobody waits for the rest, nor for the news that nobody does
    if (!isRead) reader.cancel().then(undefined, () => undefined);
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | 'too_large'> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > limit) {
      // nobody waits for the rest, nor for the news that nobody does
      reader.cancel().then(undefined, () => undefined);
      return 'too_large';
    }
    chunks.push(read.value);
  }
  return joinBytes(chunks, size);
}
