import { collectBytes } from '../wire/bytes.js';
import type { Handler, HostAnswer, HttpRequest, HttpResponse } from './messages.js';
import { createTurn } from './turn.js';
import { type ReceivedBody, receive } from './web-body.js';
import { answerInstead, type ContextOf, checkMount } from './wiring.js';

/** The options of `createFetchHandler`. */
export interface FetchHandlerOptions<Context = unknown> {
  /**
   * Finds the caller by the host's own sessions or keys: a partner or an operator. Called for each
   * request of the interface but a freelancer's. With `undefined`, the header Authorization
   * decides. `context` is the argument of the function after the request, such as the framework's
   * own context.
   */
  readonly resolveCaller?: (request: Request, context: Context) => HostAnswer;
}

/**
 * Brings a handler to every runtime and framework with the Fetch standard: Deno, Bun, Workers,
 * Hono, Next and others. In Node, `createNodeListener` of `dealwright/node` is lighter. Throws a
 * `TypeError` for anything but a handler, and for an unknown option.
 *
 * @example
 * ```ts
 * import { createFetchHandler, type Handler } from 'dealwright/http';
 *
 * const mount = (handler: Handler) => ({ fetch: createFetchHandler(handler) });
 * ```
 */
export function createFetchHandler<Context = unknown>(
  handler: Handler,
  options: FetchHandlerOptions<Context> = {},
): (request: Request, ...context: ContextOf<NoInfer<Context>>) => Promise<Response> {
  checkMount('createFetchHandler', handler, options, ['resolveCaller']);
  const { resolveCaller } = options;
  const turn = createTurn();
  return async (request, ...[context]) => {
    if (turn !== undefined) await turn();
    const caller = resolveCaller && (() => resolveCaller(request, context as Context));
    const received = receive(request);
    const asked = toHttpRequest(request, received, caller);
    let answered: HttpResponse | undefined;
    const fail = (cause: unknown) => answerInstead(handler, asked, answered, cause);
    try {
      answered = await handler.handle(asked);
      return toResponse(answered, received, fail);
    } catch (cause) {
      return toResponse(fail(cause), received, fail);
    }
  };
}

function toResponse(
  { status, headers, body }: HttpResponse,
  received: ReceivedBody,
  fail: (cause: unknown) => unknown,
): Response {
  const response = new Response(bodyOf(body, received, fail), { status, headers });
  // a Response in the place of the runtime's may judge them only as they are read
  void response.headers;
  return response;
}

function bodyOf(
  body: HttpResponse['body'],
  received: ReceivedBody,
  fail: (cause: unknown) => unknown,
): string | ReadableStream<Uint8Array> | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? received.answerWith(body) : streamOf(body, fail);
}

/** The pieces as a stream: each is read when it is asked for. */
function streamOf(
  pieces: AsyncIterable<Uint8Array>,
  fail: (cause: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const all = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await all.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        fail(cause);
        throw cause;
      }
    },
    async cancel() {
      await all.return?.();
    },
  });
}

function toHttpRequest(
  request: Request,
  received: ReceivedBody,
  caller: HttpRequest['caller'],
): HttpRequest {
  return {
    method: request.method,
    target: targetOf(request.url),
    header: (name) =>
      request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : undefined),
    body: (limit) => readBody(request, received, limit),
    stream: () => {
      if (request.bodyUsed || request.body?.locked === true) throw readBefore();
      return received.pieces();
    },
    ...(caller && { caller }),
  };
}

/** Other code of the host has read the body, or has begun to: it cannot be read again. */
function readBefore(): Error {
  return new Error(
    'something of the host has read the body before: hand over the request unread, or a clone of it that was made before',
  );
}

/** Path and query of an absolute URL, unchanged. */
function targetOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  const fragment = url.indexOf('#');
  return path < 0 ? '/' : url.slice(path, fragment < 0 ? undefined : fragment);
}

async function readBody(
  request: Request,
  received: ReceivedBody,
  limit: number,
): Promise<Uint8Array | 'too_large' | 'aborted'> {
  if (request.bodyUsed) throw readBefore();
  const declared = request.headers.get('content-length');
  try {
    if (declared === null || !/^\d+$/.test(declared)) {
      return await collectBytes(received.pieces(), limit);
    }
    if (Number(declared) > limit) return 'too_large';
    // a runtime reads no more than the declared length; its bytes are counted all the same
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length < Number(declared)) return 'aborted';
    return bytes.length > limit ? 'too_large' : bytes;
  } catch {
    // a body that other code has locked stays unused after the attempt to read it. To look at it
    // before would make some servers build a stream, which takes as long as the rest of a request
    if (!request.bodyUsed) throw readBefore();
    return 'aborted';
  }
}
