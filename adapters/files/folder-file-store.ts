import { open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FileStore, type PortFailure, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  errorCode,
  isTemporary,
  makeFolder,
  pathOf,
  syncFolder,
  syncNames,
  writeBeside,
} from './durable-write.js';
import { isFileId, placeOf, refusalOf } from './place.js';

/**
 * Where a folder store keeps its contents.
 */
export interface FolderFileStoreOptions {
  /**
   * A folder that is there, on one file system, for this alone. It is not made: a disk that is not
   * mounted is an error, and no reason to fill another. It is first looked for by the first upload:
   * a host that wants to know at its start asks `access` of `node:fs/promises`.
   */
  readonly folder: string;
}

/** A temporary file that nobody has written to for so long (milliseconds) is of a crash. */
const abandonedAfter = 24 * 60 * 60 * 1000;
const chunkSize = 64 * 1024;

/**
 * Keeps the contents of work files in a folder of the machine, each in a file of its own:
 * `<folder>/<environment>/<SHA-256 of the partner>/<id>`. No name of a partner or file is ever part
 * of a path. Needs Node.
 *
 * A content is written piece by piece to a temporary file, synchronised, and moved to its place,
 * and the names are synchronised too: after a crash all of it is there, or nothing. What a crash
 * leaves of a temporary file is never listed or read; `list` from the beginning deletes it once
 * nobody has written to it for 24 hours. Files are readable by the user of the process alone.
 *
 * Failures are `unavailable`, with the error of the system as `cause`: not worth a retry where the
 * system refuses the access (`EACCES`, `EPERM`, `EROFS`, ...), else worth one (`ENOSPC`, `EIO`, ...).
 * Reading a content that is deleted meanwhile, or that the disk does not give, throws. A `TypeError`
 * is thrown at once where `folder` is no text.
 *
 * @example
 * ```ts
 * import { mkdtempSync } from 'node:fs';
 * import { createFolderFileStore } from 'dealwright/files';
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const files = createFolderFileStore({ folder: mkdtempSync('/tmp/work-files-') });
 * const store = { ...createMemoryStore(), files };
 * ```
 */
export function createFolderFileStore(options: FolderFileStoreOptions): FileStore {
  const { folder } = Object(options) as Partial<FolderFileStoreOptions>;
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0')) {
    throw new TypeError('createFolderFileStore: folder is the path of a folder');
  }
  // a process that changes its working directory later still means the same folder
  const root = resolve(folder);

  return {
    async put(tenant, id, content) {
      const refused = refusalOf(tenant, id);
      if (refused !== undefined) return refused;
      const place = pathOf(root, placeOf(tenant), id);
      let outcome: PortFailure['outcome'] = 'none';
      try {
        await makeFolder(dirname(place));
        const moveThere = await writeBeside(place, content);
        await moveThere();
        outcome = 'unknown';
        await syncNames(place, root);
        return ok('stored');
      } catch (cause) {
        return failed(cause, outcome);
      }
    },

    async get(tenant, id) {
      const refused = refusalOf(tenant, id);
      if (refused !== undefined) return refused;
      const path = pathOf(root, placeOf(tenant), id);
      try {
        await (await open(path, 'r')).close();
        // opened again by whoever reads: nothing stays open where nobody does
        return ok({ [Symbol.asyncIterator]: () => chunks(path) });
      } catch (cause) {
        return absent(cause, root, undefined);
      }
    },

    async delete(tenant, id) {
      const refused = refusalOf(tenant, id);
      if (refused !== undefined) return refused;
      const path = pathOf(root, placeOf(tenant), id);
      try {
        await unlink(path);
      } catch (cause) {
        return absent(cause, root, 'missing' as const);
      }
      try {
        await syncFolder(dirname(path));
        return ok('deleted');
      } catch (cause) {
        return failed(cause, 'unknown');
      }
    },

    async list(tenant, after) {
      const refused = refusalOf(tenant, after);
      if (refused !== undefined) return refused;
      const own = pathOf(root, placeOf(tenant));
      try {
        const names = await readdir(own);
        if (after === undefined) await dropAbandoned(root, placeOf(tenant), names);
        const ids = names.filter((name) => isFileId(name) && (after === undefined || name > after));
        // all at once: a page would cost as much, which has to read every name as well
        return ok(ids.sort());
      } catch (cause) {
        return absent(cause, root, []);
      }
    },
  };
}

/** Deletes what crashes left. Where that fails it is tried again with the next list. */
async function dropAbandoned(root: string, place: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter(isTemporary)) {
    const path = pathOf(root, place, name);
    try {
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > abandonedAfter) await unlink(path);
    } catch {
      // somebody else was faster, or the next list will meet the same
    }
  }
}

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(chunkSize), 0, chunkSize);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** What the answer is where a file is not there; a folder that is not there has lost them all. */
async function absent<T>(cause: unknown, root: string, answer: T) {
  if (errorCode(cause) !== 'ENOENT') return failed(cause, 'none');
  try {
    await stat(root);
    return ok(answer);
  } catch (gone) {
    return failed(gone, 'none');
  }
}

/** What the system says for good; somebody has to change something first. */
const lasting: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

function failed(cause: unknown, outcome: PortFailure['outcome']) {
  return unavailable({ outcome, retryable: !lasting.has(errorCode(cause)), cause });
}
