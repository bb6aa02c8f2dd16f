import type { FileStore, PortFailure, Tenant } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { checked, isFileId, placeOf, trashedAs, trashName, trashOf } from '../place.js';
import { ask, download, failed, moveObject, type S3Failure } from './exchange.js';
import { readOptions, type S3FileStoreOptions } from './options.js';
import { createS3Owner } from './owner.js';
import { upload } from './upload.js';
import { readKeys } from './xml.js';

/** The most pages without an id of ours that `list` skips: a thousand foreign keys each. */
const mostForeignPages = 100;

/**
 * Keeps the contents of work files in a bucket of S3, or of a service that speaks its interface, in
 * every runtime with `fetch` and Web Crypto. Keys are `<prefix><environment>/<SHA-256 of the
 * partner>/<id>`: no name of a partner or file is part of them. The trash is below `<prefix>trash/`,
 * and `<prefix>store-id` has the id of the store that the files belong to.
 *
 * A content of up to 5 MiB is one request; a larger one is sent in parts of 5 MiB, with one in
 * memory at a time. After a failure the upload is aborted, so that no part stays. Each request
 * carries the SHA-256 of its body in its signature. If a process dies during an upload, or the
 * abort fails as well, a rule of the bucket has to remove uploads that were never completed
 * (`AbortIncompleteMultipartUpload`).
 *
 * Failures are `unavailable`, with an `S3Failure` as cause: worth a retry after a time-out, a
 * network error, 408, 429 or 5xx, and not after any other status, a redirect (never followed) or an
 * answer that S3 does not give. Requests are made once; `outcome` is `unknown` if the answer is
 * lost. Reading a content throws if it ends early, or is deleted meanwhile. Wrong options are a
 * `TypeError` at creation, which repeats none of them.
 *
 * @example
 * ```ts
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 * import { createS3FileStore } from 'dealwright/s3';
 *
 * const files = createS3FileStore({
 *   endpoint: 'https://s3.eu-central-1.amazonaws.com',
 *   region: 'eu-central-1',
 *   bucket: 'marketplace-files',
 *   accessKeyId: 'the-id-of-a-key',
 *   secretAccessKey: 'a-secret-from-the-environment',
 * });
 * const kept = { store: createMemoryStore(), files };
 * ```
 */
export function createS3FileStore(options: S3FileStoreOptions): Required<FileStore> {
  const settings = readOptions(options);
  const keyOf = (tenant: Tenant, id: string) => `${settings.prefix}${placeOf(tenant)}/${id}`;
  const isThere = async (key: string): Promise<Result<boolean, S3Failure>> => {
    const head = await ask(settings, { method: 'HEAD', key });
    if (head.isOk()) return ok(true);
    return head.error.status === 404 ? ok(false) : head.map(() => true);
  };

  /** The names after this one below a prefix that `read` recognizes: those of a page. */
  const list = async <T>(
    prefix: string,
    after: string,
    read: (name: string) => T | undefined,
  ): Promise<Result<readonly T[], PortFailure>> => {
    let last = `${prefix}${after}`;
    for (let pages = 0; pages < mostForeignPages; pages += 1) {
      const asked = { 'list-type': '2', 'encoding-type': 'url', prefix, 'start-after': last };
      const page = await ask(settings, { method: 'GET', key: '', query: asked });
      if (page.isErr()) return failed(page.error, 'none');
      const listed = readKeys(page.value.text);
      // a page that begins before its start would put a reader of the list into a loop
      if (listed === undefined || listed.keys.some((key) => key <= last)) break;
      const found = listed.keys.flatMap((key) => read(key.slice(prefix.length)) ?? []);
      const end = listed.keys.at(-1);
      // a page without a name of ours is not the end
      if (found.length > 0 || !listed.isTruncated || end === undefined) return ok(found);
      last = end;
    }
    return failed({ reason: 'malformed_answer', status: 200 }, 'none');
  };
  const remove = async (key: string) => {
    // the service answers the same for a key that does not exist
    const there = await isThere(key);
    if (there.isErr()) return failed(there.error, 'none');
    if (!there.value) return ok('missing' as const);
    const gone = await ask(settings, { method: 'DELETE', key });
    if (gone.isErr() && gone.error.status !== 404) return failed(gone.error, 'unknown');
    return ok('deleted' as const);
  };
  const trashKey = (tenant: Tenant, name: string) => `${settings.prefix}${trashOf(tenant)}/${name}`;
  /** Does something with a content in the trash, by its key; with the latest of several names. */
  const withTrashed = async <T>(
    tenant: Tenant,
    id: string,
    use: (key: string) => Promise<Result<T | 'missing', PortFailure>>,
  ): Promise<Result<T | 'missing', PortFailure>> => {
    const names = await list(trashKey(tenant, ''), id, trashedAs);
    if (names.isErr()) return names.map(() => 'missing' as const);
    const found = names.value.filter((each) => each.id === id);
    const since = Math.max(...found.map((each) => each.since));
    return found.length === 0 ? ok('missing') : use(trashKey(tenant, trashName(id, since)));
  };

  return checked({
    put: (tenant, id, content) => upload(settings, keyOf(tenant, id), content),

    async get(tenant, id) {
      const key = keyOf(tenant, id);
      const there = await isThere(key);
      if (there.isErr()) return failed(there.error, 'none');
      // requested when it is read: no connection stays open without a reader
      return ok(
        there.value ? { [Symbol.asyncIterator]: () => download(settings, key) } : undefined,
      );
    },

    delete: (tenant, id) => remove(keyOf(tenant, id)),

    list: (tenant, after = '') =>
      list(keyOf(tenant, ''), after, (name) => (isFileId(name) ? name : undefined)),

    owner: createS3Owner(settings),

    trash: {
      put: (tenant, id, since) =>
        moveObject(settings, keyOf(tenant, id), trashKey(tenant, trashName(id, since)), 'trashed'),
      restore: (tenant, id) =>
        withTrashed(tenant, id, (key) => moveObject(settings, key, keyOf(tenant, id), 'restored')),
      delete: (tenant, id) => withTrashed(tenant, id, remove),
      async list(tenant, after) {
        // after all names of this id, with any time
        const from = after === undefined ? '' : `${after}/`;
        const found = await list(trashKey(tenant, ''), from, trashedAs);
        return found.map((all) => [...new Map(all.map((each) => [each.id, each])).values()]);
      },
    },
  });
}
