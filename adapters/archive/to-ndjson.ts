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

/** The options of writing an archive. */
export interface ToNdjsonOptions {
  /** With them the contents of work files are written too, each after the record of its file. */
  readonly contents?: ArchiveContents;
  /** Called before each piece of text is yielded. If it throws, the archive ends. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

const encoder = new TextEncoder();

/** Bytes that are gathered for a chunk: a chunk for each line would be slow. */
const chunkSize = 64 * 1024;

/**
 * Writes the records of a store as text, UTF-8, a JSON object on each line. The first line names
 * the format, the fields of the records and the store; the last one has the number of records, so
 * that a cut text is noticed. With `contents` the contents of all work files are included, in
 * base64. Only a record or a piece of a content and 64 KiB of text are in memory.
 *
 * It rejects if reading the records does, if one has other fields than this version knows, if a
 * content is missing, cannot be read or does not match its record (its size, its SHA-256), and if a
 * record takes more than 64 MiB of text.
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
