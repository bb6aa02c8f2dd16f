import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ArchiveProgress, toNdjson } from 'dealwright/archive';
import { createFolderFileStore } from 'dealwright/files';
import type { FileStore } from 'dealwright/ports';
import { createSha256 } from 'dealwright/system';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Flags } from '../fields.js';
import { createProgress, printable, sizeText } from '../output.js';
import {
  causeText,
  complain,
  failedExit,
  fileProblem,
  type Problem,
  say,
  tell,
} from '../problem.js';
import { exitOfSignal, onStopSignal } from '../shutdown.js';
import { type Database, matching, withDatabase } from './database.js';
import { type KeptPlace, parsePlace, placesIn } from './folder.js';

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

/** The file of `--out`, which appears when it is complete; without it, or if it is `-`, stdout. */
export async function openTarget({ stdout }: NodeJS.Process, out: string | undefined) {
  if (out !== undefined && out !== '-') return toFile(out);
  return {
    // a chunk at a time: the reader may be slower than the store
    write: (chunk: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    finish: async () => {},
    drop: async () => {},
  };
}

/** The files of SQLite beside a database: the last writes may be only in them. */
const besideDatabase = ['', '-wal', '-shm', '-journal'];

/**
 * Whether `--out` can be a file, before the dump starts. A file of that name is replaced at
 * the end; a folder, a device and the files of the database itself are refused.
 */
export async function checkOut(
  out: string | undefined,
  database: string | undefined,
): Promise<Result<void, string>> {
  if (out === undefined || out === '-') return ok(undefined);
  if (out === '') return err('--out is empty: name a file, or leave it out to write to stdout');
  const name = printable(out);
  try {
    const there = await stat(out).catch(ifMissing);
    if (there?.isDirectory()) return err(`--out is the folder ${name}: name a file in it`);
    if (there !== undefined && !there.isFile()) {
      return err(`--out is ${name}, which is not a file: leave it out and redirect stdout`);
    }
    if (there === undefined && (await lstat(out).catch(ifMissing)) !== undefined) {
      return err(`--out is ${name}, a link that leads nowhere: name a file`);
    }
    if (database === undefined) return ok(undefined);
    const path = await pathOf(out);
    const kept = await realpath(database);
    for (const own of besideDatabase.map((end) => `${kept}${end}`)) {
      const file = await stat(own).catch(ifMissing);
      const isSame = file !== undefined && file.dev === there?.dev && file.ino === there.ino;
      if (path === own || isSame) {
        return err(`--out is ${name}, the very database that is read: name another file`);
      }
    }
    return ok(undefined);
  } catch (error) {
    return Object(error).code === 'ENOENT'
      ? ok(undefined)
      : err(`--out: ${fileProblem('write', out, error)}`);
  }
}

/** The path of a file: a link stays, and its target is replaced. */
async function pathOf(out: string): Promise<string> {
  return (await lstat(out).catch(ifMissing)) === undefined
    ? join(await realpath(dirname(out)), basename(out))
    : realpath(out);
}

function ifMissing(error: unknown): undefined {
  if (Object(error).code !== 'ENOENT') throw error;
}

/** A file beside the target, which takes its place at the end. */
async function toFile(out: string) {
  const path = await pathOf(out);
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  // it contains secrets: it is for this user alone
  const file = await open(beside, 'wx', 0o600);
  return {
    write: (chunk: Uint8Array) => file.writeFile(chunk),
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(beside, path);
      await syncFolder(dirname(path));
    },
    drop: async () => {
      await file.close().catch(() => undefined);
      await unlink(beside).catch(() => undefined);
    },
  };
}

/** Makes the new name outlive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, nor can a user without the right to read it
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().finally(() => opened.close());
}
