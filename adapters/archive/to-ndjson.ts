import type { StoreRecord, Tenant, WorkFile } from 'dealwright/ports';
import { encodeBase64 } from './base64.js';
import {
  type ArchiveContents,
  type ArchiveProgress,
  formatVersion,
  longestLine,
  noCounts,
  pieceSize,
  recordsIn,
} from './format.js';
import { jsonOf } from './json-of-record.js';

/**
 * How an archive is written.
 */
export interface ToNdjsonOptions {
  /** With them the contents of work files are written too, each behind the record of its deal. */
  readonly contents?: ArchiveContents;
  /** Told of each piece of text before it is handed out. What it throws ends the archive. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

/** Bytes that are gathered before they are handed out: a line at a time would cost more than it says. */
const chunkSize = 64 * 1024;

/**
 * Writes the records of a store as text, UTF-8, a JSON object on each line: the first says which
 * format this is, the last how many records there were, so that a text that was cut off is known for
 * one. Members have the names of the records; money is a decimal text. With `contents` the contents
 * of all work files are in it too, in base64. Nothing is held in memory but a record or a piece of a
 * content and 64 KiB of text.
 *
 * It rejects where the records do, where a content is not there, cannot be read or is not what its
 * record says (its size, its SHA-256), and where a record takes more than 64 MiB of text.
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
  records: AsyncIterable<StoreRecord>,
  { contents, onProgress }: ToNdjsonOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const counts = noCounts();
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
    onProgress?.({ records: recordsIn(counts), contents: counts.content, bytes });
    return chunk;
  };

  const hasContents = contents !== undefined;
  take(JSON.stringify({ dealwright: 'archive', format: formatVersion, contents: hasContents }));
  for await (const record of records) {
    counts[record.record] += 1;
    if (take(jsonOf(record))) yield handOut();
    if (contents === undefined || record.record !== 'deal') continue;
    for (const file of record.deal.stages.flatMap(({ work_files }) => work_files)) {
      for await (const piece of contentOf(record.tenant, file, contents)) {
        const line = { record: 'content', file_id: file.id, base64: encodeBase64(piece) };
        if (take(JSON.stringify(line))) yield handOut();
      }
      counts.content += 1;
    }
  }
  take(JSON.stringify({ record: 'end', counts }));
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

/** The content of a file in pieces of one size, held against its record. */
async function* contentOf(
  tenant: Tenant,
  file: WorkFile,
  { files, sha256 }: ArchiveContents,
): AsyncGenerator<Uint8Array> {
  const found = await files.get(tenant, file.id);
  const name = `the content of the work file ${file.id}`;
  if (found.isErr()) throw new Error(`${name} cannot be read`, { cause: found.error.cause });
  if (found.value === undefined) throw new Error(`${name} is not there`);
  const hash = sha256();
  let total = 0;
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of found.value) {
    hash.update(chunk);
    total += chunk.length;
    // past its size it is another content, whatever else comes
    if (total > file.size) break;
    held = joined([held, chunk], held.length + chunk.length);
    let at = 0;
    for (; held.length - at >= pieceSize; at += pieceSize) yield held.subarray(at, at + pieceSize);
    held = held.slice(at);
  }
  if (total !== file.size || hash.hex() !== file.sha256) {
    throw new Error(`${name} is not what was uploaded: its size or its SHA-256 is another`);
  }
  if (held.length > 0) yield held;
}
