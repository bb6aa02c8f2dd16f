import type { ArchiveRecord } from 'dealwright/ports';
import { type ArchiveContents, joined, problemAt } from './format.js';
import { type ArchiveLine, objectOf } from './read-lines.js';

/** The kind of record whose content may follow it. */
export type FileRecord = Extract<ArchiveRecord, { readonly kind: 'work_file' }>;

/** The most bytes of a content on one line, a multiple of three. */
const pieceSize = 48 * 1024;

/** The lines of the content of a file, checked against its record. */
export async function* linesOf(
  { tenant, row: file }: FileRecord,
  { files, sha256 }: ArchiveContents,
): AsyncGenerator<object> {
  const found = await files.get(tenant, file.id);
  const name = `the content of the work file ${file.id}`;
  if (found.isErr()) throw new Error(`${name} cannot be read`, { cause: found.error.cause });
  if (found.value === undefined) throw new Error(`${name} is missing`);
  const lineOf = (piece: Uint8Array) => ({ content: file.id, base64: encodeBase64(piece) });
  const hash = sha256();
  let total = 0;
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of found.value) {
    hash.update(chunk);
    total += chunk.length;
    // a larger content is another one: the rest need not be read
    if (total > file.size) break;
    held = joined([held, chunk], held.length + chunk.length);
    let at = 0;
    for (; held.length - at >= pieceSize; at += pieceSize) {
      yield lineOf(held.subarray(at, at + pieceSize));
    }
    held = held.slice(at);
  }
  if (total !== file.size || hash.hex() !== file.sha256) {
    throw new Error(`${name} is not what was uploaded: its size or its SHA-256 differs`);
  }
  if (held.length > 0) yield lineOf(held);
}

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
      // the answer of a file store does not contain this error
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
    const { content, base64, ...others } = objectOf(line);
    if (content === undefined) {
      throw problemAt(number, 'comes before the content of the last work file is complete');
    }
    if (content !== id) throw problemAt(number, 'is wrong: content names another file');
    const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
    if (bytes === undefined) throw problemAt(number, 'is wrong: base64 is not base64');
    if (bytes.length === 0) throw problemAt(number, 'is wrong: base64 is empty');
    if (bytes.length > left) throw problemAt(number, 'is wrong: base64 is more than its file has');
    const isExact = Object.keys(others).length === 0;
    if (!isExact) throw problemAt(number, 'is wrong: it has an unknown member');
    left -= bytes.length;
    yield { bytes, number };
  }
}

/** Bytes as base64 (RFC 4648, section 4), at most 8 KiB at once, which any engine accepts. */
function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/** The bytes of a base64 text in its one canonical form; `undefined` for any other text. */
function decodeBase64(text: string): Uint8Array | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  // the runtime accepts blanks, missing padding and leftover bits
  if (btoa(binary) !== text) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
