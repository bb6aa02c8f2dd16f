import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AwsV4Signer } from 'aws4fetch';
import { parseRetryAfter } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import type { S3Failure } from './failure.js';
import type { S3Settings } from './options.js';
import { textOf } from './xml.js';

/** A request, before it is signed. */
export interface S3Request {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Blob;
  /** Of the body, as hexadecimal digits. */
  readonly sha256?: string;
}

/** A success, read to its end. */
export interface S3Reply {
  readonly headers: Headers;
  readonly text: string;
}

/** A thousand keys of the longest sort in URL encoding, with room to spare. */
const maxAnswerBytes = 4 * 1024 * 1024;
const emptySha256 = bytesToHex(sha256(new Uint8Array()));

/** Asks, and reads the answer, all within one time-out. */
export function ask(settings: S3Settings, request: S3Request): Promise<Result<S3Reply, S3Failure>> {
  const control = new AbortController();
  return within(settings, control, async () => {
    const response = await send(settings, request, control.signal);
    const text = await readBounded(response);
    if (!response.ok) return err(refusal(settings, response, text));
    if (text === undefined) return err({ reason: 'malformed_answer', status: response.status });
    return ok({ headers: response.headers, text });
  });
}

/** The content under a key, as it comes; each wait for more has the time-out. */
export async function* download(settings: S3Settings, key: string): AsyncGenerator<Uint8Array> {
  const control = new AbortController();
  try {
    const opened = await within(settings, control, async () => {
      const response = await send(settings, { method: 'GET', key }, control.signal);
      if (response.ok) return ok(response.body?.getReader());
      return err(refusal(settings, response, await readBounded(response)));
    });
    if (opened.isErr()) throw notRead(opened.error);
    const reader = opened.value;
    while (reader !== undefined) {
      const read = await within(settings, control, async () => ok(await reader.read()));
      if (read.isErr()) throw notRead(read.error);
      if (read.value.done) return;
      yield read.value.value;
    }
  } finally {
    // a reader who stops early leaves no connection open
    control.abort();
  }
}

function notRead({ retryAfter: _, ...failure }: S3Failure): Error {
  return new Error(`the content could not be read: ${failure.reason}`, { cause: failure });
}

/** Settled when the time is over, whatever `fetch` makes of the signal. */
function within<T>(
  { timer, timeout }: S3Settings,
  control: AbortController,
  work: () => Promise<Result<T, S3Failure>>,
): Promise<Result<T, S3Failure>> {
  return new Promise((resolve) => {
    const cancel = timer.sleep(timeout, () => {
      resolve(err({ reason: 'timed_out' }));
      control.abort();
    });
    const finish = (result: Result<T, S3Failure>) => {
      resolve(result);
      cancel();
    };
    // the error of a fetch may name the address and the headers: it is not passed on
    work()
      .then(finish, () => finish(err({ reason: 'network' })))
      // a timer that cannot be cancelled wakes a settled promise: no harm
      .catch(() => {});
  });
}

async function send(
  { url, signing, timer, fetch }: S3Settings,
  { method, key, query = {}, body, sha256 = emptySha256 }: S3Request,
  signal: AbortSignal,
): Promise<Response> {
  const target = new URL(key === '' ? url : `${url}/${key}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const signer = new AwsV4Signer({
    ...signing,
    method,
    url: target.href,
    // with the digest of the body signed, no byte of it can be changed on the way
    headers: { 'x-amz-content-sha256': sha256 },
    datetime: new Date(timer.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const { headers } = await signer.sign();
  // the type of a Blob would be sent, and kept
  const sent = { method, headers, redirect: 'manual', signal } as const;
  return fetch(target.href, body === undefined ? sent : { ...sent, body });
}

/** The text of an answer; nothing where it is longer than any that is expected. */
async function readBounded(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxAnswerBytes) {
      void reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function refusal({ timer }: S3Settings, { status, headers }: Response, text = ''): S3Failure {
  // a browser shows a redirect that it does not follow as status 0
  if (status === 0 || (status >= 300 && status < 400)) return { reason: 'redirected', status };
  const s3Code = codeOf(text);
  const retryAfter = parseRetryAfter(headers.get('retry-after'), timer.now());
  return {
    reason: 'status',
    status,
    ...(s3Code === undefined ? {} : { s3Code }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** The code of an error: letters, so that nothing else of an answer gets into a log. */
export function codeOf(xml: string): string | undefined {
  const code = textOf(xml, 'Code') ?? '';
  return /^[A-Za-z]{1,64}$/.test(code) ? code : undefined;
}
