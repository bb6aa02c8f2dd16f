import { constants, existsSync } from 'node:fs';
import { access, chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../output.js';

/** The places in a folder of deals: its database, and the contents of work files. */
export function placesIn(given: string) {
  const folder = resolve(given);
  return { folder, database: join(folder, 'deals.db'), files: join(folder, 'files') };
}

type Places = ReturnType<typeof placesIn>;

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be created there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written to that file system',
  EEXIST: 'there is a file of this name',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'there is a folder of this name',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk space of this user is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the path leads back to itself',
};

/** Creates the folder if it is missing, for this user alone, or says why it cannot. */
export async function makeDataFolder({ folder, files }: Places): Promise<Result<void, string>> {
  try {
    // it contains personal data: no other user of this machine may read it
    for (const path of [folder, files]) {
      await makeFolder(path);
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return ok(undefined);
  } catch (error) {
    return err(complaint(folder, error));
  }
}

/**
 * Creates a folder and those above it, from the first missing one. Node's own `recursive` never
 * ends below `/proc`, where the system denies a folder that exists.
 */
async function makeFolder(path: string): Promise<void> {
  const above = dirname(path);
  if (above !== path && !existsSync(above)) await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(async (error) => {
    // it exists already, or another process has just created it
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  });
}

/**
 * Creates the file of the database if it is missing, for this user alone: SQLite gives the files
 * beside it the same rights. A file that this user may not write is refused here, as SQLite would
 * open it and refuse each write. An empty file beside work files is refused too: it has lost their
 * records.
 */
export async function prepareDatabaseFile(
  { database, files }: Places,
  warn: (text: string) => void,
): Promise<Result<void, string>> {
  try {
    const isEmpty = (await stat(database).catch(() => undefined))?.size === 0;
    const count = isEmpty ? await countContents(files) : 0;
    if (count > 0) {
      return err(
        `${printable(database)} is empty, and there are ${count} work files in ${printable(files)}: copy the database back from a backup, or delete the empty file to begin without deals`,
      );
    }
    await (await open(database, 'a', 0o600)).close();
    for (const end of ['', '-wal', '-shm']) await denyOthers(database + end, warn);
    return ok(undefined);
  } catch (error) {
    return err(complaint(database, error));
  }
}

/**
 * How many work files there are below a folder, including those in the trash: a ULID names each.
 */
async function countContents(files: string): Promise<number> {
  const names = await readdir(files, { recursive: true });
  return names.filter((name) => /(?:^|[\\/])[0-7][0-9A-HJKMNP-TV-Z]{25}(?:\.\d+)?$/.test(name))
    .length;
}

/** Removes the rights of other users; those of a group stay. */
async function denyOthers(path: string, warn: (text: string) => void): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode ?? 0;
  if ((mode & 0o007) === 0) return;
  try {
    await chmod(path, mode & 0o770);
  } catch {
    // another user's file, or a file system without rights
    warn(`other users of this machine have rights on ${printable(path)}: run chmod o= on it`);
  }
}

function complaint(path: string, error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return `deals cannot be kept in ${printable(path)}: ${words[code] ?? code} (DEALWRIGHT_DATA names the folder)`;
}

/** The place of deals and of the contents of work files. */
export type KeptPlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly folder: string };

/** The place of the deals of a service. */
export type StorePlace = KeptPlace | { readonly kind: 'memory' };

const defaultFolder = '.dealwright';

/**
 * Reads the place from the environment. No message repeats an address: it may contain a password.
 */
export function parsePlace(
  environment: Readonly<Record<string, string | undefined>>,
): Result<KeptPlace, string> {
  const folder = environment['DEALWRIGHT_DATA'] ?? defaultFolder;
  if (folder === '') {
    return err(
      `DEALWRIGHT_DATA is empty: leave it out to keep deals in ${defaultFolder}, or name a folder`,
    );
  }
  const url = environment['DATABASE_URL'];
  if (url === undefined) return ok({ kind: 'sqlite', folder });
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) {
    return ok({ kind: 'postgres', url, folder });
  }
  return err(
    'DATABASE_URL is no address of PostgreSQL: give one such as postgres://user:password@127.0.0.1:5432/deals, or leave it out to keep deals in a folder',
  );
}

/**
 * Each process at work on a database keeps a mark beside it, with its number in its name. A killed
 * process leaves its mark there.
 */
const markName = /^running-(\d+)$/;

const markOf = (path: string, pid: number) => join(dirname(path), `running-${pid}`);

/** The processes that are at work on a database, or did not end in order. */
export async function markedAt(path: string): Promise<readonly number[]> {
  const names = await readdir(dirname(path));
  return names.flatMap((name) => markName.exec(name)?.[1] ?? []).map(Number);
}

/** Keeps the mark of this process, in place of those that dead processes have left. */
export async function keepMark(path: string, pid: number, found: readonly number[]): Promise<void> {
  try {
    const mark = await open(markOf(path, pid), 'w', 0o600);
    // it has to outlive a power cut
    await mark.sync().finally(() => mark.close());
  } catch {
    // a full disk must not prevent reading
  }
  for (const each of found) if (each !== pid && !isAlive(each)) await removeMark(path, each);
}

export async function removeMark(path: string, pid: number): Promise<void> {
  await rm(markOf(path, pid), { force: true });
}

/** Whether there is such a process, of any user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
