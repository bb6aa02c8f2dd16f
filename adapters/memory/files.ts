import { type FileStore, type Tenant, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * Makes an empty file store in memory, for tests and for trying things out.
 *
 * @example
 * ```ts
 * import { createMemoryFileStore } from 'dealwright/memory';
 *
 * const files = createMemoryFileStore();
 * ```
 */
export function createMemoryFileStore(): Required<FileStore> {
  const contents = createPlaces<readonly Uint8Array[]>();
  const trashed = createPlaces<{ readonly pieces: readonly Uint8Array[]; since: number }>();
  let owner: string | undefined;
  return {
    async put(tenant, id, content) {
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of content) pieces.push(Uint8Array.from(piece));
      } catch (cause) {
        return unavailable({ outcome: 'none', cause });
      }
      contents.of(tenant).set(id, pieces);
      return ok('stored');
    },
    get(tenant, id) {
      const pieces = contents.of(tenant).get(id);
      return ok(pieces && copies(pieces));
    },
    delete: (tenant, id) => ok(contents.of(tenant).delete(id) ? 'deleted' : 'missing'),
    list: (tenant, after) => ok(contents.idsAfter(tenant, after)),
    owner: {
      read: () =>
        ok(owner !== undefined ? { store: owner } : contents.areEmpty() ? 'empty' : 'unknown'),
      claim(store) {
        owner ??= store;
        return ok(owner);
      },
      replace(store) {
        owner = store;
        return ok('replaced');
      },
    },
    trash: {
      put(tenant, id, since) {
        const pieces = contents.take(tenant, id);
        if (pieces === undefined) return ok('missing');
        trashed.of(tenant).set(id, { pieces, since });
        return ok('trashed');
      },
      restore(tenant, id) {
        const found = trashed.take(tenant, id);
        if (found === undefined) return ok('missing');
        contents.of(tenant).set(id, found.pieces);
        return ok('restored');
      },
      delete: (tenant, id) => ok(trashed.of(tenant).delete(id) ? 'deleted' : 'missing'),
      list(tenant, after) {
        const own = trashed.of(tenant);
        const ids = trashed.idsAfter(tenant, after);
        return ok(ids.map((id) => ({ id, since: own.get(id)?.since ?? 0 })));
      },
    },
  };
}

/** The contents of each tenant, by id. */
function createPlaces<T>() {
  const places = new Map<string, Map<string, T>>();
  const of = ({ environment, partner }: Tenant) => {
    const name = `${environment}:${partner}`;
    const own = places.get(name) ?? new Map<string, T>();
    places.set(name, own);
    return own;
  };
  return {
    of,
    take(tenant: Tenant, id: string): T | undefined {
      const found = of(tenant).get(id);
      of(tenant).delete(id);
      return found;
    },
    idsAfter: (tenant: Tenant, after: string | undefined) =>
      [...of(tenant).keys()].filter((id) => after === undefined || id > after).sort(),
    areEmpty: () => [...places.values()].every(({ size }) => size === 0),
  };
}

async function* copies(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Uint8Array.from(piece);
}
