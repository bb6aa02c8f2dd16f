import type { IncomingMessage, ServerResponse } from 'node:http';

/** Node lets in by itself what comes of a body after the answer; of so much it may. */
const smallBody = 64 * 1024;

/** Says whether the body is there, or so small that it may as well come. */
export function isReceived({ complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  const isSmall = Number(headers['content-length'] ?? 0) <= smallBody;
  return isSmall && headers['transfer-encoding'] === undefined;
}

/** A response, of HTTP/2 where it has a stream. */
type Streamed = ServerResponse & { readonly stream?: { close(): void } };

/**
 * Sends an answer over HTTP/2, where a stream ends and not the connection: a client that is still
 * sending is told, after all of the answer, that it need not (RFC 9113, 8.1).
 */
export function sendAndClose(
  request: IncomingMessage,
  response: Streamed,
  body: string | undefined,
): void {
  response.end(body, () => {
    if (request.complete) return;
    response.stream?.close();
    // it is not over before what has come of it is read
    request.resume();
  });
}

const lingerBytes = 16 * 1024 * 1024;
/** What a chunk counts at least: the work for one is the same, however few its bytes. */
const lingerChunk = 16 * 1024;
const lingerMilliseconds = 2_000;

/**
 * Sends an answer to a client that is still sending, and then ends the connection. To close at once
 * would throw the answer away together with what the client has sent meanwhile (RFC 9112, 9.6), so
 * what comes is read: but only so much, for so long.
 */
export function sendAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
): void {
  let left = lingerBytes;
  const finish = () => {
    clearTimeout(timer);
    // or else what has come since would still be parsed, a chunk at a time
    request.pause();
    request.socket.pause();
    if (!response.destroyed && !response.writableEnded) response.end();
  };
  const timer = setTimeout(finish, lingerMilliseconds);
  // a socket that breaks meanwhile has nobody to be told
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
