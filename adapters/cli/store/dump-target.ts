import { randomBytes } from 'node:crypto';
import { lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';
import { fileProblem } from '../problem.js';

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
