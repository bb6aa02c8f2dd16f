import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from 'dealwright/client';

/** A message to a webhook as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps the messages it receives, and answers with the next of these statuses. */
export async function startReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204).end();
    server.emit('received');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    /** The messages, once so many have arrived. */
    async arrived(count: number): Promise<readonly Received[]> {
      while (received.length < count) await once(server, 'received');
      return received;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The event of a message, if its signature is that of the secret. */
export async function eventOf(received: Received | undefined, secret: string) {
  const verified = await verifyWebhook(received ?? { headers: {}, body: '' }, secret);
  if (verified.isErr()) throw new Error(verified.error.message);
  return verified.value;
}

/** Waits until a process has printed the expected output. */
export async function until(isSo: () => boolean, said: () => unknown): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`it did not come: ${JSON.stringify(said())}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
