import { createReadStream } from 'node:fs';
import { open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Answer,
  checkOptions,
  type FileStore,
  type PortFailure,
  type Tenant,
  type Timer,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { errorCode, makeFolder, syncFolder, syncNames, writeTo } from './durable-write.js';
import { createFolderOwner, filesIn } from './folder-owner.js';
import { checked, isFileId, placeOf, trashedAs, trashName, trashOf } from './place.js';

/** The options of a folder store. */
export interface FolderFileStoreOptions {
  /**
   * An existing folder, on one file system, for this store alone. It is not created: a disk that is
   * not mounted is an error, and no reason to fill another. The first call looks for it: a host
   * that wants to check it at its start calls `access` of `node:fs/promises`.
   */
  readonly folder: string;
  /** Default: the clock of the runtime. The age of an unfinished file is judged by it. */
  readonly timer?: Pick<Timer, 'now'>;
}

/** A file store that can also remove unfinished files of killed processes. */
export interface FolderFileStore extends Required<FileStore> {
  /**
   * Removes the unfinished files of all tenants that were not written to for `minAge` milliseconds,
   * and returns how many: two hours or more, a day by default. No upload takes that long.
   */
  removeUnfinished(minAge?: number): Answer<number>;
}

const hour = 60 * 60 * 1000;
/** As for `marketplace.sweepFiles`. */
const leastAge = 2 * hour;
/** As `writeTo` names them. */
const unfinished = /^[0-9A-Z]{26}\.[0-9a-f]{16}\.part$/;

/**
 * Keeps the contents of work files in a folder of the machine, each in its own file:
 * `<folder>/<environment>/<SHA-256 of the partner>/<id>`. No name of a partner or file is ever part
 * of a path. The trash is in `<folder>/trash`, in folders of the same names, and `<folder>/store-id`
 * has the id of the store that the files belong to. Needs Node.
 *
 * A content is written piece by piece to an unfinished file, synchronised, and moved to its place,
 * and the names are synchronised too: after a crash all of it exists, or nothing. An unfinished
 * file after a crash is never listed or read; `removeUnfinished` removes it. Only the user of the
 * process can read the files.
 *
 * Failures are `unavailable`, with the error of the system as `cause`: not worth a retry if the
 * system refuses the access (`EACCES`, `EPERM`, `EROFS`, ...), else worth one (`ENOSPC`, `EIO`,
 * ...). Reading throws if the content is deleted meanwhile or the disk fails. A `folder` that is
 * not the path of a folder throws a `TypeError` at once.
 *
 * @example
 * ```ts
 * import { mkdtempSync } from 'node:fs';
 * import { createFolderFileStore } from 'dealwright/files';
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 *
 * const files = createFolderFileStore({ folder: mkdtempSync('/tmp/work-files-') });
 * const kept = { store: createMemoryStore(), files };
 * ```
 */
export function createFolderFileStore(options: FolderFileStoreOptions): FolderFileStore {
  const { folder, timer = Date } = Object(options) as Partial<FolderFileStoreOptions>;
  checkOptions('createFolderFileStore', {
    'folder is the path of a folder':
      typeof folder === 'string' && folder !== '' && !folder.includes('\0'),
  });
  // a process that changes its working directory later still means the same folder
  const root = resolve(String(folder));

  const pathOf = (tenant: Tenant, id = '') => join(root, ...placeOf(tenant).split('/'), id);
  /** Moves a content within the folder, or answers that it is missing. */
  const move = async <T extends string>(from: string, to: string, moved: T) => {
    let outcome: PortFailure['outcome'] = 'none';
    try {
      await makeFolder(dirname(to), root);
      await rename(from, to);
      outcome = 'unknown';
      await syncNames(to, root);
      await syncFolder(dirname(from));
      return ok(moved);
    } catch (cause) {
      return outcome === 'none' ? absent(cause, root, 'missing' as const) : failed(cause, outcome);
    }
  };
  const remove = async (path: string) => {
    try {
      await unlink(path);
    } catch (cause) {
      return absent(cause, root, 'missing' as const);
    }
    try {
      await syncFolder(dirname(path));
      return ok('deleted' as const);
    } catch (cause) {
      return failed(cause, 'unknown');
    }
  };
  /**
   * The times of contents in the trash of a tenant, by id; the latest if a content has several
   * names.
   */
  const trashed = async (tenant: Tenant): Promise<Map<string, number>> => {
    const names = await readdir(join(root, trashOf(tenant)));
    const found = names.flatMap((name) => trashedAs(name) ?? []);
    found.sort((a, b) => a.since - b.since);
    return new Map(found.map(({ id, since }) => [id, since]));
  };
  /** Does something with a content in the trash. */
  const withTrashed = async <T>(tenant: Tenant, id: string, use: (path: string) => Promise<T>) => {
    try {
      const since = (await trashed(tenant)).get(id);
      if (since === undefined) return ok('missing' as const);
      return await use(join(root, trashOf(tenant), trashName(id, since)));
    } catch (cause) {
      return absent(cause, root, 'missing' as const);
    }
  };

  const files = checked({
    async put(tenant, id, content) {
      const path = pathOf(tenant, id);
      let outcome: PortFailure['outcome'] = 'none';
      try {
        await makeFolder(dirname(path), root);
        await writeTo(path, content);
        outcome = 'unknown';
        await syncNames(path, root);
        return ok('stored');
      } catch (cause) {
        return failed(cause, outcome);
      }
    },

    async get(tenant, id) {
      const path = pathOf(tenant, id);
      try {
        await (await open(path, 'r')).close();
        // opened when it is read: nothing stays open without a reader
        return ok({ [Symbol.asyncIterator]: () => chunks(path) });
      } catch (cause) {
        return absent(cause, root, undefined);
      }
    },

    delete: (tenant, id) => remove(pathOf(tenant, id)),

    async list(tenant, after = '') {
      try {
        const names = await readdir(pathOf(tenant));
        // all at once: a page would have to read every name as well
        return ok(names.filter((name) => isFileId(name) && name > after).sort());
      } catch (cause) {
        return absent(cause, root, []);
      }
    },

    owner: createFolderOwner(root, failed),

    trash: {
      put: (tenant, id, since) =>
        move(pathOf(tenant, id), join(root, trashOf(tenant), trashName(id, since)), 'trashed'),
      restore: (tenant, id) =>
        withTrashed(tenant, id, (path) => move(path, pathOf(tenant, id), 'restored')),
      delete: (tenant, id) => withTrashed(tenant, id, remove),
      async list(tenant, after = '') {
        try {
          const all = [...(await trashed(tenant))].map(([id, since]) => ({ id, since }));
          const rest = all.filter(({ id }) => id > after);
          return ok(rest.sort((a, b) => (a.id < b.id ? -1 : 1)));
        } catch (cause) {
          return absent(cause, root, []);
        }
      },
    },
  });

  return {
    ...files,
    async removeUnfinished(minAge = 24 * hour) {
      if (!(minAge >= leastAge)) {
        const cause = new TypeError(`removeUnfinished: minAge is ${leastAge} milliseconds or more`);
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
      const latest = timer.now() - minAge;
      let removed = 0;
      try {
        for await (const path of unfinishedFiles(root)) {
          try {
            if ((await stat(path)).mtimeMs > latest) continue;
            await unlink(path);
            removed += 1;
          } catch (cause) {
            // its upload has ended, or another process has removed it
            if (errorCode(cause) !== 'ENOENT') throw cause;
          }
        }
        return ok(removed);
      } catch (cause) {
        return failed(cause, 'unknown');
      }
    },
  };
}

/** The files of uploads that are under way or were cut off. */
async function* unfinishedFiles(root: string): AsyncGenerator<string> {
  for await (const { folder, name } of filesIn(root)) {
    if (unfinished.test(name)) yield join(folder, name);
  }
}

async function* chunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** The answer if a file is missing; a missing folder is an error. */
async function absent<T>(cause: unknown, root: string, answer: T) {
  if (errorCode(cause) !== 'ENOENT') return failed(cause, 'none');
  try {
    await stat(root);
    return ok(answer);
  } catch (gone) {
    return failed(gone, 'none');
  }
}

/** Lasting errors of the system: a retry cannot help before something is changed. */
const lasting = /^(?:EACCES|EISDIR|ELOOP|ENAMETOOLONG|ENOTDIR|EPERM|EROFS)$/;

function failed(cause: unknown, outcome: PortFailure['outcome']) {
  return unavailable({ outcome, retryable: !lasting.test(String(errorCode(cause))), cause });
}
