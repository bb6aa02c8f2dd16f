import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import type { WebhookMessage, WebhookReply, WebhookSender } from 'dealwright/ports';
import { afterEach } from 'vitest';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of running.splice(0)) await close();
});

async function listen(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Serves HTTP on a free port of this machine until the test ends. */
export async function serve(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener);
  const port = await listen(server);
  running.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, server };
}

/** The same for servers that do not speak HTTP. */
export async function serveTcp(listener: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket.on('error', () => undefined));
    listener(socket);
  });
  const port = await listen(server);
  running.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return port;
}

export const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

export const message = (url: string, changes: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  timestamp: Math.floor(Date.now() / 1000),
  body: '{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"webhook.test"}',
  secrets: [secret],
  ...changes,
});

/** The outcome of a message to a URL, in the sandbox. */
export async function send(
  sender: WebhookSender,
  url: string,
  changes?: Partial<WebhookMessage>,
): Promise<WebhookReply> {
  return (await sender.send('sandbox', message(url, changes)))._unsafeUnwrap();
}
