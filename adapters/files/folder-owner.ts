import { constants } from 'node:fs';
import { copyFile, link, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileOwner, PortFailure, Tenant } from 'dealwright/ports';
import { type Err, ok } from 'neverthrow';
import { errorCode, syncFolder, writeTo } from './durable-write.js';
import { isFileId, ownerIn, ownerName } from './place.js';

type Failed = (cause: unknown, outcome: PortFailure['outcome']) => Err<never, PortFailure>;

/** Keeps the id of a store in a file of the folder, which exists completely or not at all. */
export function createFolderOwner(root: string, failed: Failed): FileOwner {
  const path = join(root, ownerName);
  const find = async (): Promise<string | undefined> => {
    try {
      return ownerIn(path, await readFile(path, 'utf8'));
    } catch (cause) {
      if (errorCode(cause) !== 'ENOENT') throw cause;
      // a missing folder has no owner either, and is an error
      await stat(root);
      return undefined;
    }
  };
  const keep = async (store: string, moveTo: (path: string, place: string) => Promise<void>) => {
    await writeTo(path, textOf(store), moveTo);
    await syncFolder(root);
  };
  return {
    async read() {
      try {
        const store = await find();
        if (store !== undefined) return ok({ store });
        for await (const { name } of filesIn(root)) if (isFileId(name)) return ok('unknown');
        return ok('empty');
      } catch (cause) {
        return failed(cause, 'none');
      }
    },
    async claim(store) {
      try {
        const kept = await find();
        if (kept !== undefined) return ok(kept);
        await keep(store, moveUnlessThere);
        return ok((await find()) ?? store);
      } catch (cause) {
        return failed(cause, 'unknown');
      }
    },
    async replace(store) {
      try {
        await keep(store, rename);
        return ok('replaced');
      } catch (cause) {
        return failed(cause, 'unknown');
      }
    },
  };
}

async function* textOf(store: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${store}\n`);
}

/** Codes of file systems that have no links to files. */
const withoutLinks = /^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/;

/** Gives a file its name unless another file has it: the first of several stays. */
async function moveUnlessThere(path: string, place: string): Promise<void> {
  try {
    await link(path, place).catch((cause: unknown) => {
      if (!withoutLinks.test(String(errorCode(cause)))) throw cause;
      return copyFile(path, place, constants.COPYFILE_EXCL);
    });
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cause;
  }
  await unlink(path);
}

const environments: readonly Tenant['environment'][] = ['production', 'sandbox'];

/** The files in the folders of all tenants, of any kind. */
export async function* filesIn(
  root: string,
): AsyncGenerator<{ readonly folder: string; readonly name: string }> {
  const names = new Set(await readdir(root));
  for (const environment of environments.filter((each) => names.has(each))) {
    for (const tenant of await readdir(join(root, environment))) {
      if (!/^[0-9a-f]{64}$/.test(tenant)) continue;
      const folder = join(root, environment, tenant);
      for (const name of await readdir(folder)) yield { folder, name };
    }
  }
}
