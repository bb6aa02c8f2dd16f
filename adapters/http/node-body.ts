import type { IncomingMessage } from 'node:http';
import { joinBytes } from './join-bytes.js';

type Body = Uint8Array | 'too_large' | 'aborted';

/** Reads a body of up to `limit` bytes; of a larger one the rest is left to come. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
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
    const take = (chunk: Buffer | string) => {
      // a host may have set an encoding
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size <= limit) {
        chunks.push(bytes);
        return;
      }
      request.off('data', take);
      request.pause();
      resolve('too_large');
    };
    request.on('data', take);
    request.on('end', () => {
      // somebody else has read a part of it
      resolve(size < declared ? 'aborted' : joinBytes(chunks, size));
    });
    // after the end it has nothing new to say
    request.on('close', () => resolve('aborted'));
    // a host may have paused it
    request.resume();
  });
}

/** A body piece by piece; one that is not read to its end leaves the connection as it is. */
export async function* readPieces(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (request.destroyed) throw new Error('the client is gone');
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // a host may have set an encoding
    yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
  }
}
