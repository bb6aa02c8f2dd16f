import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import { asAcme, contractor, createService, deal, head, openSocket } from './service.js';

/** What a host has in front of a listener, as Connect and Express call it. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (problem?: unknown) => void,
) => void;

/** Serves a handler behind a middleware for a while. */
export async function servedBehind<T>(
  handler: Handler,
  middleware: Middleware = (_request, _response, next) => next(),
  run: (port: number) => Promise<T>,
): Promise<T> {
  const listener = createNodeListener(handler);
  const server = createServer((request, response) => {
    middleware(request, response, () => listener(request, response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    return await run((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

/** An answer as it came: the lines of its head, and its body. */
export interface Received {
  readonly head: string;
  readonly body: string;
}

const file = Buffer.from('Once upon a time', 'utf8').toString('base64');
const upload = JSON.stringify({ name: 'a.txt', content_type: 'text/plain', content: file });
const origin = { origin: 'https://app.example' };

type Ask = readonly [line: string, headers?: object, body?: string, length?: number];

/** Requests for every way in which a listener sends; `{file}` is the path of a file. */
const requests: Readonly<Record<string, Ask>> = {
  create: ['POST /api/1.0/contractor/', origin, JSON.stringify(contractor)],
  again: ['POST /api/1.0/contractor/', origin, JSON.stringify(contractor)],
  deal: ['POST /api/1.0/deal/', {}, JSON.stringify(deal)],
  broken: ['POST /api/1.0/deal/', { accept: 'application/problem+json' }, '{'],
  unauthorized: ['GET /api/2.0/deal/', { authorization: '' }],
  read: [`GET /api/2.0/deal/${deal.partner_id}/`, origin],
  head: [`HEAD /api/2.0/deal/${deal.partner_id}/`],
  options: ['OPTIONS /api/2.0/deal/', origin],
  method: ['DELETE /api/2.0/deal/'],
  unknown: ['GET /api/2.0/unknown/'],
  health: ['GET /healthz'],
  upload: [`POST /api/2.0/deal/${deal.partner_id}/file/`, {}, upload],
  download: ['GET {file}'],
  'head of a file': ['HEAD {file}'],
  range: ['GET {file}', { range: 'bytes=5-8' }],
  'no such range': ['GET {file}', { range: 'bytes=50-80' }],
  'not modified': ['GET {file}', { 'if-none-match': '*' }],
  'too large': ['POST /api/1.0/deal/', {}, ' '.repeat(1000), 2 ** 21],
};

/**
 * What is answered to these requests behind a middleware, without the date and the lines that are
 * its own.
 */
export async function answersBehind(
  middleware: Middleware,
  own: readonly string[] = [],
): Promise<Readonly<Record<string, Received>>> {
  const service = createService({
    corsOrigins: ['https://app.example'],
    deprecation: { since: new Date('2026-01-01T00:00:00Z') },
  });
  const received: Record<string, Received> = {};
  await servedBehind(service, middleware, async (port) => {
    let path = '';
    for (const [name, [line, headers, body = '', length]] of Object.entries(requests)) {
      const sent = {
        ...asAcme,
        'x-request-id': name.replaceAll(' ', '-'),
        connection: 'close',
        ...(body && { 'content-length': length ?? Buffer.byteLength(body) }),
        ...headers,
      };
      const { socket, received: all, closed } = openSocket(port);
      socket.write(head(line.replace('{file}', path), sent) + body);
      // the rest of a body that is too large never comes
      if (length !== undefined) setTimeout(() => socket.end(), 200);
      await closed;
      received[name] = withoutOwn(all(), own);
      const id = /"id":"([0-9A-Z]{26})"/.exec(all())?.[1];
      if (name === 'upload') path = `/api/2.0/deal/${deal.partner_id}/file/${id}/`;
    }
  });
  return received;
}

/** Ids and times differ from run to run. */
function withoutOwn(answer: string, own: readonly string[]): Received {
  const [lines = '', ...bodies] = answer.split('\r\n\r\n');
  const isOwn = (line: string) =>
    ['date', ...own].some((name) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const kept = lines.split('\r\n').filter((line) => !isOwn(line));
  const body = bodies.join('\r\n\r\n');
  return {
    head: kept.join('\n'),
    body: body
      .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
      .replace(/\d{4}-\d\d-\d\dT[^"]*Z/g, 'TIME'),
  };
}
