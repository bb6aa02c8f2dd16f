import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the service received it. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The reply of the service to its nth request. */
export type Reply = (response: ServerResponse, received: Received) => void;

export interface TokenService {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** A service on a port of its own that gives these replies in order, the last one for ever. */
export async function startTokenService(...replies: readonly Reply[]): Promise<TokenService> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const each = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(each);
      replies[Math.min(received.length, replies.length) - 1]?.(response, each);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tokens`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A token as the service makes it. */
export const remoteToken = 'remote-token_of~the.service-1';

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const succeed = json(201, { payment_token: remoteToken });
export const stayMute: Reply = () => {};
export const hangUp: Reply = (response) => response.destroy();
/** Begins an answer that never ends. */
export const stall: Reply = (response) => {
  response.writeHead(201, { 'content-type': 'application/json' });
  response.write('{"payment_token":"');
};
