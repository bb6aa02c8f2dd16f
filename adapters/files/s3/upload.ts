import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { bytesOf } from '../place.js';
import { ask, codeOf, failed, type S3Failure } from './exchange.js';
import type { S3Settings } from './options.js';
import { partList, textOf } from './xml.js';

/**
 * Puts a content under a key: in one request if it is one part, else part by part. After any early
 * end the parts that were sent are removed.
 */
export async function upload(
  settings: S3Settings,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Result<'stored', PortFailure>> {
  const state: { open?: OpenUpload } = {};
  let stored: Result<'stored', PortFailure>;
  try {
    stored = await send(settings, key, content, state);
  } catch (cause) {
    stored = unavailable({ outcome: 'none', cause });
  }
  if (stored.isErr() && state.open !== undefined) await abort(settings, state.open);
  return stored;
}

/** `state` has the open upload, even if reading the content throws. */
async function send(
  settings: S3Settings,
  key: string,
  content: AsyncIterable<Uint8Array>,
  state: { open?: OpenUpload },
): Promise<Result<'stored', PortFailure>> {
  for await (const part of partsOf(content)) {
    if (state.open === undefined) {
      if (part.isLast) return putWhole(settings, key, part);
      const begun = await begin(settings, key);
      if (begun.isErr()) return failed(begun.error, 'none');
      state.open = begun.value;
    }
    const sent = await sendPart(settings, state.open, part);
    // the key has no content before the parts are joined
    if (sent.isErr()) return failed(sent.error, 'none');
    if (part.isLast) return complete(settings, state.open);
  }
  throw new Error('a content has a last part');
}

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  /** The tags of the parts that were sent, in their order. */
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
  // the status is sent before the work is done, which may still fail
  const s3Code = codeOf(text);
  return s3Code === undefined
    ? failed({ reason: 'malformed_answer', status: 200 }, 'unknown')
    : failed({ reason: 'status', status: 200, s3Code }, 'unknown');
}

/** If this fails too, a rule of the bucket has to remove the parts. */
async function abort(settings: S3Settings, { key, uploadId }: OpenUpload): Promise<void> {
  await ask(settings, { method: 'DELETE', key, query: { uploadId } });
}

/** The smallest part that S3 accepts, except for the last. */
export const partSize = 5 * 1024 * 1024;
const blockSize = 256 * 1024;

/** A part of a content, ready to be sent. */
export interface Part {
  readonly body: Blob;
  /** Hexadecimal digits. */
  readonly sha256: string;
  readonly isLast: boolean;
}

/**
 * A content in parts of one size, the last one shorter; an empty content is one empty part. At most
 * one part is in memory at a time, and no piece is asked for while a part is being sent.
 *
 * The bytes are copied into Blobs, block by block: every runtime's `fetch` sends a Blob as it is,
 * with its length, but would first copy an array.
 */
export async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const block = new Uint8Array(blockSize);
  let part = beginPart(block);
  for await (const piece of content) {
    let rest = bytesOf(piece);
    while (rest.length > 0) {
      // only now is it certain that more follows
      if (part.size() === partSize) {
        yield part.end(false);
        part = beginPart(block);
      }
      const taken = rest.subarray(0, Math.min(partSize - part.size(), part.room()));
      part.add(taken);
      rest = rest.subarray(taken.length);
    }
  }
  yield part.end(true);
}

function beginPart(block: Uint8Array<ArrayBuffer>) {
  const hash = sha256.create();
  const blobs: Blob[] = [];
  let used = 0;
  const flush = () => {
    if (used > 0) blobs.push(new Blob([block.subarray(0, used)]));
    used = 0;
  };
  return {
    size: () => blobs.length * blockSize + used,
    room: () => blockSize - used,
    add(bytes: Uint8Array) {
      hash.update(bytes);
      block.set(bytes, used);
      used += bytes.length;
      if (used === blockSize) flush();
    },
    end(isLast: boolean): Part {
      flush();
      return { body: new Blob(blobs.splice(0)), sha256: bytesToHex(hash.digest()), isLast };
    },
  };
}
