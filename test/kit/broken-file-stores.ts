import { createMemoryFileStore } from 'dealwright/memory';
import type { Tenant } from 'dealwright/ports';
import type { FileStoreSubject } from 'dealwright/spec';
import { ok } from 'neverthrow';

const close = async () => undefined;

/** A file store without a fault, to break. */
export function createGoodFileStore(): FileStoreSubject {
  return { ...createMemoryFileStore(), close };
}

/** The store as it would be if every tenant were the one that `merge` makes of it. */
function mergeTenants(merge: (tenant: Tenant) => Tenant): FileStoreSubject {
  const store = createGoodFileStore();
  return {
    put: (tenant, ...rest) => store.put(merge(tenant), ...rest),
    get: (tenant, id) => store.get(merge(tenant), id),
    delete: (tenant, id) => store.delete(merge(tenant), id),
    list: (tenant, ...rest) => store.list(merge(tenant), ...rest),
    close,
  };
}

/** A store that is broken in how it takes a content in. */
function putting(
  put: (
    shelf: Map<string, Uint8Array[]>,
    id: string,
    content: AsyncIterable<Uint8Array>,
  ) => Promise<void>,
): FileStoreSubject {
  const shelves = new Map<string, Map<string, Uint8Array[]>>();
  const shelfOf = ({ environment, partner }: Tenant) => {
    const name = `${environment}:${partner}`;
    const shelf = shelves.get(name) ?? new Map<string, Uint8Array[]>();
    shelves.set(name, shelf);
    return shelf;
  };
  return {
    async put(tenant, id, content) {
      await put(shelfOf(tenant), id, content);
      return ok('stored');
    },
    get(tenant, id) {
      const pieces = shelfOf(tenant).get(id);
      return ok(pieces && copies(pieces));
    },
    delete: (tenant, id) => ok(shelfOf(tenant).delete(id) ? 'deleted' : 'missing'),
    list(tenant, after) {
      const ids = [...shelfOf(tenant).keys()].sort();
      return ok(ids.filter((id) => after === undefined || id > after));
    },
    close,
  };
}

async function* copies(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Uint8Array.from(piece);
}

/** File stores with a mistake each that the contract has to find, and a case that finds it. */
export const brokenFileStores: Readonly<
  Record<string, { readonly make: () => FileStoreSubject; readonly foundBy: string }>
