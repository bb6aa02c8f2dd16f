import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from 'dealwright/http';
import {
  awaitRest,
  type IdleWatch,
  isReceived,
  sendAndClose,
  sendAndLinger,
} from './connections.js';

type Head = Record<string, string | number>;

/**
 * Sends an answer; what it returns, if anything, resolves once the answer is sent or the client is
 * gone. It throws or rejects if the answer cannot be sent: its content fails, or it has a header
 * that HTTP cannot carry, or other code of the host that wraps the methods of the response fails.
 *
 * Headers go out as an object: wrappers of `writeHead` know no other form for certain, and some
 * return nothing.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  idle: IdleWatch,
): Promise<void> | undefined {
  const head: Head = {};
  for (const name in headers) head[name] = headers[name] ?? '';
  if (head['vary'] !== undefined) head['vary'] = varyOf(response, head['vary']);
  if (body !== undefined && typeof body !== 'string') {
    return sendPieces(response, body, () => response.writeHead(status, head));
  }
  if (body !== undefined) head['content-length'] = Buffer.byteLength(body);
  if (request.httpVersionMajor >= 2) {
    response.writeHead(status, head);
    sendAndClose(request, response, body);
  } else if (isReceived(request)) {
    if (!request.complete) awaitRest(request, idle);
    response.writeHead(status, head);
    response.end(body);
  } else {
    head['connection'] = 'close';
    response.writeHead(status, head);
    sendAndLinger(request, response, body);
  }
  return endOf(response);
}

/**
 * Sends an answer in place of one that failed. If bytes of that one are out, or this one fails too,
 * the connection ends: so a client sees that bytes are missing.
 */
export async function sendInstead(
  request: IncomingMessage,
  response: ServerResponse,
  failed: HttpResponse | undefined,
  instead: HttpResponse,
  idle: IdleWatch,
): Promise<void> {
  try {
    if (!response.headersSent) {
      // a wrapper may have set them before it failed
      for (const name in { ...failed?.headers, ...framing }) response.removeHeader(name);
      await send(request, response, instead, idle);
      return;
    }
  } catch {
    // its cause is the same
  }
  // what was written in this turn leaves first
  await new Promise((resolve) => setImmediate(resolve));
  response.destroy();
}

/** The headers that are added to those of an answer. */
const framing = { 'content-length': '', connection: '' };

/** What other code of the host has said about caches stays true of our answer (RFC 9110, 12.5.5). */
function varyOf(response: ServerResponse, value: string | number): string {
  const before = response.getHeader('vary');
  return before === undefined ? `${value}` : `${before}, ${value}`;
}

/** The end of an answer, unless all of it has left by now, as most have. */
function endOf(response: ServerResponse): Promise<void> | undefined {
  // a response that is made up, by a test or for a function in a cloud, has no length of a queue
  if (response.writableEnded && !response.writableLength) return undefined;
  return new Promise((resolve) => {
    response.on('finish', resolve);
    response.on('close', resolve);
  });
}

/** Sends the content of a file as fast as the client takes it. */
async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
  writeHead: () => unknown,
): Promise<void> {
  let isBegun = false;
  for await (const piece of pieces) {
    if (response.destroyed) return;
    // a content that fails before its first piece can still be answered
    if (!isBegun) writeHead();
    isBegun = true;
    if (response.write(piece) === false) await drainOf(response);
  }
  if (response.destroyed) return;
  if (!isBegun) writeHead();
  response.end();
  await endOf(response);
}

function drainOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}
