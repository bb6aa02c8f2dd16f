import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Ids } from 'dealwright/ports';
import { requestIdOf } from '../request-facts.js';

interface Fault {
  readonly status: number;
  readonly detail: string;
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    detail:
      'The head of the request, its request line and headers, is longer than this server takes.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    detail: 'The extensions of a chunk are longer than this server takes.',
  },
  HPE_INVALID_METHOD: {
    status: 400,
    detail:
      'What was sent does not begin with a method of HTTP that this server knows (RFC 9110, 9).',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail: 'The request did not arrive in time.',
  },
};
const noHttp: Fault = { status: 400, detail: 'What was sent is not HTTP/1.1 (RFC 9112).' };

/** A connection, with the answer that Node is about to write to it. */
type Connection = Duplex & { readonly _httpMessage?: ServerResponse | null };

/**
 * A listener for a server's `clientError`: what is no HTTP at all never becomes a request, and Node
 * answers it with an empty 400. This one says what is wrong, as problem details (RFC 9457) of the
 * type `about:blank`, which means no more than the status. Requests that came before on the same
 * connection get their answers first; without this listener Node drops those. Throws a `TypeError`
 * where the ids are none.
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
  if (typeof ids?.next !== 'function') {
    throw new TypeError('createClientErrorListener: ids.next is no function');
  }
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const fault = faults[error.code ?? ''] ?? noHttp;
    afterAnswers(socket, () => {
      // one that was ended has answers on their way, and goes when they are out
      if (socket.writable) socket.end(answerTo(fault, ids), () => socket.destroy());
    });
  };
}

/** Waits until every request that came whole is answered: bytes of ours must not end up in between. */
function afterAnswers(socket: Connection, go: () => void): void {
  const { _httpMessage: current } = socket;
  if (current?.req.complete) current.once('close', () => afterAnswers(socket, go));
  else if (current?.headersSent) socket.destroy();
  else go();
}

function answerTo({ status, detail }: Fault, ids: Ids): string {
  const request_id = requestIdOf(undefined, ids);
  const title = STATUS_CODES[status];
  const instance = `urn:dealwright:request:${request_id}`;
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, instance, request_id });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
