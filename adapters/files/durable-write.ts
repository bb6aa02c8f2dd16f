import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesOf } from './place.js';

const temporary = /^[0-9A-Z]{26}\.[0-9a-f]{16}\.part$/;

/** Says whether a name is that of a content on its way. */
export function isTemporary(name: string): boolean {
  return temporary.test(name);
}

/** Makes the folder of a tenant, two steps below one that is there already. */
export async function makeFolder(folder: string): Promise<void> {
  for (const each of [dirname(folder), folder]) {
    await mkdir(each, { mode: 0o700 }).catch((cause: unknown) => {
      if (errorCode(cause) !== 'EEXIST') throw cause;
    });
  }
}

/**
 * Writes a content to a temporary file beside its place, and gives what moves it there. Where this
 * fails, the temporary file is gone.
 */
export async function writeBeside(
  place: string,
  content: AsyncIterable<Uint8Array>,
): Promise<() => Promise<void>> {
  const path = `${place}.${randomBytes(8).toString('hex')}.part`;
  // `x` is O_EXCL: never a file, nor a link, that is there already
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      for await (const piece of content) await writeAll(file, bytesOf(piece));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    await unlink(path).catch(() => {});
    throw cause;
  }
  return async () => {
    try {
      await rename(path, place);
    } catch (cause) {
      await unlink(path).catch(() => {});
      throw cause;
    }
  };
}

/** Written to its end before it is answered: the piece may be overwritten after that. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    const { bytesWritten } = await file.write(piece, at, piece.length - at);
    if (bytesWritten === 0) throw new Error('the file takes no more');
    at += bytesWritten;
  }
}

/** Makes the names in a folder last: after a crash a file without its name is lost. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder, and keeps names by itself
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the name of a place last, and those of the folders above it up to `root`. */
export async function syncNames(place: string, root: string): Promise<void> {
  const folder = dirname(place);
  for (const each of [folder, dirname(folder), root]) await syncFolder(each);
}

/** The code of an error of the system, such as `ENOENT`. */
export function errorCode(cause: unknown): unknown {
  return (Object(cause) as { readonly code?: unknown }).code;
}

/** The path of something in the folder of a tenant. */
export function pathOf(root: string, place: string, name = ''): string {
  return join(root, ...place.split('/'), name);
}
