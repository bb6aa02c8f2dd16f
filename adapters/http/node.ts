import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler, HttpRequest } from 'dealwright/http';

/**
 * Brings a handler to `node:http`, and to everything that takes a Node listener. It never builds a
 * `Request` or a `Response`, which would cost more than all the rest of a request.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import type { Handler } from 'dealwright/http';
 * import { createNodeListener } from 'dealwright/node';
 *
 * const serve = (handler: Handler) => createServer(createNodeListener(handler)).listen(0);
 * ```
 */
export function createNodeListener(
  handler: Handler,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    // a socket that breaks while the answer is written has nobody to be told
    response.on('error', ignore);
    void answer(handler, request, response);
  };
}

async function answer(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await handler.handle(toHttpRequest(request));
  if (response.destroyed || response.headersSent) return;
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const withLength = status === 204 ? headers : { ...headers, 'content-length': String(length) };
  response.writeHead(status, withLength);
  response.end(body);
  if (!request.complete) drain(request);
}

function ignore(): void {}

function toHttpRequest(request: IncomingMessage): HttpRequest {
  return {
    method: request.method ?? 'GET',
    target: originForm(request.url ?? '/'),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (limit) => readBody(request, limit),
  };
}

/** A client may name the whole URL in its request line (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = target.indexOf('://');
  const path = authority < 0 ? -1 : target.indexOf('/', authority + 3);
  return path < 0 ? target : target.slice(path);
}

function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array | 'too_large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      request.pause();
      resolve('too_large');
    };
    request.on('data', take);
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

const drainedBytes = 2 ** 20;
const drainedMilliseconds = 2_000;

/**
 * Takes the rest of a body that nobody reads, so that the client gets to read its answer and the
 * connection can go on: but only so much, for so long.
 */
function drain(request: IncomingMessage): void {
  const { socket } = request;
  let size = 0;
  const timer = setTimeout(() => socket.destroy(), drainedMilliseconds);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > drainedBytes) socket.destroy();
  });
  request.on('error', ignore);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}
