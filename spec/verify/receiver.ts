import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedMessage, Receiver } from '../wire/server.js';

/** A server that takes the webhooks of a run. */
export interface ReceivingServer {
  /** A receiver with an address of its own. */
  open(): Receiver;
  close(): Promise<void>;
}

/** Where to listen, and the URL by which the server under test reaches it. */
export interface ReceiverOptions {
  /** Default: the address that it listens on. */
  readonly url?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
}

interface Box {
  readonly messages: ReceivedMessage[];
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The text of the message to refuse. */
  refused?: string | undefined;
}

/** Starts it. */
export async function startReceiver({
  url,
  port = 0,
  host = '127.0.0.1',
}: ReceiverOptions = {}): Promise<ReceivingServer> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const box = boxes.get((request.url ?? '').split('/').at(-1) ?? '');
      const headers = new Headers(request.headers as Record<string, string>);
      const body = Buffer.concat(pieces).toString('utf8');
      box?.messages.push({ headers, body });
      if (box?.refused !== undefined && body.includes(box.refused)) {
        box.refused = undefined;
        response.writeHead(500).end();
      } else response.writeHead(box?.status ?? 404, box?.headers).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // a test runner has no moment at which it would close it
  server.unref();
  const base = url ?? `http://${host}:${(server.address() as AddressInfo).port}/`;
  return {
    open() {
      const name = crypto.randomUUID();
      const box: Box = { messages: [], status: 204, headers: {} };
      boxes.set(name, box);
      return {
        url: `${base.replace(/\/$/, '')}/${name}`,
        messages: box.messages,
        answer(status, headers = {}) {
          Object.assign(box, { status, headers });
        },
        refuseOnce(text) {
          box.refused = text;
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
