import type { PortFailure } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { ask, codeOf, failed } from './exchange.js';
import type { S3Settings } from './options.js';

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
