import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends the content of a file as fast as the client takes it. If the content fails or the client
 * goes away, the connection ends: a client sees that bytes are missing.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), response);
  } catch {
    response.destroy();
  }
}
