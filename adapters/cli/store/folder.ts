import { constants } from 'node:fs';
import { access, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';

/** The places in a folder of deals. */
export interface DataFolder {
  readonly folder: string;
  readonly database: string;
  readonly files: string;
}

/** The database of a folder. */
export function databaseIn(folder: string): string {
  return join(folder, 'deals.db');
}

/** The contents of work files of a folder. */
export function filesIn(folder: string): string {
  return join(folder, 'files');
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be made there',
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

/** Makes the folder where it is not there, for this user alone, or says why that cannot be. */
export async function makeDataFolder(given: string): Promise<Result<DataFolder, string>> {
  const folder = resolve(given);
  const files = filesIn(folder);
  try {
    // what is personal is in it: nobody else of this machine is to read it
    await makeFolder(folder);
    await makeFolder(files);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await access(files, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok({ folder, database: databaseIn(folder), files });
  } catch (error) {
    return err(complaint(folder, error));
  }
}

/**
 * Makes a folder and those above it, from the first that is there. Node's own way asks for ever where
 * the system says that there is no such folder, and there is one: below `/proc`.
 */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // somebody else may have made it just now
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (Object(error).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes the file of the database where it is not there, for this user alone whoever may read the
 * folder: SQLite gives what it puts beside it the same rights. One that this user may not write is
 * told now, as SQLite would open it and refuse each write.
 */
export async function makeDatabaseFile(path: string): Promise<Result<void, string>> {
  try {
    const file = await open(path, 'a', 0o600);
    await file.close();
    return ok(undefined);
  } catch (error) {
    return err(complaint(path, error));
  }
}

function complaint(path: string, error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return `deals cannot be kept in ${printable(path)}: ${words[code] ?? code} (DEALWRIGHT_DATA names the folder)`;
}
