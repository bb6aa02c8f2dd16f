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

/** Up to so many bytes, Node may read the rest of a body by itself after the answer. */
const smallBody = 64 * 1024;

/** Says whether the body has arrived, or is so small that it may arrive later. */
export function isReceived({ complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  const isSmall = Number(headers['content-length'] ?? 0) <= smallBody;
  return isSmall && headers['transfer-encoding'] === undefined;
}

/** A response; of HTTP/2 if it has a stream. */
type Streamed = ServerResponse & { readonly stream?: { close(): void } };

/**
 * Sends an answer over HTTP/2: only the stream ends, not the connection. After the whole answer, a
 * client that is still sending is told to stop (RFC 9113, 8.1).
 */
export function sendAndClose(
  request: IncomingMessage,
  response: Streamed,
  body: string | undefined,
): void {
  response.end(body, () => {
    if (request.complete) return;
    response.stream?.close();
    // the request ends only after the bytes that have come are read
    request.resume();
  });
}

const lingerBytes = 16 * 1024 * 1024;
/** Every chunk counts as at least so many bytes: a tiny one takes as much work. */
const lingerChunk = 16 * 1024;
const lingerMilliseconds = 2_000;

/**
 * Sends an answer to a client that is still sending, and then ends the connection. To close at once
 * would discard the answer together with the bytes that the client has sent meanwhile (RFC 9112,
 * 9.6). So the bytes that come are read, up to a limit of size and of time.
 */
export function sendAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
): void {
  let left = lingerBytes;
  const finish = () => {
    clearTimeout(timer);
    // else the bytes that have come since would still be parsed, chunk by chunk
    request.pause();
    request.socket.pause();
    if (!response.destroyed && !response.writableEnded) response.end();
  };
  const timer = setTimeout(finish, lingerMilliseconds);
  // if the socket breaks meanwhile, there is no one left to answer
  response.on('error', finish);
  // all of the answer leaves now: its length tells the client that nothing follows
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  request.on('data', (chunk: Buffer) => {
    left -= Math.max(chunk.length, lingerChunk);
    if (left < 0) finish();
  });
  request.on('end', finish);
  request.on('close', finish);
  request.resume();
}
