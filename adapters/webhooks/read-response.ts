import type { IncomingMessage } from 'node:http';
import type { WebhookReply } from 'dealwright/ports';

/** Bytes of a response that are read, so that its connection can be used again. */
const maxRead = 64 * 1024;

/** Bytes of a response that are kept, to show why a delivery failed. */
const maxKept = 1024;

/**
 * Reads a response. If it has more bytes than are read, the connection ends, and the response still
 * counts. If it ends early, it does not.
 */
export async function readResponse(response: IncomingMessage): Promise<WebhookReply> {
  const kept = new Uint8Array(maxKept);
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      if (size < maxKept) kept.set(piece.subarray(0, maxKept - size), size);
      size += piece.length;
      // leaving the loop destroys the connection
      if (size > maxRead) break;
    }
  } catch {
    return { error: 'invalid_response' };
  }
  return { status_code: response.statusCode ?? 0, response: decode(kept, size) };
}

/** No store accepts U+0000, and a character that is cut in two is left out. */
function decode(kept: Uint8Array, size: number): string {
  const text = new TextDecoder().decode(kept.subarray(0, size), { stream: size > maxKept });
  return text.replaceAll('\0', '\uFFFD');
}
