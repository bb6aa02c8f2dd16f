import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesOf } from './place.js';

/** Creates a folder and those above it, below one that exists. */
export async function makeFolder(folder: string, root: string): Promise<void> {
  for (const each of foldersTo(folder, root).slice(0, -1).reverse()) {
    await mkdir(each, { mode: 0o700 }).catch((cause: unknown) => {
      if (errorCode(cause) !== 'EEXIST') throw cause;
    });
  }
}

/** A folder and those above it, up to `root`. */
function foldersTo(folder: string, root: string): string[] {
  return folder === root ? [root] : [folder, ...foldersTo(dirname(folder), root)];
}

/**
 * Writes a content to an unfinished file beside its place, and moves it there. If either fails,
 * the unfinished file is removed.
 */
export async function writeTo(
  place: string,
  content: AsyncIterable<Uint8Array>,
  moveTo: (path: string, place: string) => Promise<void> = rename,
): Promise<void> {
  const path = `${place}.${randomBytes(8).toString('hex')}.part`;
  // `x` is O_EXCL: never a file or a link that exists already
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      for await (const piece of content) await writeAll(file, bytesOf(piece));
      await file.sync();
    } finally {
      await file.close();
    }
    await moveTo(path, place);
  } catch (cause) {
    await unlink(path).catch(() => {});
    throw cause;
  }
}

/** Resolves when all of the piece is written: then its owner may overwrite it. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    const { bytesWritten } = await file.write(piece, at, piece.length - at);
    if (bytesWritten === 0) throw new Error('the file takes no more');
    at += bytesWritten;
  }
}

/** Makes the names in a folder durable: after a crash a file without its name is lost. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and makes names durable by itself
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the name of a place durable, and those of the folders above it up to `root`. */
export async function syncNames(place: string, root: string): Promise<void> {
  for (const each of foldersTo(dirname(place), root)) await syncFolder(each);
}

/** The code of an error of the system, such as `ENOENT`. */
export function errorCode(cause: unknown): unknown {
  return (Object(cause) as { readonly code?: unknown }).code;
}
