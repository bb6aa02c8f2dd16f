import { existsSync } from 'node:fs';
import { type ArchiveProgress, toNdjson } from 'dealwright/archive';
import { createFolderFileStore } from 'dealwright/files';
import type { FileStore } from 'dealwright/ports';
import { createSha256 } from 'dealwright/system';
import { type Result, ResultAsync } from 'neverthrow';
import { failedExit } from '../exit-codes.js';
import type { Flags } from '../fields.js';
import { printable } from '../printable.js';
import { causeText, complain, fileProblem, type Problem, say, tell } from '../problem.js';
import { createProgress, sizeText } from '../progress.js';
import { exitOfSignal, onStopSignal } from '../stop-signals.js';
import { type Database, matching, withDatabase } from './database.js';
import { checkOut, openTarget } from './dump-target.js';
import { placesIn } from './folder.js';
import { type KeptPlace, parsePlace } from './place.js';

export async function dump(process: NodeJS.Process, flags: Flags): Promise<number> {
  const place = parsePlace(process.env);
  if (place.isErr()) return complain(process, place.error);
  const { folder, database } = placesIn(place.value.folder);
  const own = place.value.kind === 'sqlite' ? database : undefined;
  // if there is nothing, a typing error is likelier than an empty backup
  if (own !== undefined && !existsSync(own)) {
    const named = 'DEALWRIGHT_DATA names the folder, and DATABASE_URL a database of PostgreSQL';
    return complain(process, `there are no deals in ${printable(folder)}: ${named}`);
  }
  const out = await checkOut(flags.out, own);
  if (out.isErr()) return complain(process, out.error);
  const source = await openSource(process, place.value);
  return source.isErr() ? tell(process, source.error) : dumpFrom(process, source.value, flags);
}

/** A store that is only read: no folder is made, and no migration run. */
export type Source = Pick<Database, 'openArchive' | 'close'> & { readonly files: FileStore };

/** Opens the source of a dump. Another schema is refused: it may contain unknown records. */
function openSource(process: NodeJS.Process, place: KeptPlace): Promise<Result<Source, Problem>> {
  const files = createFolderFileStore({ folder: placesIn(place.folder).files });
  return withDatabase(process, place, async (database) => {
    const found = await matching(database);
    return found.map((own) => ({ ...own, files }));
  });
}

/** Dumps an open store, and closes it. A signal ends it without half a file. */
export async function dumpFrom(
  process: NodeJS.Process,
  source: Source,
  flags: Flags,
): Promise<number> {
  const isLoud = flags.quiet !== true;
  const progress = createProgress(process, isLoud);
  const stop = new AbortController();
  const { signal } = stop;
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', reject));
  // it may reject after the last wait for it
  stopped.catch(() => undefined);
  const forget = onStopSignal(process, (name) => stop.abort(name));
  try {
    const archive = await ResultAsync.fromPromise(source.openArchive(), causeText);
    if (archive.isErr()) {
      return tell(process, { message: `nothing was dumped: ${archive.error}`, exit: failedExit });
    }
    const opened = await ResultAsync.fromPromise(openTarget(process, flags.out), (error) =>
      fileProblem('write', flags.out ?? '', error),
    );
    if (opened.isErr()) return complain(process, `--out: ${opened.error}`);
    const target = opened.value;
    let last: ArchiveProgress = { records: 0, contents: 0, bytes: 0 };
    const onProgress = (now: ArchiveProgress) => {
      // a signal during an answer of the store ends the dump here
      signal.throwIfAborted();
      last = now;
      progress.at(now.bytes, countsText(now));
    };
    const contents = { files: source.files, sha256: createSha256() };
    const options = flags.withoutFiles === true ? { onProgress } : { onProgress, contents };
    const write = async () => {
      for await (const chunk of toNdjson(archive.value.dump(), options)) {
        signal.throwIfAborted();
        await target.write(chunk);
      }
      signal.throwIfAborted();
      await target.finish();
    };
    try {
      await Promise.race([write(), stopped]);
    } catch (error) {
      progress.stop();
      await target.drop();
      const why = signal.aborted ? `it was ended by ${signal.reason}` : causeText(error);
      say(process, `the dump is not complete: ${why}`);
      return signal.aborted ? exitOfSignal(signal.reason) : failedExit;
    }
    progress.stop();
    if (isLoud) say(process, `dumped ${countsText(last)}, ${sizeText(last.bytes)}`);
    return 0;
  } finally {
    forget();
    await source.close();
  }
}

export function countsText({ records, contents }: ArchiveProgress): string {
  return contents === 0 ? `${records} records` : `${records} records, ${contents} files`;
}
