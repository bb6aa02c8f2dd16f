import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isTenant } from 'dealwright';
import { type FileStore, isUlid, type Tenant, unavailable } from 'dealwright/ports';

/** Says whether a name in a folder or bucket is the id of a content: a ULID. */
export function isFileId(name: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(name);
}

/**
 * The place of the contents of a tenant, in a folder as in a bucket: `<environment>/<SHA-256 of the
 * partner in UTF-8, as hexadecimal digits>`. A digest is the same length for each partner, has no
 * special character of a path or a URL, and differs for `acme` and `ACME` even if the file system
 * does not distinguish them.
 */
export function placeOf({ environment, partner }: Tenant): string {
  return `${environment}/${bytesToHex(sha256(new TextEncoder().encode(partner)))}`;
}

/** The name of the file with the id of the store that the contents belong to, at the root. */
export const ownerName = 'store-id';

/** The id in that file, at this path; throws if the text is not an id. */
export function ownerIn(path: string, text: string): string {
  const id = text.trim();
  if (!isUlid(id)) throw new Error(`${path} does not have the id of a store`);
  return id;
}

/** The place of the trash of a tenant: its contents have their times in their names. */
export function trashOf(tenant: Tenant): string {
  return `trash/${placeOf(tenant)}`;
}

/** The name of a content in the trash. */
export function trashName(id: string, since: number): string {
  return `${id}.${since}`;
}

/** The content of a name in the trash; `undefined` for any other name. */
export function trashedAs(
  name: string,
): { readonly id: string; readonly since: number } | undefined {
  const [id = '', since = '', ...more] = name.split('.');
  const isName = isFileId(id) && /^(?:0|[1-9]\d{0,15})$/.test(since) && more.length === 0;
  return isName ? { id, since: Number(since) } : undefined;
}

/** The store behind checks that the core never fails: no name from outside becomes a path. */
export function checked(store: Required<FileStore>): Required<FileStore> {
  const { put, get, delete: remove, list, owner, trash } = store;
  return {
    put: async (tenant, id, content) => refusalOf(tenant, id) ?? put(tenant, id, content),
    get: async (tenant, id) => refusalOf(tenant, id) ?? get(tenant, id),
    delete: async (tenant, id) => refusalOf(tenant, id) ?? remove(tenant, id),
    list: async (tenant, after) => refusalOf(tenant, after) ?? list(tenant, after),
    owner: {
      read: () => owner.read(),
      claim: async (id) => (isUlid(id) ? owner.claim(id) : notAStore()),
      replace: async (id) => (isUlid(id) ? owner.replace(id) : notAStore()),
    },
    trash: {
      put: async (tenant, id, since) =>
        refusalOf(tenant, id) ??
        (Number.isSafeInteger(since) && since >= 0
          ? trash.put(tenant, id, since)
          : refused('a time is milliseconds since 1970')),
      restore: async (tenant, id) => refusalOf(tenant, id) ?? trash.restore(tenant, id),
      delete: async (tenant, id) => refusalOf(tenant, id) ?? trash.delete(tenant, id),
      list: async (tenant, after) => refusalOf(tenant, after) ?? trash.list(tenant, after),
    },
  };
}

function refusalOf(tenant: Tenant, id: string | undefined) {
  if (!isTenant(tenant)) return refused('this is not a tenant');
  const isId = id === undefined || (typeof id === 'string' && isFileId(id));
  return isId ? undefined : refused('an id is a ULID');
}

const notAStore = () => refused('the id of a store is a ULID');

function refused(says: string) {
  return unavailable({ outcome: 'none', retryable: false, cause: new TypeError(says) });
}

/** The piece, if it is bytes: any other value would be written in an unexpected form. */
export function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw new TypeError('a piece of a content is a Uint8Array');
}
