import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { err, ok, type Result } from 'neverthrow';
import { fileProblem } from '../file-problem.js';
import { printable } from '../printable.js';

/** Where the text of a dump goes: nothing is seen of a file before all of it is there. */
export interface Target {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  drop(): Promise<void>;
}

/** What `--out` names; without it, and where it is `-`, stdout. */
export async function openTarget(
  process: NodeJS.Process,
  out: string | undefined,
): Promise<Target> {
  return out === undefined || out === '-' ? toStdout(process) : toFile(out);
}

/** Stdout, a chunk at a time: who reads may be slower than the store. */
function toStdout({ stdout }: NodeJS.Process): Target {
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    finish: async () => {},
    drop: async () => {},
  };
}

/**
 * Whether `--out` can be a file, before anything is read for it. What is there is replaced at the end:
 * no folder, no device, and not the database itself.
 */
export async function checkOut(
  out: string | undefined,
  database: string | undefined,
): Promise<Result<void, string>> {
  if (out === undefined || out === '-') return ok(undefined);
  if (out === '') return err('--out is empty: name a file, or leave it out to write to stdout');
  try {
    const there = await stat(out);
    if (there.isDirectory()) {
      return err(`--out is the folder ${printable(out)}: name a file in it`);
    }
    if (!there.isFile()) {
      return err(`--out is ${printable(out)}, which is no file: leave it out and redirect stdout`);
    }
    const kept = database === undefined ? undefined : await stat(database);
    return there.dev === kept?.dev && there.ino === kept.ino
      ? err(`--out is ${printable(out)}, the very database that is read: name another file`)
      : ok(undefined);
  } catch (error) {
    return isMissing(error) ? ok(undefined) : err(`--out: ${fileProblem('write', out, error)}`);
  }
}

function isMissing(error: unknown): boolean {
  return Object(error).code === 'ENOENT';
}

/** A file beside the one that is meant, which takes its place at the end. */
async function toFile(path: string): Promise<Target> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  // secrets are in it: it is for this user alone
  const file: FileHandle = await open(beside, 'wx', 0o600);
  return {
    write: async (chunk) => {
      await file.writeFile(chunk);
    },
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(beside, path);
    },
    drop: async () => {
      await file.close().catch(() => undefined);
      await unlink(beside).catch(() => undefined);
    },
  };
}
