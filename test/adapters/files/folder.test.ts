import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFileStore, type FolderFileStoreOptions } from 'dealwright/files';
import type { Tenant } from 'dealwright/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const id = '01KDVE00000000000000000001';
const digest = createHash('sha256').update('acme').digest('hex');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* content(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield new TextEncoder().encode(piece);
}

const own = () => join(folder, 'sandbox', digest);
const openFiles = () => readdirSync('/proc/self/fd').length;

describe('a folder of files', () => {
  it('has a file for each content, named by digest and id', async () => {
    const store = createFolderFileStore({ folder });
    await store.put(acme, id, content('a', 'bc'));
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      'sandbox',
      `sandbox/${digest}`,
      `sandbox/${digest}/${id}`,
    ]);
    expect(statSync(join(own(), id)).mode & 0o777).toBe(0o600);
    expect(statSync(own()).mode & 0o777).toBe(0o700);
  });

  it.each([
    '../escape',
    '..',
    '',
    '/etc/passwd',
    id.toLowerCase(),
    `${id}0`,
    `${id}\n`,
    '81KDVE00000000000000000001',
    '01KDVE0000000000000000000I',
  ])('refuses the id %j', async (bad) => {
    const store = createFolderFileStore({ folder });
    const answers = [
      await store.put(acme, bad, content('a')),
      await store.get(acme, bad),
      await store.delete(acme, bad),
      await store.list(acme, bad),
    ];
    for (const answer of answers) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        outcome: 'none',
        retryable: false,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    { environment: '..', partner: 'acme' },
    { environment: 'sandbox', partner: '' },
    { environment: 'sandbox', partner: '\ud800' },
  ])('refuses the tenant %j', async (tenant) => {
    const store = createFolderFileStore({ folder });
    const answer = await store.put(tenant as Tenant, id, content('a'));
    expect(answer._unsafeUnwrapErr().retryable).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not made: a disk that is not mounted is no empty store', async () => {
    const gone = join(folder, 'gone');
    const store = createFolderFileStore({ folder: gone });
    const answers = [
      await store.put(acme, id, content('a')),
      await store.get(acme, id),
      await store.delete(acme, id),
      await store.list(acme, undefined),
    ];
    for (const answer of answers) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        outcome: 'none',
        retryable: true,
        cause: { code: 'ENOENT' },
      });
    }
    expect(existsSync(gone)).toBe(false);
  });

  it('is not worth a retry if something else is in its place', async () => {
    writeFileSync(join(folder, 'sandbox'), 'a file');
    const store = createFolderFileStore({ folder });
    for (const answer of [
      await store.put(acme, id, content('a')),
      await store.get(acme, id),
      await store.delete(acme, id),
      await store.list(acme, undefined),
    ]) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        outcome: 'none',
        retryable: false,
        cause: { code: 'ENOTDIR' },
      });
    }
  });

  it('passes on why a content broke off, and leaves no file', async () => {
    const cause = new Error('the line broke');
    async function* broken() {
      yield Uint8Array.of(1);
      expect(readdirSync(own())).toEqual([expect.stringMatching(/^01KDVE.*\.[0-9a-f]{16}\.part$/)]);
      throw cause;
    }
    const store = createFolderFileStore({ folder });
    const answer = await store.put(acme, id, broken());
    expect(answer._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: true, cause });
    expect(readdirSync(own())).toEqual([]);
  });

  it('takes bytes alone', async () => {
    async function* text() {
      yield 'text';
    }
    const store = createFolderFileStore({ folder });
    const given: AsyncIterable<unknown> = text();
    const answer = await store.put(acme, id, given as AsyncIterable<Uint8Array>);
    expect(answer._unsafeUnwrapErr().cause).toBeInstanceOf(TypeError);
    expect(readdirSync(own())).toEqual([]);
  });

  it('does not put a half-written folder in the place of a content', async () => {
    mkdirSync(join(own(), id), { recursive: true });
    const store = createFolderFileStore({ folder });
    const answer = await store.put(acme, id, content('a'));
    expect(answer._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
    expect(readdirSync(own())).toEqual([id]);
  });

  it('lists all that it has at once, for it has to read all names anyway', async () => {
    mkdirSync(own(), { recursive: true });
    const ids = Array.from({ length: 2_500 }, (_, at) => `01KDVE${String(at).padStart(20, '0')}`);
    for (const name of [...ids].reverse()) writeFileSync(join(own(), name), '');
    const store = createFolderFileStore({ folder });
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual(ids);
    expect((await store.list(acme, ids[1_999]))._unsafeUnwrap()).toEqual(ids.slice(2_000));
  });

  it('keeps no file open, however a reader or a content ends', async () => {
    const store = createFolderFileStore({ folder });
    await store.put(acme, id, content('a'.repeat(200_000)));
    const before = openFiles();
    for (let turn = 0; turn < 20; turn += 1) {
      const never = await store.get(acme, id);
      const early = await store.get(acme, id);
      expect(never.isOk()).toBe(true);
      for await (const _ of early._unsafeUnwrap() ?? []) break;
      await store.put(
        acme,
        id,
        (async function* () {
          yield Uint8Array.of(1);
          throw new Error('the line broke');
        })(),
      );
    }
    expect(openFiles()).toBe(before);
  });

  it('throws if a content is deleted before it is read', async () => {
    const store = createFolderFileStore({ folder });
    await store.put(acme, id, content('a'));
    const got = (await store.get(acme, id))._unsafeUnwrap();
    await store.delete(acme, id);
    await expect(async () => {
      for await (const _ of got ?? []);
    }).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([undefined, {}, { folder: '' }, { folder: 1 }, { folder: 'a\0b' }])(
    'is refused at once for %j',
    (options) => {
      expect(() => createFolderFileStore(options as FolderFileStoreOptions)).toThrow(
        new TypeError('createFolderFileStore: folder is the path of a folder'),
      );
    },
  );
});
