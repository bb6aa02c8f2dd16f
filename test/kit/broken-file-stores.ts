import type { Tenant } from 'dealwright/ports';
import type { FileStoreSubject } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { brokenFileLists } from './broken-file-lists.js';
import { brokenFileTrash } from './broken-file-trash.js';
import { type BrokenFileStore, createGoodFileStore } from './good-file-store.js';

const close = async () => undefined;

/** A store with a mistake in storing a content. */
function putting(
  put: (
    contents: Map<string, Uint8Array[]>,
    id: string,
    content: AsyncIterable<Uint8Array>,
  ) => Promise<void>,
): FileStoreSubject {
  const tenants = new Map<string, Map<string, Uint8Array[]>>();
  const contentsOf = ({ environment, partner }: Tenant) => {
    const name = `${environment}:${partner}`;
    const contents = tenants.get(name) ?? new Map<string, Uint8Array[]>();
    tenants.set(name, contents);
    return contents;
  };
  return {
    async put(tenant, id, content) {
      await put(contentsOf(tenant), id, content);
      return ok('stored');
    },
    get(tenant, id) {
      const pieces = contentsOf(tenant).get(id);
      return ok(pieces && copies(pieces));
    },
    delete: (tenant, id) => ok(contentsOf(tenant).delete(id) ? 'deleted' : 'missing'),
    list(tenant, after) {
      const ids = [...contentsOf(tenant).keys()].sort();
      return ok(ids.filter((id) => after === undefined || id > after));
    },
    close,
  };
}

async function* copies(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Uint8Array.from(piece);
}

/** File stores with a mistake each that the contract has to find. */
export const brokenFileStores: Readonly<Record<string, BrokenFileStore>> = {
  ...brokenFileLists,
  ...brokenFileTrash,
  'keeps the pieces instead of their bytes': {
    make: () =>
      putting(async (kept, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        kept.set(id, pieces);
      }),
    foundBy: '4/files/one-piece-at-a-time',
  },
  'reads ahead': {
    make: () =>
      putting(async (kept, id, content) => {
        const source = content[Symbol.asyncIterator]();
        const pieces: Uint8Array[] = [];
        for (;;) {
          const both = await Promise.all([source.next(), source.next()]);
          for (const { value, done } of both) if (done !== true) pieces.push(value.slice());
          if (both.some(({ done }) => done === true)) break;
        }
        kept.set(id, pieces);
      }),
    foundBy: '4/files/one-piece-at-a-time',
  },
  'shows what is half written': {
    make: () =>
      putting(async (kept, id, content) => {
        const pieces: Uint8Array[] = [];
        kept.set(id, pieces);
        try {
          for await (const piece of content) pieces.push(piece.slice());
        } catch (cause) {
          kept.delete(id);
          throw cause;
        }
      }),
    foundBy: '6.4/files/whole-or-nothing',
  },
  'keeps what came of a content that broke off': {
    make: () =>
      putting(async (kept, id, content) => {
        const pieces: Uint8Array[] = [];
        try {
          for await (const piece of content) pieces.push(piece.slice());
        } catch {
          // keeps an incomplete content
        }
        kept.set(id, pieces);
      }),
    foundBy: '8/files/broken-off (after a little)',
  },
  'rejects where a content breaks off': {
    make: () =>
      putting(async (kept, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece.slice());
        kept.set(id, pieces);
      }),
    foundBy: '8/files/broken-off (before its first piece)',
  },
  'takes an empty piece for the end': {
    make: () =>
      putting(async (kept, id, content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) {
          if (piece.length === 0) break;
          pieces.push(piece.slice());
        }
        kept.set(id, pieces);
      }),
    foundBy: '6.4/files/bytes',
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
    foundBy: '6.4/files/bytes',
  },
  'reads contents as text': {
    make: () =>
      putting(async (kept, id, content) => {
        let text = '';
        for await (const piece of content) text += new TextDecoder().decode(piece);
        kept.set(id, [new TextEncoder().encode(text)]);
      }),
    foundBy: '6.4/files/bytes',
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
    foundBy: '6.4/files/unchanged',
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
    foundBy: '6.4/files/readers',
  },
  'takes one content at a time': {
    make: () => {
      const store = createGoodFileStore();
      let last: PromiseLike<unknown> = Promise.resolve();
      return {
        ...store,
        put(...args) {
          const next = last.then(() => store.put(...args));
          // an endless queue with a waiting reader: rejects, so that the case ends
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
    foundBy: '6.4/files/whole-or-nothing',
  },
  'mixes up what comes at once': {
    make: () => {
      let shared: Uint8Array[] = [];
      return putting(async (kept, id, content) => {
        shared = [];
        for await (const piece of content) shared.push(piece.slice());
        kept.set(id, shared);
      });
    },
    foundBy: '6.4/files/at-once',
  },
};
