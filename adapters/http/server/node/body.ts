import type { IncomingMessage } from 'node:http';
import { collectBytes } from '../../wire/bytes.js';
import { isJson } from '../language.js';
import type { IdleWatch } from './connections.js';

type Body = Uint8Array | 'too_large' | 'aborted';

/** Reads a body of up to `limit` bytes; the rest of a larger body is left unread. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  idle: IdleWatch,
): Promise<Body> {
  const kept = keptByParser(request);
  if (kept !== undefined) return kept.length > limit ? 'too_large' : kept;
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > limit) return 'too_large';
  if (request.destroyed) return isEmpty(request) ? new Uint8Array() : 'aborted';
  // most bodies came together with their heads, and can be read without a listener
  if (request.readableLength === declared && declared > 0 && request.readableEncoding === null) {
    return request.read() as Buffer;
  }
  try {
    const body = await collectBytes(readPieces(request, idle), limit);
    return body !== 'too_large' && body.length < declared ? 'aborted' : body;
  } catch {
    return 'aborted';
  }
}

/** Says whether a destroyed request had no body: a parser of the host may have ended it. */
function isEmpty({ headers, complete }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return complete && Number(length) === 0 && encoding === undefined;
}

/** The pieces of a body, from the connection or from a parser of the host. */
export function bodyPieces(request: IncomingMessage, idle: IdleWatch): AsyncIterable<Uint8Array> {
  const kept = keptByParser(request);
  return kept === undefined ? readPieces(request, idle) : onePiece(kept);
}

async function* onePiece(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}

/** The pieces of a body; to stop before its end does not close the connection. */
async function* readPieces(request: IncomingMessage, idle: IdleWatch): AsyncGenerator<Uint8Array> {
  if (request.destroyed) throw new Error('the client is gone');
  const pieces = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      // the timer runs only while the client is waited for
      const timer = setTimeout(idle.end, idle.limit);
      const { value, done } = await pieces.next().finally(() => clearTimeout(timer));
      if (done === true) return;
      // a host may have set an encoding
      yield typeof value === 'string' ? Buffer.from(value) : (value as Buffer);
    }
  } finally {
    await pieces.return?.();
  }
}

/** A request after a parser of bodies: with the bytes, or the parsed value. */
type Parsed = IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown };

/**
 * The body of a request that a parser of the host has read before: its bytes if they were kept, or
 * else the parsed JSON, written again. Throws if there is neither: that is a mistake of the host.
 */
function keptByParser(request: Parsed): Uint8Array | undefined {
  // a request that a test has made up has a body, but is no stream
  const isTaken = request.readableDidRead !== false || request.listenerCount('readable') > 0;
  if (!isTaken) return undefined;
  const { body, rawBody, headers } = request;
  const declared = headers['content-length'];
  for (const kept of [rawBody, body]) {
    const bytes = typeof kept === 'string' ? Buffer.from(kept) : kept;
    // of another length, they are not the body; a text of no known length may be parsed JSON
    const isWhole =
      declared === undefined ? typeof kept !== 'string' : Number(declared) === Object(bytes).length;
    if (bytes instanceof Uint8Array && isWhole) return bytes;
  }
  const isParsed = isJson(headers['content-type']) && !ArrayBuffer.isView(body);
  if (isParsed && body !== undefined && (typeof body !== 'string' || declared !== undefined)) {
    return writtenAgain(body);
  }
  throw new Error(
    'something of the host has read the body before: mount the listener in front of all parsers of bodies, or let the parser keep the bytes as request.rawBody',
  );
}

/** A parsed value as JSON. If it is too deep to be written, text that is refused as too deep. */
function writtenAgain(body: unknown): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch (cause) {
    if (cause instanceof RangeError) return Buffer.from('['.repeat(100));
    throw cause;
  }
}
