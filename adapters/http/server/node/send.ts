import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from 'dealwright/http';
import {
  awaitRest,
  type IdleWatch,
  isReceived,
  sendAndClose,
  sendAndLinger,
} from './connections.js';

/**
 * Sends an answer, and resolves once it is sent or the client is gone. Rejects if the answer cannot
 * be sent: its content fails, or a header that HTTP cannot carry, or other code of the host that
 * has put itself in front of the methods of the response.
 *
 * Headers go out by `setHeader` alone, which all such code knows: many a wrapper of `writeHead`
 * reads a list of headers wrongly, or returns nothing.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answered: HttpResponse,
  idle: IdleWatch,
): Promise<void> {
  const { body } = answered;
  setHead(response, answered);
  const closed = closeOf(response);
  if (body !== undefined && typeof body !== 'string') await sendPieces(response, body);
  else sendText(request, response, body, idle);
  // a response that a test has made up may have no events
  if (response.writableFinished !== true) await closed;
}

/** The headers that the listener adds to those of an answer. */
const framing = { 'content-length': '', connection: '' };

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

function setHead(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.statusCode = status;
  for (const name in headers) {
    const value = headers[name] ?? '';
    response.setHeader(name, name === 'vary' ? varyOf(response, value) : value);
  }
  if (typeof body === 'string') response.setHeader('content-length', Buffer.byteLength(body));
}

/** What other code of the host has said about caches stays true of our answer (RFC 9110, 12.5.5). */
function varyOf(response: ServerResponse, value: string): string {
  const before = response.getHeader('vary');
  return before === undefined ? value : `${before}, ${value}`;
}

function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on('finish', resolve);
    response.on('close', resolve);
  });
}

function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
  idle: IdleWatch,
): void {
  if (request.httpVersionMajor >= 2) {
    sendAndClose(request, response, body);
  } else if (isReceived(request)) {
    if (!request.complete) awaitRest(request, idle);
    response.end(body);
  } else {
    response.setHeader('connection', 'close');
    sendAndLinger(request, response, body);
  }
}

/** Sends the content of a file as fast as the client takes it. */
async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece) === false) await drainOf(response);
  }
  response.end();
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
