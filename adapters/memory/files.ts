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
export function createMemoryFileStore(): FileStore {
  const contents = new Map<string, Map<string, readonly Uint8Array[]>>();
  const contentsOf = ({ environment, partner }: Tenant) => {
    const name = `${environment}:${partner}`;
    const own = contents.get(name) ?? new Map<string, readonly Uint8Array[]>();
    contents.set(name, own);
    return own;
  };
  return {
    async put(tenant, id, content) {
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of content) pieces.push(Uint8Array.from(piece));
      } catch (cause) {
        return unavailable({ outcome: 'none', cause });
      }
      contentsOf(tenant).set(id, pieces);
      return ok('stored');
    },
    get(tenant, id) {
      const pieces = contentsOf(tenant).get(id);
      return ok(pieces && copies(pieces));
    },
    delete: (tenant, id) => ok(contentsOf(tenant).delete(id) ? 'deleted' : 'missing'),
    list(tenant, after) {
      const ids = [...contentsOf(tenant).keys()];
      return ok(ids.filter((id) => after === undefined || id > after).sort());
    },
  };
}

async function* copies(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Uint8Array.from(piece);
}
