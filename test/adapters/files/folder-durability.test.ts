import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import type { Tenant } from 'dealwright/ports';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const id = '01KDVE00000000000000000001';

let folder: string;
let synced: { readonly path: string; readonly holds: number | readonly string[] }[];
let broken: (path: string) => boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-durability-'));
  synced = [];
  broken = () => false;
  const handle = await open(folder);
  const handles = Object.getPrototypeOf(handle);
  await handle.close();
  // watch the real one: only what existed when it was called lasts
  const sync: typeof handle.sync = handles.sync;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: typeof handle) {
    const place = readlinkSync(`/proc/self/fd/${this.fd}`);
    const path = relative(folder, place);
    if (broken(path)) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    await sync.call(this);
    const about = statSync(place);
    synced.push({ path, holds: about.isDirectory() ? readdirSync(place) : about.size });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function* content(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield new TextEncoder().encode(piece);
}

const nameOf = (path: string) => path.split('/').at(-1) ?? '';

it('stores a content once it, its name and those of its folders last, in this order', async () => {
  const store = createFolderFileStore({ folder });
  expect((await store.put(acme, id, content('ab', 'c')))._unsafeUnwrap()).toBe('stored');
  const [file, own, environment, root] = synced;
  expect(file).toEqual({
    path: expect.stringMatching(/\/01KDVE\w+\.[0-9a-f]{16}\.part$/),
    holds: 3,
  });
  const tenant = dirname(file?.path ?? '');
  expect([own, environment, root]).toEqual([
    { path: tenant, holds: [id] },
    { path: 'sandbox', holds: [nameOf(tenant)] },
    { path: '', holds: ['sandbox'] },
  ]);
  expect(synced).toHaveLength(4);
});

it('deletes a content once the loss of its name lasts', async () => {
  const store = createFolderFileStore({ folder });
  await store.put(acme, id, content('abc'));
  const [, own] = synced;
  synced = [];
  expect((await store.delete(acme, id))._unsafeUnwrap()).toBe('deleted');
  expect(synced).toEqual([{ path: own?.path, holds: [] }]);
});

it.each([
  ['its bytes', 'none', (path: string) => path.endsWith('.part')],
  ['its name', 'unknown', (path: string) => /^sandbox\/\w+$/.test(path)],
  ['the name of its folder', 'unknown', (path: string) => path === 'sandbox'],
  ['the name of the folder above', 'unknown', (path: string) => path === ''],
])(
  'does not say that a content is stored if the disk does not take %s',
  async (_, outcome, breaks) => {
    broken = breaks;
    const store = createFolderFileStore({ folder });
    const answer = await store.put(acme, id, content('abc'));
    expect(answer._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      outcome,
      retryable: true,
      cause: { code: 'EIO' },
    });
    const names = readdirSync(folder, { recursive: true }).map((name) => nameOf(String(name)));
    expect(names.includes(id)).toBe(outcome === 'unknown');
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);
