import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AwsV4Signer } from 'aws4fetch';
import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { isPassing, readBounded, refusalOf } from '../../shared/response.js';
import { answerWithin } from '../../shared/timer.js';
import type { S3Settings } from './options.js';
import { textOf } from './xml.js';

/** Why a request to an S3 service failed. */
export type S3FailureReason =
  | 'network'
  | 'timed_out'
  | 'status'
  | 'redirected'
  | 'malformed_answer';

/**
 * The `cause` of a failure of an S3 store, and of the error that reading a content throws. It
 * contains no key, no secret and no address.
 */
export interface S3Failure {
  readonly reason: S3FailureReason;
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
  /** The service's own code for the error, if it gave one: letters. */
  readonly s3Code?: string;
  /** Seconds that the service asks to wait. */
  readonly retryAfter?: number;
}

/** The failure of the port; `effect` is its outcome if the answer to the request is lost. */
export function failed(failure: S3Failure, effect: PortFailure['outcome']) {
  const { retryAfter, ...cause } = failure;
  const { reason, status = 0 } = cause;
  const isRefused =
    reason === 'redirected' || (reason === 'status' && status >= 300 && status < 500);
  return unavailable({
    outcome: isRefused ? 'none' : effect,
    // after a status of 200 an error is the service's
    retryable: isPassing(cause, 200, 408),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: Object.freeze(cause),
  });
}

/** A request, before it is signed. */
export interface S3Request {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Blob;
  /** Headers besides those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The digest of the body, as hexadecimal digits. */
  readonly sha256?: string;
}

/** A success, read to its end. */
export interface S3Reply {
  readonly headers: Headers;
  readonly text: string;
}

/** A thousand keys of the greatest length in URL encoding, with room to spare. */
const maxAnswerBytes = 4 * 1024 * 1024;
const emptySha256 = bytesToHex(sha256(new Uint8Array()));

/** Sends a request and reads the answer, all within one time-out. */
export function ask(settings: S3Settings, request: S3Request): Promise<Result<S3Reply, S3Failure>> {
  const control = new AbortController();
  return answerWithin(settings, control, async () => {
    const response = await send(settings, request, control.signal);
    if (!response.ok) return err(await refused(settings, response));
    const text = await readBounded(response, maxAnswerBytes);
    if (text === undefined) return err({ reason: 'malformed_answer', status: response.status });
    return ok({ headers: response.headers, text });
  });
}

/** The content under a key, as it comes; each wait for more bytes has the time-out. */
export async function* download(settings: S3Settings, key: string): AsyncGenerator<Uint8Array> {
  const control = new AbortController();
  const waited = async <T>(work: () => Promise<Result<T, S3Failure>>): Promise<T> => {
    const done = await answerWithin(settings, control, work);
    if (done.isOk()) return done.value;
    const { retryAfter: _, ...cause }: S3Failure = done.error;
    throw new Error(`the content could not be read: ${cause.reason}`, { cause });
  };
  try {
    const reader = await waited(async () => {
      const response = await send(settings, { method: 'GET', key }, control.signal);
      if (response.ok) return ok(response.body?.getReader());
      return err(await refused(settings, response));
    });
    while (reader !== undefined) {
      const { done, value } = await waited(async () => ok(await reader.read()));
      if (done) return;
      yield value;
    }
  } finally {
    // a reader who stops early must leave no connection open
    control.abort();
  }
}

async function send(
  { url, signing, timer, fetch }: S3Settings,
  { method, key, query = {}, body, headers: own = {}, sha256 = emptySha256 }: S3Request,
  signal: AbortSignal,
): Promise<Response> {
  const target = new URL(key === '' ? url : `${url}/${key}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const signer = new AwsV4Signer({
    ...signing,
    method,
    url: target.href,
    // the digest of the body is signed, so no byte of it can be changed on the way
    headers: { ...own, 'x-amz-content-sha256': sha256 },
    datetime: new Date(timer.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const { headers } = await signer.sign();
  // the type of a Blob would be sent, and kept
  const sent = { method, headers, redirect: 'manual', signal } as const;
  return fetch(target.href, body === undefined ? sent : { ...sent, body });
}

async function refused({ timer }: S3Settings, response: Response): Promise<S3Failure> {
  const text = await readBounded(response, maxAnswerBytes);
  const refusal = refusalOf(response, timer);
  const s3Code = codeOf(text ?? '');
  return refusal.reason === 'redirected' || s3Code === undefined ? refusal : { ...refusal, s3Code };
}

/** The code of an error: letters, so that nothing else of an answer gets into a log. */
export function codeOf(xml: string): string | undefined {
  const code = textOf(xml, 'Code') ?? '';
  return /^[A-Za-z]{1,64}$/.test(code) ? code : undefined;
}

/**
 * Copies an object within the bucket, and then deletes it: after a failure it may be in both
 * places.
 */
export async function moveObject<T extends string>(
  settings: S3Settings,
  from: string,
  to: string,
  moved: T,
): Promise<Result<T | 'missing', PortFailure>> {
  const copied = await ask(settings, {
    method: 'PUT',
    key: to,
    // keys have no character that needs encoding
    headers: { 'x-amz-copy-source': `/${settings.bucket}/${from}` },
  });
  if (copied.isErr()) {
    const { status, s3Code } = copied.error;
    const isMissing = status === 404 && s3Code !== 'NoSuchBucket';
    return isMissing ? ok('missing') : failed(copied.error, 'unknown');
  }
  const { text } = copied.value;
  // the status is sent before the work is done, which may still fail
  if (!text.includes('<CopyObjectResult')) {
    const s3Code = codeOf(text);
    return s3Code === undefined
      ? failed({ reason: 'malformed_answer', status: 200 }, 'unknown')
      : failed({ reason: 'status', status: 200, s3Code }, 'unknown');
  }
  const gone = await ask(settings, { method: 'DELETE', key: from });
  if (gone.isErr() && gone.error.status !== 404) return failed(gone.error, 'unknown');
  return ok(moved);
}
