import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReplayMemory, verifyWebhook, type WebhookEvent } from 'dealwright/client';

/** Receives webhooks in a server of Node without a framework. */
export function createWebhookListener(
  secrets: readonly string[],
  act: (event: WebhookEvent) => void | Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const replays = createReplayMemory();
  return async (request, response) => {
    try {
      const body = await readBody(request);
      const verified = await verifyWebhook({ headers: request.headers, body }, secrets, {
        replays,
      });
      if (verified.isOk()) await act(verified.value);
      response.statusCode = verified.isOk() ? 204 : verified.error.status;
      response.end(verified.isOk() ? undefined : JSON.stringify({ code: verified.error.code }));
    } catch {
      // without an answer of 2xx the event comes again
      response.writeHead(500).end();
    }
  };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > 2 ** 20) throw new Error('no event is so large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
