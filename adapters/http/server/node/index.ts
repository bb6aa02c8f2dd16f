import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import type { Handler, HttpRequest, HttpResponse } from 'dealwright/http';
import { givenIdOf, pathOf, requestIdOf } from '../request-facts.js';
import { createTurn } from '../turn.js';
import { checkHandler, checkNames } from '../wiring.js';
import { readBody, readPieces } from './body.js';
import { headTooLong, problemOf } from './client-error.js';
import { awaitRest, type Connection, createIdleWatch, type IdleWatch } from './idle.js';
import { isReceived, sendAndClose, sendAndLinger } from './linger.js';
import { sendPieces } from './stream.js';

export { createClientErrorListener } from './client-error.js';

/** How a handler is brought to `node:http`. */
export interface NodeListenerOptions {
  /**
   * Milliseconds without a byte after which a body counts as stalled; default 30,000. However slow,
   * a body that goes on is bounded by the server's own `requestTimeout` alone.
   */
  readonly bodyIdleTimeout?: number;
}

/**
 * Brings a handler to `node:http`, and to everything that takes a Node listener. It never builds a
 * `Request` or a `Response`, which would cost more than all the rest of a request. Mount it in front
 * of anything that reads bodies.
 *
 * A client that is answered before it has sent all of its body is not cut off: a small body is let
 * in and the connection goes on; with a larger one the client gets to read its answer, and then the
 * connection ends. A body that stalls is ended as Node ends a request that takes too long: by the
 * server's `clientError` listener, or with a bare 408. Throws a `TypeError` for what is not a handler
 * or a known option, and for a time-out that is not an integer from 1 to 2^31-1.
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
  options: NodeListenerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  checkHandler('createNodeListener', handler);
  checkNames('createNodeListener: options', options, ['bodyIdleTimeout']);
  const { bodyIdleTimeout = 30_000 } = options;
  if (!Number.isInteger(bodyIdleTimeout) || bodyIdleTimeout < 1 || bodyIdleTimeout > 2 ** 31 - 1) {
    throw new TypeError('createNodeListener: bodyIdleTimeout is an integer from 1 to 2147483647');
  }
  const turn = createTurn();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (turn !== undefined) await turn();
    const idle = createIdleWatch(request, response, bodyIdleTimeout);
    try {
      const asked = toHttpRequest(request, idle);
      const answered = isHeadTooLong(request) ? refuseHead(asked) : await handler.handle(asked);
      send(request, response, withClosingSlash(request, answered), idle);
    } catch {
      // a handler that is not ours may reject, or name a header that HTTP cannot carry
      response.destroy();
    }
  }

  return (request, response) => {
    void answer(request, response);
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answered: HttpResponse,
  idle: IdleWatch,
): void {
  // the client is gone, or somebody else has answered it
  if (response.destroyed || response.headersSent) return;
  const { status, headers, body } = answered;
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (body !== undefined && typeof body !== 'string') {
    void sendPieces(response.writeHead(status, head), body);
    return;
  }
  if (body !== undefined) head.push('content-length', String(Buffer.byteLength(body)));
  if (request.httpVersionMajor >= 2) {
    sendAndClose(request, response.writeHead(status, head), body);
    return;
  }
  if (isReceived(request)) {
    if (!request.complete) awaitRest(request, idle);
    response.writeHead(status, head).end(body);
    return;
  }
  head.push('connection', 'close');
  sendAndLinger(request, response.writeHead(status, head), body);
}

function toHttpRequest(request: IncomingMessage, idle: IdleWatch): HttpRequest {
  return {
    method: request.method ?? 'GET',
    target: originForm(request.url ?? '/'),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (limit) => readBody(request, limit, idle),
    stream: () => readPieces(request, idle),
  };
}

/** Beyond so many headers Node hands out no more. */
const maxHeaders = 1_000;

/** Node itself counts neither the separators nor the ends of lines, most of a head of empty headers. */
function isHeadTooLong({ method = '', url = '', rawHeaders, socket }: IncomingMessage): boolean {
  let bytes = method.length + url.length + '  HTTP/1.1\r\n'.length;
  for (const text of rawHeaders) bytes += text.length + 2;
  const { server }: Connection = socket;
  const limit = server?.maxHeaderSize ?? maxHeaderSize;
  return bytes > limit || rawHeaders.length > 2 * maxHeaders;
}

function refuseHead(request: HttpRequest): HttpResponse {
  // the handler names requests, and does not see this one
  const requestId = requestIdOf(givenIdOf(request), { next: () => 'none' });
  const headers = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    'cache-control': 'no-store',
  };
  return { status: headTooLong.status, headers, body: problemOf(headTooLong, requestId) };
}

/** A client may name the whole URL in its request line (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A request from which a framework has taken a prefix, as Connect and Express keep its target. */
type Mounted = IncomingMessage & { readonly originalUrl?: string };

/**
 * Under a prefix that is asked for without its closing slash, the links of the page at `/` would
 * lead out of the prefix: then the browser is sent to the same page with the slash.
 */
function withClosingSlash(request: Mounted, answered: HttpResponse): HttpResponse {
  const { url = '', originalUrl } = request;
  // a comparison is all that this costs everybody else
  if ((url.length > 1 && url[1] !== '?') || originalUrl === undefined) return answered;
  const path = pathOf(originalUrl);
  if (answered.status !== 200 || path.endsWith('/')) return answered;
  const segment = path.slice(path.lastIndexOf('/') + 1);
  const location = `./${segment}/${originalUrl.slice(path.length)}`;
  const requestId = answered.headers['x-request-id'] ?? 'none';
  return { status: 308, headers: { 'x-request-id': requestId, location }, body: undefined };
}
