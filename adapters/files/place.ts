import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isTenant } from 'dealwright';
import { type FileStore, type Tenant, unavailable } from 'dealwright/ports';

/** Says whether a name in a folder or bucket is the id of a content: a ULID. */
export function isFileId(name: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(name);
}

/**
 * Where the contents of a tenant are, in a folder as in a bucket: `<environment>/<SHA-256 of the
 * partner in UTF-8, as hexadecimal digits>`. A digest is the same length for each partner, has no
 * character that means something in a path or a URL, and differs for `acme` and `ACME` where the
 * file system does not tell them apart.
 */
export function placeOf({ environment, partner }: Tenant): string {
  return `${environment}/${bytesToHex(sha256(new TextEncoder().encode(partner)))}`;
}

/** The store behind a check of what the core never gets wrong: no name from outside becomes a path. */
export function checked({ put, get, delete: remove, list }: FileStore): FileStore {
  return {
    put: async (tenant, id, content) => refusalOf(tenant, id) ?? put(tenant, id, content),
    get: async (tenant, id) => refusalOf(tenant, id) ?? get(tenant, id),
    delete: async (tenant, id) => refusalOf(tenant, id) ?? remove(tenant, id),
    list: async (tenant, after) => refusalOf(tenant, after) ?? list(tenant, after),
  };
}

function refusalOf(tenant: Tenant, id: string | undefined) {
  if (isTenant(tenant) && (id === undefined || (typeof id === 'string' && isFileId(id)))) {
    return undefined;
  }
  const cause = new TypeError(isTenant(tenant) ? 'an id is a ULID' : 'this is not a tenant');
  return unavailable({ outcome: 'none', retryable: false, cause });
}

/** The piece, if it is bytes: anything else would be written in a form of its own. */
export function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw new TypeError('a piece of a content is a Uint8Array');
}
