import type { DownloadedFile } from 'dealwright';
import { parseRetryAfter } from '../../shared/response.js';
import { within } from '../../shared/timer.js';
import { collectBytes, jsonOf } from '../wire/bytes.js';
import type { Sendable } from './encode-upload.js';
import type { ResponseLike } from './fetch-like.js';
import { piecesOf } from './file-source.js';
import { asMembers, type Members } from './read-answers.js';
import { readFile } from './read-file.js';
import { type Call, type ClosingSlash, isToOtherSlash, withClosingSlash } from './settings.js';

/** A call that is ready to be sent. */
export interface Sending {
  readonly call: Call;
  /** The caller's key, or one of the client's making. */
  readonly key: string | undefined;
  readonly path: string;
  readonly sendable: Sendable;
  /** Resolves when the caller aborts the call. */
  readonly stopped: Promise<NoReply>;
}

/** A response, as far as it could be read. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly requestId: string | null;
  /** The members of the body, if it is a JSON object in UTF-8 within the limit of size. */
  readonly said: Members | undefined;
  /** The other form of the path, if the response only redirects to it. */
  readonly wants?: ClosingSlash | undefined;
  /** The connection broke before the end. */
  readonly isCutOff?: true;
  /** The file of a download; its content is still on its way. */
  readonly file?: Omit<DownloadedFile, 'id'> | undefined;
}

/** No answer; `sent` is false only if the request was certainly not sent. */
export interface NoReply {
  readonly sent: boolean;
  readonly retryable?: boolean;
  readonly reason: string;
}

/**
 * The most bytes of an answer: JSON of any size is parsed without a pause. The answer of a deal has
 * its description, as long as a body may be, and all its files.
 */
const maxAnswer = { 201: 2 ** 20, 200: 2 ** 24 } as const;

/** Sends a request once and reads the whole answer within the time of the call. */
export async function exchange(sending: Sending): Promise<Reply | NoReply> {
  const { call, key, path, sendable, stopped } = sending;
  const { settings, timeout, route } = call;
  const { method } = route;
  const { timer } = settings;
  const headers: Record<string, string> = {
    ...settings.headers,
    Authorization: `${settings.scheme} ${settings.token}`,
    Accept: 'application/json',
    'Accept-Language': call.language,
  };
  if (sendable.type !== undefined) headers['Content-Type'] = sendable.type;
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const controller = new AbortController();
  const { signal } = controller;
  let isOpen = false;
  const opened = sendable.open?.(signal);
  const answered = async (): Promise<Reply | NoReply> => {
    const request = { method, headers, ...(await opened), redirect: 'manual', signal } as const;
    const closing = { ...settings.closing };
    const address = withClosingSlash(settings.base + path, closing);
    const response = await settings.fetch(address, request);
    const { status, headers: said } = response;
    const isFile = route.answer === 'file' && status === 200;
    const file = isFile ? readFile(response, call, controller) : undefined;
    isOpen = file !== undefined;
    return {
      status,
      retryAfter: parseRetryAfter(said.get('retry-after'), timer.now()),
      requestId: said.get('x-request-id'),
      wants: isToOtherSlash(response, address, closing, isRepeatable(call, key))
        ? { isSent: !closing.isSent }
        : undefined,
      ...(isFile ? { file, said: undefined } : await readBody(response, maxAnswer[route.status])),
    };
  };
  const late = { sent: true, reason: `no answer within ${timeout} ms` };
  try {
    // an injected fetch may ignore the signal: the race ends the wait in any case
    return await within<Reply | NoReply>(timer, timeout, () => late, answered(), stopped);
  } catch (error) {
    return explain(error);
  } finally {
    // only the content of a file is still waited for
    if (!isOpen) controller.abort();
  }
}

/** Says whether a repeated request has no second effect. */
export function isRepeatable({ route }: Call, key: string | undefined): boolean {
  return route.method !== 'POST' || key !== undefined;
}

/** Codes of failures to connect: no byte of the request was sent. */
const neverConnected =
  /^(?:ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** Passes on only a known code: an error of fetch may hold the request, with the token. */
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

async function readBody(
  response: ResponseLike,
  max: number,
): Promise<Pick<Reply, 'said' | 'isCutOff'>> {
  const { body } = response;
  try {
    const pieces = body ? piecesOf(body) : [new TextEncoder().encode(await response.text())];
    const bytes = await collectBytes(pieces, max);
    return { said: bytes === 'too_large' ? undefined : asMembers(jsonOf(bytes)) };
  } catch {
    return { said: undefined, isCutOff: true };
  }
}
