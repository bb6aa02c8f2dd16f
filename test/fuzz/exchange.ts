import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Handler, HttpResponse } from 'dealwright/http';
import { createClientErrorListener, createNodeListener } from 'dealwright/node';
import { expect } from 'vitest';
import { createPorts } from '../kit/ports.js';
import type { FuzzRequest } from './requests.js';
import type { FuzzAnswer } from './rows.js';

function* piecesOf({ body, pieces }: FuzzRequest): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const size = pieces[turn % pieces.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

/** The text of an answer, also of a file, which comes piece by piece. */
async function textOf(body: HttpResponse['body']): Promise<string | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    expect(piece.length).toBeGreaterThan(0);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Calls the handler itself. */
export async function askHeart(handler: Handler, request: FuzzRequest): Promise<FuzzAnswer> {
  const { method, target, headers, body } = request;
  const answered = await handler.handle({
    method,
    target,
    header: (name) => headers[name],
    body: async (limit) => (body.length > limit ? 'too_large' : body),
    async *stream() {
      yield* piecesOf(request);
    },
  });
  return { ...answered, body: await textOf(answered.body) };
}

/** A real server whose handler changes from time to time. */
export async function openWire() {
  let handler: Handler | undefined;
  const inner: Handler = {
    handle: (request) => handler?.handle(request) ?? Promise.reject(new Error('no handler yet')),
  };
  const limits = { connectionsCheckingInterval: 100, requestTimeout: 2000, headersTimeout: 1000 };
  const server = createServer(limits, createNodeListener(inner, { bodyIdleTimeout: 500 }));
  server.on('clientError', createClientErrorListener(createPorts()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    /** All bytes that come back on a connection of its own, until it ends. */
    ask(by: Handler, request: FuzzRequest): Promise<string> {
      handler = by;
      return new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        let received = '';
        socket.setEncoding('latin1');
        socket.on('data', (text: string) => {
          received += text;
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(received));
        for (const bytes of wireOf(request)) socket.write(bytes);
        // a request that promises more, and then sends nothing: half open
        if (request.wire === 'lying') socket.end();
      });
    },
    connections: () =>
      new Promise<number>((resolve) => {
        server.getConnections((_, count) => resolve(count));
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function* wireOf(request: FuzzRequest): Generator<Uint8Array> {
  const { method, target, headers, body, wire } = request;
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  const lie = body.length % 2 === 0 ? body.length + 7 : Math.floor(body.length / 2);
  const framing =
    wire === 'chunked'
      ? 'transfer-encoding: chunked'
      : `content-length: ${wire === 'length' ? body.length : lie}`;
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([k, v]) => `${k}: ${v}`), framing];
  yield Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  for (const piece of piecesOf(request)) {
    if (wire === 'chunked') yield Buffer.from(`${piece.length.toString(16)}\r\n`);
    yield piece;
    if (wire === 'chunked') yield Buffer.from('\r\n');
  }
  if (wire === 'chunked') yield Buffer.from('0\r\n\r\n');
}

/** The answers in the received bytes, without interim ones. */
export function answersIn(received: string): readonly FuzzAnswer[] {
  const answers: FuzzAnswer[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.slice(0, end < 0 ? rest.length : end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (end < 0 || !(status >= 100)) throw new Error(`no answer of HTTP: ${rest.slice(0, 80)}`);
    const headers: Record<string, string> = {};
    for (const each of lines) {
      const colon = each.indexOf(':');
      headers[each.slice(0, colon).toLowerCase()] = each.slice(colon + 1).trim();
    }
    rest = rest.slice(end + 4);
    // an answer to HEAD has a length, but no content
    const length = rest === '' ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < length) throw new Error('an answer that was cut off');
    const text = Buffer.from(rest.slice(0, length), 'latin1').toString();
    rest = rest.slice(length);
    if (status >= 200) answers.push({ status, headers, body: length === 0 ? undefined : text });
  }
  return answers;
}
