import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { ask, codeOf } from './exchange.js';
import { failed, type S3Failure } from './failure.js';
import type { S3Settings } from './options.js';
import { type Part, partsOf } from './parts.js';
import { partList, textOf } from './xml.js';

/**
 * Puts a content under a key: in one request where it is one part, else part by part. Whatever ends
 * it early takes back the parts that are there.
 */
export async function upload(
  settings: S3Settings,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Result<'stored', PortFailure>> {
  let open: OpenUpload | undefined;
  let stored: Result<'stored', PortFailure> | undefined;
  try {
    for await (const part of partsOf(content)) {
      if (open === undefined) {
        if (part.isLast) {
          stored = await putWhole(settings, key, part);
          break;
        }
        const begun: Result<OpenUpload, S3Failure> = await begin(settings, key);
        if (begun.isErr()) return failed(begun.error, 'none');
        open = begun.value;
      }
      const sent = await sendPart(settings, open, part);
      if (sent.isErr()) {
        // nothing is under the key before the parts are put together
        stored = failed(sent.error, 'none');
        break;
      }
      if (part.isLast) stored = await complete(settings, open);
    }
  } catch (cause) {
    stored = unavailable({ outcome: 'none', cause });
  }
  stored ??= unavailable({ outcome: 'none', cause: new Error('a content has a last part') });
  if (stored.isErr() && open !== undefined) await abort(settings, open);
  return stored;
}

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  /** Of the parts that are there, in their order. */
  readonly etags: string[];
}

async function putWhole(settings: S3Settings, key: string, { body, sha256 }: Part) {
  const put = await ask(settings, { method: 'PUT', key, body, sha256 });
  return put.isOk() ? ok('stored' as const) : failed(put.error, 'unknown');
}

async function begin(settings: S3Settings, key: string): Promise<Result<OpenUpload, S3Failure>> {
  const begun = await ask(settings, { method: 'POST', key, query: { uploads: '' } });
  return begun.andThen(({ text }) => {
    const uploadId = textOf(text, 'UploadId');
    return uploadId === undefined || uploadId === ''
      ? err<never, S3Failure>({ reason: 'malformed_answer', status: 200 })
      : ok({ key, uploadId, etags: [] });
  });
}

async function sendPart(
  settings: S3Settings,
  { key, uploadId, etags }: OpenUpload,
  { body, sha256 }: Part,
): Promise<Result<void, S3Failure>> {
  const query = { partNumber: String(etags.length + 1), uploadId };
  const sent = await ask(settings, { method: 'PUT', key, query, body, sha256 });
  return sent.andThen(({ headers }) => {
    const etag = headers.get('etag');
    if (etag === null) return err<never, S3Failure>({ reason: 'malformed_answer', status: 200 });
    etags.push(etag);
    return ok();
  });
}

async function complete(
  settings: S3Settings,
  { key, uploadId, etags }: OpenUpload,
): Promise<Result<'stored', PortFailure>> {
  const bytes = new TextEncoder().encode(partList(etags));
  const request = { body: new Blob([bytes]), sha256: bytesToHex(sha256(bytes)) };
  const done = await ask(settings, { method: 'POST', key, query: { uploadId }, ...request });
  if (done.isErr()) return failed(done.error, 'unknown');
  const { text } = done.value;
  if (text.includes('<CompleteMultipartUploadResult')) return ok('stored');
  // the status is sent before the work is done, which may then go wrong all the same
  const s3Code = codeOf(text);
  return s3Code === undefined
    ? failed({ reason: 'malformed_answer', status: 200 }, 'unknown')
    : failed({ reason: 'status', status: 200, s3Code }, 'unknown');
}

/** Where this fails too, a rule of the bucket has to take the parts away. */
async function abort(settings: S3Settings, { key, uploadId }: OpenUpload): Promise<void> {
  await ask(settings, { method: 'DELETE', key, query: { uploadId } });
}
