import type { ArchiveRecord } from 'dealwright/ports';
import { decodeBase64 } from './base64.js';
import type { ArchiveContents } from './format.js';
import { problemAt } from './problem.js';
import { type ArchiveLine, objectOf } from './read-lines.js';

/** The kind of record whose content may follow it. */
export type FileRecord = Extract<ArchiveRecord, { readonly kind: 'work_file' }>;

/** Reads the content of a file, which follows its record. */
export async function restoreContent(
  { tenant, row }: FileRecord,
  lineOfRecord: number,
  next: () => Promise<ArchiveLine>,
  into: ArchiveContents | 'skip' | undefined,
): Promise<void> {
  const pieces = piecesOf(row, next);
  if (into === 'skip' || into === undefined) {
    for await (const _ of pieces);
    return;
  }
  let problem: { readonly error: unknown } | undefined;
  let isRead = false;
  const content = async function* () {
    const hash = into.sha256();
    let line = lineOfRecord;
    try {
      for await (const { bytes, number } of pieces) {
        hash.update(bytes);
        line = number;
        yield bytes;
      }
      if (hash.hex() !== row.sha256) {
        throw problemAt(line, 'ends a content whose SHA-256 is not that of its file');
      }
      isRead = true;
    } catch (error) {
      // a file store answers that something failed, and not what
      problem = { error };
      throw error;
    }
  };
  const kept = await into.files.put(tenant, row.id, content());
  if (problem !== undefined) throw problem.error;
  if (kept.isErr()) {
    const { cause } = kept.error;
    throw new Error('the content of a work file could not be kept', { cause });
  }
  if (!isRead) throw new Error('the file store did not read the content of a work file to its end');
}

/** The pieces of one content, up to the size of its file. */
async function* piecesOf({ id, size }: FileRecord['row'], next: () => Promise<ArchiveLine>) {
  let left = size;
  while (left > 0) {
    const line = await next();
    const { number } = line;
    const { content, base64, ...others }: Piece = objectOf(line);
    if (content === undefined) {
      throw problemAt(number, 'comes before the content of the last work file is complete');
    }
    if (content !== id) throw problemAt(number, 'is wrong: content names another file');
    const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
    if (bytes === undefined) throw problemAt(number, 'is wrong: base64 is not base64');
    if (bytes.length === 0) throw problemAt(number, 'is wrong: base64 is empty');
    if (bytes.length > left) throw problemAt(number, 'is wrong: base64 is more than its file has');
    if (Object.keys(others).length > 0) {
      throw problemAt(number, 'is wrong: it has an unknown member');
    }
    left -= bytes.length;
    yield { bytes, number };
  }
}

/** What a line of a content may hold. */
interface Piece {
  readonly content?: unknown;
  readonly base64?: unknown;
}
