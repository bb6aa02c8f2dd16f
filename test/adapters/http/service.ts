import { createServer, type Server, type ServerOptions } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createMarketplace, type Tenant } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createHandler, type Handler, type HandlerOptions } from 'dealwright/http';
import {
  createClientErrorListener,
  createNodeListener,
  type NodeListenerOptions,
} from 'dealwright/node';
import type { MarketplacePorts } from 'dealwright/ports';
import { createPorts } from '../../kit/ports.js';

export { contractor, deal, dealV2 } from '../../kit/requests.js';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const live: Tenant = { environment: 'production', partner: 'acme' };
export const token = 'sandbox-token-of-acme';
export const liveToken = 'production-token-of-acme';

export type Wiring = Partial<HandlerOptions> & {
  readonly ports?: MarketplacePorts;
  readonly fileLimit?: number;
};

/** A handler over a memory store of its own, which knows the two tokens above. */
export function createService({
  ports = createPorts(),
  fileLimit = 25 * 2 ** 20,
  ...options
}: Wiring = {}): Handler {
  const authenticator = createTokenAuthenticator(
    [
      [token, acme],
      [liveToken, live],
    ],
    ports,
  );
  return createHandler(createMarketplace(ports, { fileLimit }), {
    ...ports,
    authenticator,
    ...options,
  });
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The pieces of the body, instead of the whole body at once. */
  readonly chunks?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** The headers of a JSON request with the token of acme. */
export const asAcme = { authorization: `Token ${token}`, 'content-type': 'application/json' };

/** Calls the handler; by default as acme and with JSON. A body that is not text becomes JSON. */
export async function ask(handler: Handler, target: string, asked: Asked = {}) {
  const { method = 'POST', body = '' } = asked;
  const headers: Readonly<Record<string, string>> = asked.headers ?? asAcme;
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const answered = await handler.handle({
    method,
    target,
    header: (name) => headers[name],
    body: async (limit) => (bytes.length > limit ? 'too_large' : bytes),
    async *stream() {
      yield* asked.chunks ?? [bytes];
    },
  });
  return {
    ...answered,
    json: typeof answered.body === 'string' ? JSON.parse(answered.body) : undefined,
  };
}

/** Runs a function against a handler under node:http on a port of its own. */
export async function onNode<T>(
  handler: Handler,
  run: (baseUrl: string, port: number, server: Server) => Promise<T>,
  { listener, ...limits }: ServerOptions & { readonly listener?: NodeListenerOptions } = {},
): Promise<T> {
  const server = createServer(limits, createNodeListener(handler, listener));
  server.on('clientError', createClientErrorListener(createPorts()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    return await run(`http://127.0.0.1:${port}`, port, server);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

/** A raw connection: the bytes that it has received, and a way to wait for more. */
export function openSocket(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  // a reset is one way in which a connection ends
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  return {
    socket,
    closed,
    received: () => received,
    isClosed: () => isClosed,
    /** Resolves when the received text matches, or the connection is over. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(received) && !isClosed) {
        await new Promise((resolve) => {
          setTimeout(resolve, 2);
        });
      }
      return received;
    },
  };
}

/** The head of a request as text. */
export function head(line: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([k, v]) => `${k}: ${v}`);
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}
