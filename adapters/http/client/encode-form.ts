import type { BlobLike } from './fetch-like.js';

/** A form (RFC 7578) with its boundary. */
export interface Form {
  readonly type: string;
  readonly body: BlobLike;
}

const isMediaType = /^[!-~](?:[\t -~]{0,253}[!-~])?$/;

/** Says whether a form carries what is said of a file as it is. */
export function fitsForm(name: unknown, content_type: unknown, stage_id: unknown): name is string {
  return (
    typeof name === 'string' &&
    /^[^\0\p{Cs}]{1,255}$/u.test(name) &&
    (content_type === undefined ||
      (typeof content_type === 'string' && isMediaType.test(content_type))) &&
    (stage_id === undefined || typeof stage_id === 'function' || Number.isSafeInteger(stage_id))
  );
}

/** The parts of a form around its file. */
export function formAround(
  name: string,
  content_type: unknown,
  stage_id: unknown,
  boundary: string,
): { readonly head: string; readonly tail: string } {
  const open = `--${boundary}\r\nContent-Disposition: form-data; name="`;
  const stage = stage_id === undefined ? '' : `${open}stage_id"\r\n\r\n${stage_id}\r\n`;
  const type = content_type === undefined ? '' : `Content-Type: ${content_type}\r\n`;
  return {
    head: `${stage}${open}file"; filename="${escapeName(name)}"\r\n${type}\r\n`,
    tail: `\r\n--${boundary}--\r\n`,
  };
}

/**
 * A name as browsers write it (WHATWG HTML, multipart/form-data encoding). What reads like an escape
 * already gets a `25` behind its `%`, so that it comes back as it was.
 */
export function escapeName(name: string): string {
  return name
    .replace(/%(?=(?:25)*(?:22|0A|0D))/g, '%25')
    .replaceAll('"', '%22')
    .replaceAll('\n', '%0A')
    .replaceAll('\r', '%0D');
}
