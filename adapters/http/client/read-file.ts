import type { DownloadedFile } from 'dealwright';
import { within } from '../../shared/timer.js';
import type { ResponseLike } from './fetch-like.js';
import { piecesOf } from './file-source.js';
import type { Call } from './settings.js';

/** A file whose content is still on its way; `undefined` if the response does not describe one. */
export function readFile(
  { headers, body }: ResponseLike,
  call: Call,
  controller: AbortController,
): Omit<DownloadedFile, 'id'> | undefined {
  const sha256 = /^"([\da-f]{64})"$/.exec(headers.get('etag') ?? '')?.[1];
  const disposition = headers.get('content-disposition') ?? '';
  const name = nameOf(disposition);
  // a proxy may compress the file, or send it without its length
  const length =
    /;\s*size=(\d+)\s*$/i.exec(disposition)?.[1] ?? headers.get('content-length') ?? '';
  const content_type = headers.get('content-type');
  if (!body || sha256 === undefined || name === undefined || content_type === null)
    return undefined;
  if (!/^\d{1,15}$/.test(length)) return undefined;
  const size = Number(length);
  const abort = () => controller.abort();
  call.signal?.addEventListener('abort', abort);
  const pieces = piecesOf(body);
  const late = () => {
    throw new Error(`no byte of the file within ${call.timeout} ms`);
  };
  async function* content(): AsyncGenerator<Uint8Array> {
    let received = 0;
    try {
      for (;;) {
        // the time-out is that of a piece: a large file may take longer
        const read = await within(call.settings.timer, call.timeout, late, pieces.next());
        if (read.done === true) break;
        received += read.value.length;
        yield read.value;
      }
      if (received !== size) throw new Error('the file is not of the size that was announced');
    } finally {
      call.signal?.removeEventListener?.('abort', abort);
      abort();
    }
  }
  return { name, size, sha256, content_type, content: content() };
}

/** RFC 6266: the extended name, or else the one in ASCII. */
function nameOf(disposition: string): string | undefined {
  const [, encoded, plain] =
    /filename\*=UTF-8''([^;\s]+)|filename="([^"]*)"/i.exec(
      disposition.replace(/.*(?=filename\*=)/i, ''),
    ) ?? [];
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
