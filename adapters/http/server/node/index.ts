import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { ContextOf, Handler, HostAnswer, HttpRequest, HttpResponse } from 'dealwright/http';
import { isInteger, longestWait } from '../../../shared/options.js';
import { givenIdOf, requestIdOf } from '../request-facts.js';
import { createTurn } from '../turn.js';
import { answerInstead, checkMount } from '../wiring.js';
import { bodyPieces, readBody } from './body.js';
import { headTooLong, problemOf } from './client-error.js';
import { type Connection, createIdleWatch, type IdleWatch } from './connections.js';
import { send, sendInstead } from './send.js';

export { createClientErrorListener } from './client-error.js';

/** A request of `node:http` or `node:http2`, with everything that a framework has added to it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The options of `createNodeListener`. */
export interface NodeListenerOptions<Request extends NodeRequest = NodeRequest, Context = unknown> {
  /**
   * Finds the caller by the host's own sessions or keys: a partner or an operator. Called for each
   * request of the interface but a freelancer's. With `undefined`, the header Authorization
   * decides. `context` is the argument of the listener after request and response, such as the
   * framework's own request.
   */
  readonly resolveCaller?: (request: Request, context: Context) => HostAnswer;
  /**
   * Milliseconds without a byte after which a body counts as stalled; default 30,000. A slow body
   * that goes on is bounded only by the server's own `requestTimeout`.
   */
  readonly bodyIdleTimeout?: number;
}

/**
 * Brings a handler to `node:http`, `node:http2`, and everything that takes a Node listener. It
 * never builds a `Request` or a `Response`: that would cost more than the rest of a request. Mount
 * it in front of all parsers of bodies. Behind a parser of JSON it takes `request.rawBody` or
 * `request.body`; if there is neither, the answer is 500, with the cause in `onError`.
 *
 * A client that is answered before it has sent all of its body is not cut off. A small body is
 * read, and the connection goes on. With a larger body, the client has time to read its answer, and
 * then the connection ends. A body that stalls is ended as Node ends a request that takes too long:
 * by the server's `clientError` listener, or with a bare 408. Throws a `TypeError` for anything but
 * a handler, for an unknown option, and for a time-out that is not an integer from 1 to 2^31-1.
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
export function createNodeListener<Request extends NodeRequest = NodeRequest, Context = unknown>(
  handler: Handler,
  options: NodeListenerOptions<Request, Context> = {},
): (
  request: Request,
  response: ServerResponse | Http2ServerResponse,
  ...context: ContextOf<NoInfer<Context>>
) => Promise<void> {
  const { bodyIdleTimeout = 30_000, resolveCaller }: typeof options = Object(options);
  checkMount('createNodeListener', handler, options, ['bodyIdleTimeout', 'resolveCaller'], {
    'bodyIdleTimeout is an integer from 1 to 2147483647': isInteger(
      bodyIdleTimeout,
      1,
      longestWait,
    ),
  });
  const turn = createTurn();

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HttpRequest['caller'],
  ): Promise<void> {
    if (turn !== undefined) await turn();
    const idle = createIdleWatch(request, response, bodyIdleTimeout);
    const asked = toHttpRequest(request, idle, caller);
    let answered: HttpResponse | undefined;
    try {
      answered = isHeadTooLong(request) ? refuseHead(asked) : await handler.handle(asked);
      // the client is gone, or other code of the host has answered it
      if (response.destroyed || response.headersSent) return;
      const sending = send(request, response, answered, idle);
      if (sending !== undefined) await sending;
    } catch (cause) {
      const instead = answerInstead(handler, asked, answered, cause);
      await sendInstead(request, response, answered, instead, idle);
    }
  }

  return (request, response, ...[context]) => {
    const caller = resolveCaller && (() => resolveCaller(request, context as Context));
    // requests and responses of HTTP/2 are made to be used like those of HTTP/1
    return answer(request as IncomingMessage, response as ServerResponse, caller);
  };
}

/** A request whose prefix a framework removed; Connect and Express keep the target in it. */
type Mounted = IncomingMessage & { readonly originalUrl?: string };

function toHttpRequest(
  request: Mounted,
  idle: IdleWatch,
  caller: HttpRequest['caller'],
): HttpRequest {
  return {
    method: request.method ?? 'GET',
    target: originForm(request.url ?? '/'),
    originalTarget: request.originalUrl && originForm(request.originalUrl),
    address: () => request.socket.remoteAddress,
    header: (name) => {
      const { headers } = request;
      const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (limit) => readBody(request, limit, idle),
    stream: () => bodyPieces(request, idle),
    ...(caller && { caller }),
  };
}

/** Node hands out no more headers than this. */
const maxHeaders = 1_000;

/** Node itself counts neither separators nor ends of lines: most of a head of empty headers. */
function isHeadTooLong(request: IncomingMessage): boolean {
  // a request that a test has made up may have no raw headers
  const { method = '', url = '', rawHeaders = [], socket } = request;
  let bytes = method.length + url.length + '  HTTP/1.1\r\n'.length;
  for (const text of rawHeaders) bytes += text.length + 2;
  const { server }: Partial<Connection> = socket ?? {};
  const limit = server?.maxHeaderSize ?? maxHeaderSize;
  return bytes > limit || rawHeaders.length > 2 * maxHeaders;
}

function refuseHead(request: HttpRequest): HttpResponse {
  // the handler makes the ids of requests, but does not see this one
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
