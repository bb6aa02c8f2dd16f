import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkOptions, type Ids } from 'dealwright/ports';
import { requestIdOf } from '../request-facts.js';
import type { Connection } from './connections.js';

interface Fault {
  readonly status: number;
  readonly detail: string;
}

/** The fault of a head of a request that is too long. */
export const headTooLong: Fault = {
  status: 431,
  detail:
    'The head of the request, its request line and headers, is longer than this server takes.',
};

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: headTooLong,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    detail: 'The extensions of a chunk are longer than this server takes.',
  },
  HPE_INVALID_METHOD: {
    status: 400,
    detail: 'The request does not begin with an HTTP method that this server knows (RFC 9110, 9).',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail: 'The request did not arrive in time.',
  },
};
const notHttp: Fault = { status: 400, detail: 'What was sent is not HTTP/1.1 (RFC 9112).' };

/**
 * A listener for a server's `clientError`: bytes that are not HTTP never become a request, and Node
 * answers them with an empty 400. This listener says what is wrong, as problem details (RFC 9457)
 * of the type `about:blank`, which means no more than the status. Earlier requests on the same
 * connection are answered first; without this listener, Node drops those. Throws a `TypeError` if
 * `ids` has no `next`.
 *
 * @example
 * ```ts
 * import type { Server } from 'node:http';
 * import { createClientErrorListener } from 'dealwright/node';
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const explain = (server: Server) =>
 *   server.on('clientError', createClientErrorListener(createSystemPorts()));
 * ```
 */
export function createClientErrorListener(ports: {
  readonly ids: Ids;
}): (error: Error & { readonly code?: string }, socket: Duplex) => void {
  const ids = ports?.ids;
  checkOptions('createClientErrorListener', {
    'ids.next is a function': typeof ids?.next === 'function',
  });
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const fault = faults[error.code ?? ''] ?? notHttp;
    afterAnswers(socket, () => {
      // a socket that was ended still sends its answers, and closes after them
      if (socket.writable) socket.end(answerTo(fault, ids), () => socket.destroy());
    });
  };
}

/** Waits until every complete request is answered: our bytes must not end up in between. */
function afterAnswers(socket: Connection, go: () => void): void {
  const { _httpMessage: current } = socket;
  if (current?.req.complete) current.once('close', () => afterAnswers(socket, go));
  else if (current?.headersSent) socket.destroy();
  else go();
}

export function problemOf({ status, detail }: Fault, request_id: string): string {
  const title = STATUS_CODES[status];
  const instance = `urn:dealwright:request:${request_id}`;
  return JSON.stringify({ type: 'about:blank', title, status, detail, instance, request_id });
}

function answerTo({ status, detail }: Fault, ids: Ids): string {
  const request_id = requestIdOf(undefined, ids);
  const body = problemOf({ status, detail }, request_id);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
