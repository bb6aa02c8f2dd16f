import type { Timer } from 'dealwright/ports';
import { collectBytes, jsonOf } from '../wire/bytes.js';
import type { Route } from '../wire/routes.js';
import type { Sendable } from './encode-upload.js';
import type { FetchLike, RequestLike, ResponseLike } from './fetch-like.js';
import { piecesOf } from './file-source.js';
import { within } from './within.js';

/** An answer, as far as it could be read. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly requestId: string | null;
  readonly body: Body;
}

/** The body as JSON, or why there is none. */
export type Body =
  | { readonly json: unknown }
  /** Larger than any answer of the interface, or no JSON in UTF-8. */
  | 'unreadable'
  /** The connection broke before the end. */
  | 'cut_off';

/** No answer: `sent: false` only where the request certainly did not leave. */
export interface NoReply {
  readonly sent: boolean;
  readonly retryable?: boolean;
  readonly reason: string;
}

/**
 * Bytes of an answer that are read: JSON is parsed without a pause, however much of it there is. A
 * deal has its description, of up to a body, and all its files in its answer.
 */
const maxAnswer = { POST: 2 ** 20, GET: 2 ** 24 } as const;

/** Sends a request once and reads the answer, all of it within `timeout` milliseconds. */
export async function exchange(
  fetch: FetchLike,
  url: string,
  { method }: Route,
  headers: RequestLike['headers'],
  open: Sendable['open'],
  timer: Timer,
  timeout: number,
  stopped: Promise<NoReply>,
): Promise<Reply | NoReply> {
  const controller = new AbortController();
  const { signal } = controller;
  const opened = open?.(signal);
  const answered = async (): Promise<Reply | NoReply> => {
    const body = await opened;
    const response = await fetch(url, {
      method,
      headers,
      ...body,
      redirect: 'manual',
      signal,
    });
    const { status, headers: said } = response;
    return {
      status,
      retryAfter: readRetryAfter(said.get('retry-after'), timer),
      requestId: said.get('x-request-id'),
      body: await readBody(response, maxAnswer[method]),
    };
  };
  const late = { sent: true, reason: `no answer within ${timeout} ms` };
  try {
    // an injected fetch may not listen to the signal: the race ends the wait in any case
    return await within<Reply | NoReply>(timer, timeout, late, answered(), stopped);
  } catch (error) {
    return explain(error);
  } finally {
    // what is still on its way, nobody waits for
    controller.abort();
  }
}

/** Codes of failures to connect: no byte of the request has left. */
const neverConnected =
  /^(?:ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Only a known code is passed on: what an injected fetch throws may hold the whole request, and
 * with it the token.
 */
function explain(error: unknown): NoReply {
  try {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    const known = [code, cause?.code].find((each) => neverConnected.test(String(each)));
    if (known !== undefined) return { sent: false, reason: String(known) };
  } catch {
    // a thrown value that cannot be read explains nothing
  }
  return { sent: true, reason: 'the connection failed' };
}

async function readBody(response: ResponseLike, max: number): Promise<Body> {
  const { body } = response;
  let bytes: Uint8Array | 'too_large';
  try {
    const pieces = body ? piecesOf(body) : [new TextEncoder().encode(await response.text())];
    bytes = await collectBytes(pieces, max);
  } catch {
    return 'cut_off';
  }
  const json = bytes === 'too_large' ? undefined : jsonOf(bytes);
  return json === undefined ? 'unreadable' : { json };
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | null, timer: Timer): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  if (!header.endsWith('GMT')) return undefined;
  const seconds = Math.ceil((Date.parse(header) - timer.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
