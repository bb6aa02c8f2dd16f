import { ok } from 'neverthrow';
import { type BrokenFileStore, createGoodFileStore } from './good-file-store.js';

type Good = Required<ReturnType<typeof createGoodFileStore>>;

const breaking = (change: (good: Good) => Partial<Good>) => () => {
  const store = createGoodFileStore() as Good;
  return { ...store, ...change(store) };
};
const owning = (change: (owner: Good['owner'], good: Good) => Partial<Good['owner']>) =>
  breaking((good) => ({ owner: { ...good.owner, ...change(good.owner, good) } }));
const trashing = (change: (trash: Good['trash'], good: Good) => Partial<Good['trash']>) =>
  breaking((good) => ({ trash: { ...good.trash, ...change(good.trash, good) } }));

const keeps = '8/files/owner/first-claim';
const back = '8/files/trash/restored';
const lists = '8/files/trash/list';

/** File stores with a mistake in their owner, or in their trash. */
export const brokenFileTrash: Readonly<Record<string, BrokenFileStore>> = {
  'says that it is empty, whatever it has': {
    make: owning(({ read }) => ({
      read: async () => (await read()).map((found) => (found === 'unknown' ? 'empty' : found)),
    })),
    foundBy: '8/files/owner/unclaimed',
  },
  'belongs to the last that claims it': {
    make: owning(({ replace }) => ({
      async claim(id) {
        await replace(id);
        return ok(id);
      },
    })),
    foundBy: keeps,
  },
  'belongs to the first for ever': {
    make: owning(() => ({ replace: () => ok('replaced') })),
    foundBy: keeps,
  },
  'looks who has it before it is claimed, and claims it a moment later': {
    make: owning(({ read, replace }) => ({
      async claim(id) {
        const found = (await read())._unsafeUnwrap();
        if (typeof found === 'object') return ok(found.store);
        await undefined;
        await replace(id);
        return ok(id);
      },
    })),
    foundBy: '8/files/owner/claims-at-once',
  },
  'deletes what should go to the trash': {
    make: trashing((_, { delete: remove }) => ({
      put: async (tenant, id) =>
        (await remove(tenant, id)).map((gone) => (gone === 'deleted' ? 'trashed' : gone)),
    })),
    foundBy: back,
  },
  'leaves in its place what goes to the trash': {
    make: trashing(({ put }, { get, put: write }) => ({
      async put(tenant, id, since) {
        const content = (await get(tenant, id))._unsafeUnwrap();
        const moved = await put(tenant, id, since);
        if (content !== undefined) await write(tenant, id, content);
        return moved;
      },
    })),
    foundBy: back,
  },
  'forgets when a content came to the trash': {
    make: trashing(({ list }) => ({
      list: async (...given) =>
        (await list(...given)).map((all) => all.map(({ id }) => ({ id, since: 0 }))),
    })),
    foundBy: back,
  },
  'deletes a content that is not in the trash': {
    make: trashing(({ delete: remove }, good) => ({
      async delete(tenant, id) {
        const gone = await remove(tenant, id);
        return gone._unsafeUnwrap() === 'missing' ? good.delete(tenant, id) : gone;
      },
    })),
    foundBy: '8/files/trash/deleted',
  },
  'has one trash for all partners': {
    make: trashing(({ put, restore, list, delete: remove }) => ({
      put: (tenant, ...rest) => put({ ...tenant, partner: 'acme' }, ...rest),
      restore: (tenant, id) => restore({ ...tenant, partner: 'acme' }, id),
      list: (tenant, after) => list({ ...tenant, partner: 'acme' }, after),
      delete: (tenant, id) => remove({ ...tenant, partner: 'acme' }, id),
    })),
    foundBy: lists,
  },
  'lists its trash in the order of arrival': {
    make: trashing(({ list }) => ({
      list: async (...given) =>
        (await list(...given)).map((all) => [...all].sort((a, b) => b.since - a.since)),
    })),
    foundBy: lists,
  },
};
