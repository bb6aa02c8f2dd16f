import type { DownloadedFile } from 'dealwright';
import type { Result } from 'neverthrow';
import { type CallError, type Failure, failureOf } from './failure.js';

/** Saves a file; it is never opened in the page, where a script of it could run. */
export function save(name: string, pieces: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(pieces, { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export async function saveFile(
  name: string,
  found: Result<DownloadedFile, CallError>,
): Promise<Failure | undefined> {
  if (found.isErr()) return failureOf(found.error);
  const pieces: BlobPart[] = [];
  try {
    for await (const piece of found.value.content) pieces.push(new Uint8Array(piece));
  } catch {
    return failureOf({ code: 'unavailable' });
  }
  save(name, pieces);
  return undefined;
}
