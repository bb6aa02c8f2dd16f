import type { StoreRecord } from 'dealwright/ports';
import { restoreContents } from './contents.js';
import {
  type ArchiveContents,
  type ArchiveProgress,
  type Counts,
  formatVersion,
  longestLine,
  noCounts,
  recordsIn,
} from './format.js';
import { objectOf, parsed, recordOf } from './parse-line.js';
import { problemAt } from './problem.js';
import { type ArchiveLine, readLines } from './read-lines.js';
import { endSchema, headerSchema } from './record-schema.js';

/**
 * How an archive is read.
 */
export interface FromNdjsonOptions {
  /**
   * Where contents of work files go, or that they are passed over. Without either, an archive that
   * holds contents is refused.
   */
  readonly contents?: ArchiveContents | 'skip';
  /** Told of each record before it is handed out, and of the end. What it throws ends the reading. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

/**
 * Reads the text that `toNdjson` writes, as chunks of bytes or text that may break it anywhere. A
 * content is in its file store, held against the record of its file, before the record of its deal is
 * handed out; where a store then refuses the records, such contents are orphans, which
 * `marketplace.sweepFiles` deletes.
 *
 * It throws, with the number of the line and the name of the member, where a line is none of an
 * archive of this format, where records do not come in the order of a dump, and where the text breaks
 * off; never a value is in what it says. A line has at most 64 MiB. What is in order by itself may
 * still be refused by a store, such as two deals with one `partner_id`.
 *
 * @example
 * ```ts
 * import { fromNdjson, toNdjson } from 'dealwright/archive';
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const [from, into] = [createMemoryStore(), createMemoryStore()];
 * await into.archive.restore(fromNdjson(toNdjson(from.archive.dump())));
 * ```
 */
export async function* fromNdjson(
  chunks: AsyncIterable<Uint8Array | string>,
  { contents, onProgress }: FromNdjsonOptions = {},
): AsyncGenerator<StoreRecord, void, undefined> {
  const counts = noCounts();
  const lines = readLines(chunks, longestLine);
  let last: ArchiveLine = { number: 0, text: '', end: 0 };
  const next = async (): Promise<ArchiveLine> => {
    const { value, done } = await lines.next();
    if (done === true) throw problemAt(last.number + 1, 'is missing: the archive was cut off');
    last = value;
    return value;
  };
  const tell = () => {
    onProgress?.({ records: recordsIn(counts), contents: counts.content, bytes: last.end });
  };

  try {
    const withContents = readHeader(await next());
    if (withContents && contents === undefined) {
      throw problemAt(1, 'says that it holds contents of work files, and nobody takes them');
    }
    let rank = 0;
    for (;;) {
      const line = await next();
      const value = objectOf(line);
      if (Reflect.get(value, 'record') === 'end') {
        checkCounts(parsed(endSchema, value, line.number).counts, counts, line.number);
        break;
      }
      const record = recordOf(value, line.number);
      if (ranks[record.record] < rank) {
        throw problemAt(
          line.number,
          'is out of order: contractors, deals, events is how they come',
        );
      }
      rank = ranks[record.record];
      counts[record.record] += 1;
      if (withContents && record.record === 'deal') {
        counts.content += await restoreContents(record, line.number, next, contents);
      }
      tell();
      yield record;
    }
    for await (const { number, text } of lines) {
      if (text.trim() !== '') throw problemAt(number, 'stands behind the end of the archive');
    }
    tell();
  } finally {
    // whoever reads no further lets go of the file
    await lines.return();
  }
}

const ranks = { contractor: 0, deal: 1, deal_v2: 1, event: 2 } as const;

/** Whether the archive holds contents. */
function readHeader(line: ArchiveLine): boolean {
  const value = objectOf(line);
  if (Reflect.get(value, 'dealwright') !== 'archive') {
    throw problemAt(1, 'is not the first of an archive of dealwright');
  }
  const format: unknown = Reflect.get(value, 'format');
  if (Number.isSafeInteger(format) && Number(format) > formatVersion) {
    throw problemAt(1, `says format ${format}, which a later version of dealwright reads`);
  }
  if (format !== formatVersion) throw problemAt(1, 'says no format that there is');
  return parsed(headerSchema, value, 1).contents;
}

function checkCounts(said: Counts, counts: Counts, number: number): void {
  for (const [name, count] of Object.entries(counts)) {
    const expected = Object.entries(said).find(([each]) => each === name)?.[1];
    if (expected === count) continue;
    throw problemAt(
      number,
      `says ${expected} of ${name}, and there are ${count}: lines are missing`,
    );
  }
}
