import { constants, existsSync } from 'node:fs';
import { access, chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';

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
