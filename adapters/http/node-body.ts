import type { IncomingMessage } from 'node:http';

type Body = Uint8Array | 'too_large' | 'aborted';

/** Reads a body of up to `limit` bytes; of a larger one the rest is left to come. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.resolve('too_large');
  // it will say nothing more: the client is gone, or somebody else has read it
  if (request.destroyed) return Promise.resolve('aborted');
  // most bodies came together with their heads, and are taken without listening for them
  if (declared > 0 && request.readableLength === declared && request.readableEncoding === null) {
    return Promise.resolve(request.read() as Buffer);
  }
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
    // after the end it has nothing new to say
    request.on('close', () => resolve('aborted'));
  });
}
