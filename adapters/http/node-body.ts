import type { IncomingMessage } from 'node:http';

/** Reads a body of up to `limit` bytes; of a larger one the rest is left to come. */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array | 'too_large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too_large');
  // it will say nothing more: the client is gone, or somebody else has read it
  if (request.destroyed) return Promise.resolve('aborted');
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
