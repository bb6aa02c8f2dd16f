import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Ends a request whose body has stalled. */
export interface IdleWatch {
  /** Milliseconds without a byte. */
  readonly limit: number;
  end(): void;
}

/** A connection with its server, and the response that Node is about to write to it. */
export type Connection = Duplex & {
  readonly server?: {
    readonly maxHeaderSize?: number;
    emit(event: 'clientError', error: Error, socket: Duplex): boolean;
  };
  readonly _httpMessage?: ServerResponse | null;
};

/** Ends a request whose body has stalled as Node ends a request that takes too long: 408. */
export function createIdleWatch(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): IdleWatch {
  return {
    limit,
    end() {
      // over HTTP/2 only the stream ends: other requests share the connection
      if (request.httpVersionMajor >= 2 || response.headersSent) {
        response.destroy();
        return;
      }
      const socket: Connection = request.socket;
      const error = Object.assign(new Error(`no byte of the body for ${limit} ms`), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      if (socket.server?.emit('clientError', error, socket)) return;
      socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n', () => {
        socket.destroy();
      });
    },
  };
}

/** Ends the connection if the rest of a small body does not come after the answer. */
export function awaitRest(request: IncomingMessage, { limit }: IdleWatch): void {
  const timer = setTimeout(() => request.destroy(), limit);
  request.once('close', () => clearTimeout(timer));
}
