import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Ids } from 'dealwright/ports';
import { requestIdOf } from './request-facts.js';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * A listener for a server's `clientError`: what is no HTTP at all never becomes a request, and Node
 * answers it with an empty 400. This one says what is wrong, as problem details (RFC 9457) of the
 * type `about:blank`, which means no more than the status.
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
export function createClientErrorListener({
  ids,
}: {
  readonly ids: Ids;
}): (error: Error & { readonly code?: string }, socket: Duplex) => void {
  return (error, socket) => {
    // Node's own listener looks at the same: bytes of ours must not end up within another answer
    const { _httpMessage: current } = socket as Duplex & {
      readonly _httpMessage?: { readonly headersSent: boolean } | null;
    };
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
      socket.destroy();
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    const request_id = requestIdOf(undefined, ids);
    const title = STATUS_CODES[status];
    const detail = 'The request is not HTTP as this server takes it.';
    const instance = `urn:dealwright:request:${request_id}`;
    const body = JSON.stringify({
      type: 'about:blank',
      title,
      status,
      detail,
      instance,
      request_id,
    });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${request_id}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
