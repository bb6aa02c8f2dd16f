import type { ArchiveRecord } from 'dealwright/ports';
import { encodeBase64 } from './base64.js';
import type { FileRecord } from './contents.js';
import {
  type ArchiveContents,
  type ArchiveProgress,
  createCounter,
  headerOf,
  longestLine,
  pieceSize,
} from './format.js';
import { textOf } from './record-line.js';

/**
 * How an archive is written.
 */
export interface ToNdjsonOptions {
  /** With them the contents of work files are written too, each after the record of its file. */
  readonly contents?: ArchiveContents;
  /** Told of each piece of text before it is handed out. What it throws ends the archive. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

/** Bytes that are gathered before they are handed out: a chunk for each line would be slow. */
const chunkSize = 64 * 1024;

/**
 * Writes the records of a store as text, UTF-8, a JSON object on each line: the first says which
 * format this is and of which fields the records are made, the last how many records there were, so
 * that a text that was cut off is noticed. With `contents` the contents of all work files are in it
 * too, in base64. Nothing is held in memory but a record or a piece of a content and 64 KiB of text.
 *
 * It rejects where reading the records does, where one has other fields than this version knows,
 * where a content is missing, cannot be read or is not what its record says (its size, its SHA-256),
 * and where a record takes more than 64 MiB of text.
 *
 * @example
 * ```ts
 * import { createWriteStream } from 'node:fs';
 * import { pipeline } from 'node:stream/promises';
 * import { toNdjson } from 'dealwright/archive';
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const { archive } = createMemoryStore();
 * await pipeline(toNdjson(archive.dump()), createWriteStream('/dev/null'));
 * ```
 */
export async function* toNdjson(
  records: AsyncIterable<ArchiveRecord>,
  { contents, onProgress }: ToNdjsonOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const counter = createCounter();
  let bytes = 0;
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (json: string): boolean => {
    const line = lineOf(json);
    held.push(line);
    size += line.length;
    return size >= chunkSize;
  };
  const handOut = (): Uint8Array => {
    const chunk = joined(held, size);
    bytes += size;
    [held, size] = [[], 0];
    onProgress?.(counter.progress(bytes));
    return chunk;
  };

  take(JSON.stringify(headerOf(contents !== undefined)));
  for await (const record of records) {
    const text = textOf(record);
    counter.addRecord(record.kind);
    if (take(text)) yield handOut();
    if (contents === undefined || record.kind !== 'work_file') continue;
    for await (const piece of contentOf(record, contents)) {
      const line = { content: record.row.id, base64: encodeBase64(piece) };
      if (take(JSON.stringify(line))) yield handOut();
    }
    counter.addContent();
  }
  take(JSON.stringify(counter.end()));
  yield handOut();
}

const encoder = new TextEncoder();

function lineOf(json: string): Uint8Array {
  const line = encoder.encode(`${json}\n`);
  if (line.length > longestLine + 1) {
    throw new Error(`a record takes more than ${longestLine} bytes of text`);
  }
  return line;
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The content of a file in pieces of one size, checked against its record. */
async function* contentOf(
  { tenant, row: file }: FileRecord,
  { files, sha256 }: ArchiveContents,
): AsyncGenerator<Uint8Array> {
  const found = await files.get(tenant, file.id);
  const name = `the content of the work file ${file.id}`;
  if (found.isErr()) throw new Error(`${name} cannot be read`, { cause: found.error.cause });
  if (found.value === undefined) throw new Error(`${name} is missing`);
  const hash = sha256();
  let total = 0;
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of found.value) {
    hash.update(chunk);
    total += chunk.length;
    // beyond its size it is another content: the rest need not be read
    if (total > file.size) break;
    held = joined([held, chunk], held.length + chunk.length);
    let at = 0;
    for (; held.length - at >= pieceSize; at += pieceSize) yield held.subarray(at, at + pieceSize);
    held = held.slice(at);
  }
  if (total !== file.size || hash.hex() !== file.sha256) {
    throw new Error(`${name} is not what was uploaded: its size or its SHA-256 differs`);
  }
  if (held.length > 0) yield held;
}