> = {
  'keeps the pieces instead of their bytes': {
    make: () =>
      putting(async (shelf, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        shelf.set(id, pieces);
      }),
    foundBy: 'asks for a piece once it is done with the one before',
  },
  'reads ahead': {
    make: () =>
      putting(async (shelf, id, content) => {
        const source = content[Symbol.asyncIterator]();
        const pieces: Uint8Array[] = [];
        for (;;) {
          const both = await Promise.all([source.next(), source.next()]);
          for (const { value, done } of both) if (done !== true) pieces.push(value.slice());
          if (both.some(({ done }) => done === true)) break;
        }
        shelf.set(id, pieces);
      }),
    foundBy: 'asks for a piece once it is done with the one before',
  },
  'shows what is half written': {
    make: () =>
      putting(async (shelf, id, content) => {
        const pieces: Uint8Array[] = [];
        shelf.set(id, pieces);
        try {
          for await (const piece of content) pieces.push(piece.slice());
        } catch (cause) {
          shelf.delete(id);
          throw cause;
        }
      }),
    foundBy: 'shows nothing of a content before its end, and waits for no other',
  },
  'keeps what came of a content that broke off': {
    make: () =>
      putting(async (shelf, id, content) => {
        const pieces: Uint8Array[] = [];
        try {
          for await (const piece of content) pieces.push(piece.slice());
        } catch {
          // what is there is better than nothing
        }
        shelf.set(id, pieces);
      }),
    foundBy: 'keeps nothing of a content that breaks off after a little',
  },
  'rejects where a content breaks off': {
    make: () =>
      putting(async (shelf, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece.slice());
        shelf.set(id, pieces);
      }),
    foundBy: 'keeps nothing of a content that breaks off before its first piece',
  },
  'takes an empty piece for the end': {
    make: () =>
      putting(async (shelf, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) {
          if (piece.length === 0) break;
          pieces.push(piece.slice());
        }
        shelf.set(id, pieces);
      }),
    foundBy: 'keeps a content as it was given, whatever its pieces',
  },
  'has no file without bytes': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async get(tenant, id) {
          const got = await store.get(tenant, id);
          if (got.isErr() || got.value === undefined) return got;
          const pieces: Uint8Array[] = [];
          for await (const piece of got.value) pieces.push(piece);
          return ok(pieces.length === 0 ? undefined : copies(pieces));
        },
      };
    },
    foundBy: 'keeps a content as it was given, whatever its pieces',
  },
  'reads contents as text': {
    make: () =>
      putting(async (shelf, id, content) => {
        let text = '';
        for await (const piece of content) text += new TextDecoder().decode(piece);
        shelf.set(id, [new TextEncoder().encode(text)]);
      }),
    foundBy: 'keeps a content as it was given, whatever its pieces',
  },
  'hands out what it keeps': {
    make: () => {
      const store = createGoodFileStore();
      const kept = new Map<string, Uint8Array[]>();
      return {
        ...store,
        async get(tenant, id) {
          const got = await store.get(tenant, id);
          if (got.isErr() || got.value === undefined) return got;
          const name = JSON.stringify([tenant, id]);
          const pieces = kept.get(name) ?? [];
          if (!kept.has(name)) for await (const piece of got.value) pieces.push(piece);
          kept.set(name, pieces);
          async function* same(): AsyncGenerator<Uint8Array> {
            yield* pieces;
          }
          return ok(same());
        },
      };
    },
    foundBy: 'gives what it keeps again and again, whatever readers do to it',
  },
  'gives a content once': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async get(tenant, id) {
          const got = await store.get(tenant, id);
          await store.delete(tenant, id);
          return got;
        },
      };
    },
    foundBy: 'lets a reader stop early, and several read at once',
  },
  'takes one content at a time': {
    make: () => {
      const store = createGoodFileStore();
      let last: PromiseLike<unknown> = Promise.resolve();
      return {
        ...store,
        put(...args) {
          const next = last.then(() => store.put(...args));
          // a queue without an end in which somebody waits for ever: told, so that the case ends
          const given = new Promise<Awaited<typeof next>>((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error('still waiting')), 200);
            next.then(
              (result) => {
                clearTimeout(timer);
                resolve(result);
              },
              (cause) => {
                clearTimeout(timer);
                reject(cause);
              },
            );
          });
          last = next.then(
            () => undefined,
            () => undefined,
          );
          return given;
        },
      };
    },
    foundBy: 'shows nothing of a content before its end, and waits for no other',
  },
  'mixes up what comes at once': {
    make: () => {
      let shared: Uint8Array[] = [];
      return putting(async (shelf, id, content) => {
        shared = [];
        for await (const piece of content) shared.push(piece.slice());
        shelf.set(id, shared);
      });
    },
    foundBy: 'keeps contents apart that come at once',
  },
  'says of everything that it deleted it': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async delete(tenant, id) {
          await store.delete(tenant, id);
          return ok('deleted');
        },
      };
    },
    foundBy: 'knows nothing that was never put',
  },
  'deletes all that a partner has': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async delete(tenant, id) {
          const gone = await store.delete(tenant, id);
          const rest = await store.list(tenant, undefined);
          for (const each of rest.isOk() ? rest.value : []) await store.delete(tenant, each);
          return gone;
        },
      };
    },
    foundBy: 'deletes a content, and no other',
  },
  'lists the id that it is to list after': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async list(tenant, after) {
          const all: readonly string[] = (await store.list(tenant, undefined)).unwrapOr([]);
          const rest = all.filter((id) => after === undefined || id > after);
          const isThere = after !== undefined && all.includes(after);
          return ok(isThere && rest.length > 0 ? [after, ...rest] : rest);
        },
      };
    },
    foundBy: 'lists ids in the order of their text, page by page',
  },
  'lists in the order of arrival': {
    make: () => {
      const store = createGoodFileStore();
      const order: string[] = [];
      return {
        ...store,
        put(tenant, id, content) {
          order.push(id);
          return store.put(tenant, id, content);
        },
        async list(tenant, after) {
          const known = new Set<string>((await store.list(tenant, undefined)).unwrapOr([]));
          const ids = order.filter((id) => known.has(id));
          return ok(ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1));
        },
      };
    },
    foundBy: 'lists ids in the order of their text, page by page',
  },
  'lists its first page again and again': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant) => (await store.list(tenant, undefined)).map((ids) => ids.slice(0, 3)),
      };
    },
    foundBy: 'lists ids in the order of their text, page by page',
  },
  'has no second page': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant, after) =>
          (await store.list(tenant, after)).map((ids) => (after ? [] : ids.slice(0, 3))),
      };
    },
    foundBy: 'lists ids in the order of their text, page by page',
  },
  'shows a page twice': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant, after) =>
          (await store.list(tenant, after)).map((ids) => [...ids, ...ids].slice(0, 20)),
      };
    },
    foundBy: 'lists ids in the order of their text, page by page',
  },
  'has one folder for both environments': {
    make: () => mergeTenants((tenant) => ({ ...tenant, environment: 'sandbox' })),
    foundBy: 'keeps partners and environments apart, whatever their names',
  },
  'has one folder for names that differ in case alone': {
    make: () => mergeTenants((tenant) => ({ ...tenant, partner: tenant.partner.toLowerCase() })),
    foundBy: 'keeps partners and environments apart, whatever their names',
  },
  'cuts long names of partners': {
    make: () => mergeTenants((tenant) => ({ ...tenant, partner: tenant.partner.slice(0, 64) })),
    foundBy: 'keeps partners and environments apart, whatever their names',
  },
  'takes a name of a partner for a path': {
    make: () =>
      mergeTenants(({ environment, partner }) => {
        const { pathname } = new URL(`http://files/${environment}/${partner}`);
        return { environment: 'sandbox', partner: pathname };
      }),
    foundBy: 'keeps partners and environments apart, whatever their names',
  },
};
