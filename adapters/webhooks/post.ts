import type { IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { WebhookReply } from 'dealwright/ports';
import type { Target } from './target.js';

/** A message, and its target. */
export interface Posting {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** The outcome for one address: whether a connection was made, and its result. */
interface Outcome {
  readonly isConnected: boolean;
  readonly reply: WebhookReply;
}

/** Addresses of a name that are tried, in the order of the resolver. */
const maxTried = 4;

/** Responses of 1xx before the final one: no receiver needs more. */
const maxInterim = 16;

/**
 * Makes a function that posts to addresses. Connections are kept for a moment, for the next
 * message.
 */
export function createPost(timeout: number) {
  // a proxy of the environment would replace the checked address
  const kept = { keepAlive: true, timeout: 4000, proxyEnv: {} };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };

  /** Posts to the first of the addresses that accepts a connection. */
  return async function post(
    addresses: readonly string[],
    posting: Posting,
  ): Promise<WebhookReply> {
    const tried = addresses.slice(0, maxTried);
    let reply: WebhookReply = { error: 'connection_failed' };
    for (const [index, address] of tried.entries()) {
      // an address that does not answer leaves time for the others; the last one has the rest
      const isLast = index === tried.length - 1;
      const outcome = await postTo(address, posting, isLast ? undefined : timeout / tried.length);
      reply = outcome.reply;
      if (outcome.isConnected || posting.signal.aborted) break;
    }
    return reply;
  };

  /** Posts to exactly this address: nothing is resolved again. */
  function postTo(
    address: string,
    { target, headers, body, signal }: Posting,
    connectWithin: number | undefined,
  ): Promise<Outcome> {
    const { isTls, hostname, host, port, path } = target;
    return new Promise((resolve) => {
      let isConnected = false;
      let isAnswered = false;
      const end = (reply: WebhookReply) => {
        clearTimeout(timer);
        resolve({ isConnected, reply });
      };
      const options: https.RequestOptions = {
        method: 'POST',
        host: address,
        port,
        path,
        headers: { host, ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      };
      const request = isTls
        ? https.request({
            ...options,
            agent: agents.https,
            // the certificate is checked against the name, even if a variable disables that
            servername: isIP(hostname) === 0 ? hostname.replace(/\.+$/, '') : '',
            rejectUnauthorized: true,
          })
        : http.request({ ...options, agent: agents.http });
      const timer =
        connectWithin === undefined
          ? undefined
          : setTimeout(() => request.destroy(), connectWithin);
      request.once('socket', (socket) => {
        const connected = () => {
          isConnected = true;
          clearTimeout(timer);
        };
        if (socket.connecting) socket.once('connect', connected);
        else connected();
      });
      let interim = 0;
      request.on('information', () => {
        interim += 1;
        // the parser would read them until the end of the attempt
        if (interim <= maxInterim) return;
        end({ error: 'invalid_response' });
        request.destroy();
      });
      request.once('response', (response) => {
        isAnswered = true;
        readResponse(response).then(end);
      });
      request.on('error', (error) => {
        if (!isAnswered)
          end({ error: isMalformed(error) ? 'invalid_response' : 'connection_failed' });
      });
      // for example after a 101, without an error
      request.once('close', () => {
        if (!isAnswered) end({ error: 'connection_failed' });
      });
      request.end(body);
    });
  }
}

/** Whether the parser of HTTP failed. */
function isMalformed(error: NodeJS.ErrnoException): boolean {
  return String(error.code).startsWith('HPE_');
}

/** Bytes of a response that are read, so that its connection can be used again. */
const maxRead = 64 * 1024;

/** Bytes of a response that are kept, to show why a delivery failed. */
const maxKept = 1024;

/**
 * Reads a response. If it has more bytes than are read, the connection ends, and the response still
 * counts. If it ends early, it does not.
 */
export async function readResponse(response: IncomingMessage): Promise<WebhookReply> {
  const kept = new Uint8Array(maxKept);
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      if (size < maxKept) kept.set(piece.subarray(0, maxKept - size), size);
      size += piece.length;
      // leaving the loop destroys the connection
      if (size > maxRead) break;
    }
  } catch {
    return { error: 'invalid_response' };
  }
  return { status_code: response.statusCode ?? 0, response: decode(kept, size) };
}

/** No store accepts U+0000, and a character that is cut in two is left out. */
function decode(kept: Uint8Array, size: number): string {
  const text = new TextDecoder().decode(kept.subarray(0, size), { stream: size > maxKept });
  return text.replaceAll('\0', '\uFFFD');
}
