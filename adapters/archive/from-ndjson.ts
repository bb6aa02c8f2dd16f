import { type ArchiveRecord, type ArchiveRecords, isUlid, type Kind } from 'dealwright/ports';
import { restoreContent } from './contents.js';
import {
  type ArchiveContents,
  type ArchiveProgress,
  createEnd,
  formatVersion,
  kinds,
  type ListedRecords,
  longestLine,
  missingMembers,
  problemAt,
  progressOf,
} from './format.js';
import { type ArchiveLine, type Members, objectOf, readLines } from './read-lines.js';
import { recordOf } from './record-line.js';

/** The options of reading an archive. */
export interface FromNdjsonOptions {
  /**
   * The destination of contents of work files, or `skip`. Without it, an archive with contents is
   * refused.
   */
  readonly contents?: ArchiveContents | 'skip';
  /** Called before each record is yielded, and at the end. If it throws, the reading ends. */
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

/**
 * Reads the text that `toNdjson` writes, as chunks of bytes or text that may break it anywhere. A
 * content is in its file store, checked against the record of its file, before that record is
 * yielded; if a store then refuses the records, such contents are orphans, which
 * `marketplace.sweepFiles` deletes.
 *
 * It throws, with the number of the line and the name of the member, if a line does not belong to
 * an archive of this format and of this version's fields, if records are not in the order of a
 * dump, and if the text ends early; a message never repeats a value. A line has at most 64 MiB. A
 * store may still refuse valid records, such as two deals with one `partner_id`.
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
export function fromNdjson(
  chunks: AsyncIterable<Uint8Array | string>,
  { contents, onProgress }: FromNdjsonOptions = {},
): AsyncGenerator<ArchiveRecord, void, undefined> & Required<ArchiveRecords> {
  const lines = readLines(chunks, longestLine);
  let last: ArchiveLine = { number: 0, text: '', end: 0 };
  const next = async (): Promise<ArchiveLine> => {
    const { value, done } = await lines.next();
    if (done === true) throw problemAt(last.number + 1, 'is missing: the archive was cut off');
    last = value;
    return value;
  };

  let header: Promise<Header> | undefined;
  const readFirst = () => {
    header ??= next()
      .then((line) => readHeader(objectOf(line)))
      .catch(async (error: unknown) => {
        // the caller may not ask for the records then, which would release the file
        await lines.return();
        throw error;
      });
    return header;
  };
  return Object.assign(read(), {
    identity: async () => (await readFirst()).store,
    lacks: async (kind: Kind, field: string) => {
      const { missing } = await readFirst();
      return missing.get(kind)?.includes(field) === true;
    },
  });

  async function* read(): AsyncGenerator<ArchiveRecord, void, undefined> {
    try {
      const { hasContents, missing } = await readFirst();
      const counted = createEnd(missing.keys());
      const tell = () => onProgress?.(progressOf(counted, last.end));
      if (hasContents && contents === undefined) {
        throw problemAt(1, 'says that it holds contents of work files: say where they go');
      }
      let rank = 0;
      for (;;) {
        const line = await next();
        const value = objectOf(line);
        if ('end' in value) {
          const counts = JSON.stringify(counted);
          if (JSON.stringify(value) === counts) break;
          const expected = `which are ${counts}: lines are missing`;
          throw problemAt(line.number, `counts other lines than came, ${expected}`);
        }
        const record = filledIn(recordOf(value, line.number, missing), missing);
        const { kind } = record;
        if (kinds.indexOf(kind) < rank) {
          throw problemAt(line.number, `is out of order: records come as ${kinds.join(', ')}`);
        }
        rank = kinds.indexOf(kind);
        counted.end.records[kind] += 1;
        if (hasContents && kind === 'work_file') {
          await restoreContent(record, line.number, next, contents);
          counted.end.contents += 1;
        }
        tell();
        yield record;
      }
      for await (const { number, text } of lines) {
        if (text.trim() !== '') throw problemAt(number, 'comes after the end of the archive');
      }
      tell();
    } finally {
      // a reader that stops early releases the file
      await lines.return();
    }
  }
}

/** The facts of the first line. */
interface Header {
  readonly hasContents: boolean;
  /** The id of the store that the records come from, if it is known. */
  readonly store: string | undefined;
  /** The members that records of each kind lack: they have no value. */
  readonly missing: ReadonlyMap<Kind, readonly string[]>;
}

function readHeader(header: Members): Header {
  const { dealwright, format, contents, records, store } = header;
  if (dealwright !== 'archive') {
    throw problemAt(1, 'is not the first line of an archive of dealwright');
  }
  if (!Number.isSafeInteger(format)) throw problemAt(1, 'does not say its format');
  const advice = 'restore it with the version that wrote it';
  if (format !== formatVersion) {
    const known = `this version of dealwright reads format ${formatVersion}`;
    const noWay =
      'there is no way from it, and only a version that writes it restores it (up to commit cfc147f)';
    throw problemAt(1, `says format ${format}, and ${known}: ${format === 1 ? noWay : advice}`);
  }
  if (typeof contents !== 'boolean') throw problemAt(1, 'does not say whether it holds contents');
  const missing = isObject(records) ? missingMembers(records as ListedRecords) : undefined;
  if (missing === undefined || missing.size === 0) {
    const known = 'the records of this version of dealwright have';
    throw problemAt(1, `lists other fields than ${known}: ${advice}`);
  }
  if (store !== undefined && !isUlid(store)) {
    throw problemAt(1, 'is wrong: store is not the id of a store');
  }
  return { hasContents: contents, missing, store };
}

/**
 * A record of before deals had alerts gets what a migration of a database gives it. Each deal
 * becomes due: the clock visits it, and then the days of its stages begin (decision 9.13) and its
 * alert is set. Also one that is over: its money may still need the operator.
 */
function filledIn(record: ArchiveRecord, missing: Header['missing']): ArchiveRecord {
  const { kind, row } = record;
  const isOld = (field: string) => missing.get(kind)?.includes(field) === true;
  if (kind === 'deal' && isOld('alert_at')) {
    // a moment in the past, even in a sandbox whose time was moved
    const past = row.created_at;
    return { ...record, row: { ...row, due_at: past, status_since: past } } as ArchiveRecord;
  }
  if (kind === 'delivery' && isOld('failed_at') && row.status === 'failed') {
    return { ...record, row: { ...row, failed_at: row.created_at } } as ArchiveRecord;
  }
  return record;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
