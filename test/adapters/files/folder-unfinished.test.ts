import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const id = '01KDVE00000000000000000001';
const hour = 3_600_000;
const now = Date.UTC(2026, 0, 15);
const timer = { now: () => now };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file whose last write is `age` milliseconds ago. */
function leave(environment: string, tenant: string, name: string, age: number): void {
  const own = join(folder, environment, tenant);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, name), 'half');
  const time = (now - age) / 1000;
  utimesSync(join(own, name), time, time);
}

const [acme, other] = ['a'.repeat(64), 'b'.repeat(64)];
const part = (digit: string) => `${id}.${digit.repeat(16)}.part`;
const left = () => readdirSync(folder, { recursive: true });

describe('removeUnfinished', () => {
  it('removes the unfinished files of all tenants that are a day old, and nothing else', async () => {
    leave('sandbox', acme, part('0'), 25 * hour);
    leave('sandbox', other, part('1'), 25 * hour);
    leave('production', acme, part('2'), 25 * hour);
    const kept: [string, string, string][] = [
      ['production', acme, part('3')],
      ['production', acme, id],
      ['production', acme, 'notes.part'],
      ['production', 'lost', part('4')],
      ['elsewhere', acme, part('5')],
    ];
    for (const [at, [environment, tenant, name]] of kept.entries()) {
      leave(environment, tenant, name, (at === 0 ? 23 : 25) * hour);
    }
    const store = createFolderFileStore({ folder, timer });
    expect((await store.removeUnfinished())._unsafeUnwrap()).toBe(3);
    for (const path of kept) expect(left()).toContain(path.join('/'));
    expect((await store.removeUnfinished())._unsafeUnwrap()).toBe(0);
  });

  it('takes an age of two hours or more', async () => {
    leave('sandbox', acme, part('0'), 3 * hour);
    leave('sandbox', acme, part('1'), 1 * hour);
    const store = createFolderFileStore({ folder, timer });
    for (const young of [2 * hour - 1, 0, Number.NaN]) {
      expect((await store.removeUnfinished(young))._unsafeUnwrapErr()).toMatchObject({
        outcome: 'none',
        retryable: false,
      });
    }
    expect((await store.removeUnfinished(2 * hour))._unsafeUnwrap()).toBe(1);
    expect(readdirSync(join(folder, 'sandbox', acme))).toEqual([part('1')]);
  });

  it('does not meet an upload that ends meanwhile', async () => {
    const store = createFolderFileStore({ folder, timer });
    for (let at = 0; at < 50; at += 1) {
      leave('sandbox', acme, `${id}.${String(at).padStart(16, '0')}.part`, 25 * hour);
    }
    const runs = await Promise.all([store.removeUnfinished(), store.removeUnfinished()]);
    const removed = runs.map((each) => each._unsafeUnwrap());
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(50);
  });

  it('is unavailable if the folder is missing', async () => {
    const store = createFolderFileStore({ folder: join(folder, 'gone') });
    expect((await store.removeUnfinished())._unsafeUnwrapErr()).toMatchObject({
      retryable: true,
      cause: { code: 'ENOENT' },
    });
  });
});
