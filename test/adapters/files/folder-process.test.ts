import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolderFileStore } from 'dealwright/files';
import type { Tenant } from 'dealwright/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../kit/children.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const id = '01KDVE00000000000000000001';
const mebibyte = 1024 * 1024;
const program = (name: string) => fileURLToPath(new URL(`children/${name}`, import.meta.url));
const put = program('put.mjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-process-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(id));
/** The last line that a program printed. */
const lastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

describe('a process that puts a content', () => {
  it.each([0, 1, 17, 40, 63])('leaves nothing under the id when killed at piece %i', async (at) => {
    const store = createFolderFileStore({ folder });
    const { signal } = await run(process.execPath, [put, folder, id], `piece ${at}\n`);
    expect(signal).toBe('SIGKILL');
    expect(files()).toEqual([expect.stringMatching(/\.part$/)]);
    expect((await store.get(acme, id))._unsafeUnwrap()).toBeUndefined();
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual([]);
    expect((await store.delete(acme, id))._unsafeUnwrap()).toBe('missing');

    const { stdout } = await run(process.execPath, [put, folder, id]);
    expect(lastLine(stdout)).toEqual({ ok: true, isEnded: true });
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual([id]);
  });

  it('leaves nothing when the disk takes no more, and ends the content', async () => {
    // 512 blocks of 512 bytes: a quarter of the content
    const limited = ['-c', 'ulimit -f 512; exec "$0" "$@"', process.execPath, put, folder, id];
    const { stdout, stderr } = await run('sh', limited);
    expect(stderr).toBe('');
    expect(lastLine(stdout)).toEqual({
      ok: false,
      outcome: 'none',
      retryable: true,
      code: 'EFBIG',
      isEnded: true,
    });
    expect(stdout).not.toContain('piece 63');
    expect(files()).toEqual([]);
  });

  it('is told not to try again if it may not write', async () => {
    chmodSync(folder, 0o500);
    const { stdout } = await run(process.execPath, [put, folder, id, '65534']);
    expect(lastLine(stdout)).toEqual({
      ok: false,
      outcome: 'none',
      retryable: false,
      code: 'EACCES',
      isEnded: false,
    });
  });

  it('holds little of 25 MiB, written or read', async () => {
    const measure = ['--expose-gc', program('measure-memory.mjs')];
    const measured = await run(process.execPath, [...measure, JSON.stringify({ folder })]);
    expect(measured.stderr).toBe('');
    const { growth } = lastLine(measured.stdout) as { readonly growth: number };
    expect(growth).toBeLessThanOrEqual(8 * mebibyte);
    // the same program, over a store that keeps all of it
    const { stdout } = await run(process.execPath, measure);
    expect((lastLine(stdout) as { readonly growth: number }).growth).toBeGreaterThan(25 * mebibyte);
  });
});
