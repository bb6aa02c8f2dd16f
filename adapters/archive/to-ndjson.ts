import type { ArchiveRecords } from 'dealwright/ports';
import { linesOf } from './contents.js';
import {
  type ArchiveContents,
  type ArchiveProgress,
  createEnd,
  headerOf,
  joined,
  longestLine,
  progressOf,
} from './format.js';
import { textOf } from './record-line.js';

/** How an archive is written. */
export interface ToNdjsonOptions {
  /** With them the contents of work files are written too, each after the record of its file. */
  readonly contents?: ArchiveContents;
  /** Told of each piece of text before it is handed out. What it throws ends the archive. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

const encoder = new TextEncoder();

/** Bytes that are gathered before they are handed out: a chunk for each line would be slow. */
const chunkSize = 64 * 1024;

/**
 * Writes the records of a store as text, UTF-8, a JSON object on each line: the first says which
 * format this is, of which fields the records are made and of which store they are, the last how many records there were, so
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
  records: ArchiveRecords,
  { contents, onProgress }: ToNdjsonOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const last = createEnd();
  let bytes = 0;
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (json: string): boolean => {
    const line = encoder.encode(`${json}\n`);
    if (line.length > longestLine + 1) {
      throw new Error(`a record takes more than ${longestLine} bytes of text`);
    }
    held.push(line);
    size += line.length;
    return size >= chunkSize;
  };
  const handOut = (): Uint8Array => {
    const chunk = joined(held, size);
    bytes += size;
    [held, size] = [[], 0];
    onProgress?.(progressOf(last, bytes));
    return chunk;
  };

  take(JSON.stringify(headerOf(contents !== undefined, await records.identity?.())));
  for await (const record of records) {
    const text = textOf(record);
    last.end.records[record.kind] += 1;
    if (take(text)) yield handOut();
    if (contents === undefined || record.kind !== 'work_file') continue;
    for await (const line of linesOf(record, contents)) {
      if (take(JSON.stringify(line))) yield handOut();
    }
    last.end.contents += 1;
  }
  take(JSON.stringify(last));
  yield handOut();
}
