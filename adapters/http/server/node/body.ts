import type { IncomingMessage } from 'node:http';
import { joinBytes } from '../../wire/join-bytes.js';
import type { IdleWatch } from './idle.js';

type Body = Uint8Array | 'too_large' | 'aborted';

/** Reads a body of up to `limit` bytes; of a larger one the rest is left to come. */
export function readBody(request: IncomingMessage, limit: number, idle: IdleWatch): Promise<Body> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > limit) return Promise.resolve('too_large');
  // it will say nothing more: the client is gone, or somebody else has read it or is about to
  if (request.destroyed || request.listenerCount('readable') > 0) return Promise.resolve('aborted');
  // most bodies came together with their heads, and are taken without listening for them
  if (request.readableLength === declared && declared > 0 && request.readableEncoding === null) {
    return Promise.resolve(request.read() as Buffer);
  }
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const timer = setTimeout(idle.end, idle.limit);
    const settle = (body: Body) => {
      clearTimeout(timer);
      resolve(body);
    };
    const take = (chunk: Buffer | string) => {
      timer.refresh();
      // a host may have set an encoding
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size <= limit) {
        chunks.push(bytes);
        return;
      }
      request.off('data', take);
      request.pause();
      settle('too_large');
    };
    request.on('data', take);
    request.on('end', () => {
      // somebody else has read a part of it
      settle(size < declared ? 'aborted' : joinBytes(chunks, size));
    });
    // after the end it has nothing new to say
    request.on('close', () => settle('aborted'));
    // a host may have paused it
    request.resume();
  });
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
