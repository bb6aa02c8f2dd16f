// @ts-check
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from 'neverthrow';

/**
 * The least that keeps contents on a disk, for one tenant: piece by piece, synchronised at the end.
 *
 * @param {string} folder
 * @returns {import('dealwright/ports').FileStore}
 */
export function createDiskStore(folder) {
  return {
    async put(_, id, content) {
      const path = join(folder, id);
      const file = await open(path, 'wx');
      try {
        for await (const piece of content) await file.write(piece);
        await file.sync();
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      return ok('stored');
    },
    async get(_, id) {
      const file = await open(join(folder, id));
      return ok(file.createReadStream());
    },
    async delete(_, id) {
      await rm(join(folder, id), { force: true });
      return ok('deleted');
    },
    async list(_, after, limit) {
      const ids = (await readdir(folder)).sort();
      return ok(ids.filter((id) => after === undefined || id > after).slice(0, limit));
    },
  };
}
