import type { IncomingMessage } from 'node:http';
import { collectBytes } from '../../wire/bytes.js';
import type { IdleWatch } from './idle.js';

type Body = Uint8Array | 'too_large' | 'aborted';

/** Reads a body of up to `limit` bytes; of a larger one the rest is left to come. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  idle: IdleWatch,
): Promise<Body> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > limit) return 'too_large';
  // the client is gone, or somebody else reads the body
  if (request.destroyed || request.listenerCount('readable') > 0) return 'aborted';
  // most bodies came together with their heads, and are taken without listening for them
  if (request.readableLength === declared && declared > 0 && request.readableEncoding === null) {
    return request.read() as Buffer;
  }
  try {
    const body = await collectBytes(readPieces(request, idle), limit);
    // where some of it is missing, somebody else has read that
    return body !== 'too_large' && body.length < declared ? 'aborted' : body;
  } catch {
    return 'aborted';
  }
}

/** A body piece by piece; one that is not read to its end leaves the connection as it is. */
export async function* readPieces(
  request: IncomingMessage,
  idle: IdleWatch,
): AsyncGenerator<Uint8Array> {
  if (request.destroyed) throw new Error('the client is gone');
  const pieces = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      // only while it is the client that is waited for
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
