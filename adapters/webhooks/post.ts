import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { WebhookReply } from 'dealwright/ports';
import { readResponse } from './read-response.js';
import type { Target } from './target.js';

/** What is sent, and where to. */
export interface Posting {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** One address: whether a connection came about, and what came of it. */
interface Outcome {
  readonly isConnected: boolean;
  readonly reply: WebhookReply;
}

/** Addresses of a name that are tried, in the order of the resolver. */
const maxTried = 4;

/** Responses of 1xx before the one that counts: no receiver has a use for more. */
const maxInterim = 16;

/** Makes what posts to addresses. Connections are kept for a moment, for the next message. */
export function createPost(timeout: number) {
  // a proxy of the environment would be connected to in place of the address that was checked
  const kept = { keepAlive: true, timeout: 4000, proxyEnv: {} };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };

  /** Posts to the first of the addresses that takes a connection. */
  return async function post(
    addresses: readonly string[],
    posting: Posting,
  ): Promise<WebhookReply> {
    const tried = addresses.slice(0, maxTried);
    let reply: WebhookReply = { error: 'connection_failed' };
    for (const [index, address] of tried.entries()) {
      // one that does not answer leaves time for the others; the last one has all that is left
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
            // the certificate is checked against the name, also where a variable says otherwise
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
        // the parser would read them for as long as the attempt lasts
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
      // such as a 101, after which there is no error
      request.once('close', () => {
        if (!isAnswered) end({ error: 'connection_failed' });
      });
      request.end(body);
    });
  }
}

/** Whether it is the parser of HTTP that failed. */
function isMalformed(error: NodeJS.ErrnoException): boolean {
  return String(error.code).startsWith('HPE_');
}
