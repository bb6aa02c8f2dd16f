import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { contractor, deal } from '../../kit/requests.js';
import { createTestHandler, serve } from '../../kit/service.js';
import { token } from './service.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dealwright-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, { readonly default: string } | string>>;
};
const alias = Object.fromEntries(
  Object.entries(doors).flatMap(([door, target]) => {
    if (typeof target === 'string') return [];
    const source = target.default.replace('./dist/', root).replace(/\.js$/, '.ts');
    return [[`dealwright${door.slice(1)}`, source]];
  }),
);

const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const runtimes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  Node: [process.execPath],
  Deno: [bin('deno'), 'run', '--quiet', '--no-config', '--allow-net=127.0.0.1'],
  Bun: [bin('bun'), 'run'],
};

describe('the client does the whole tour', () => {
  it.each(Object.entries(runtimes))('in %s', async (name, [command, ...args]) => {
    const { baseUrl, close } = await serve(createTestHandler());
    const file = join(folder, `${name}.mjs`);
    try {
      const { outputFiles } = await build({
        entryPoints: [join(root, 'test/adapters/client/runtime-tour.ts')],
        bundle: true,
        write: false,
        format: 'esm',
        // nothing of Node could come in unseen
        platform: 'browser',
        target: 'es2022',
        alias,
        define: { baseUrl: JSON.stringify(baseUrl), token: JSON.stringify(token) },
      });
      writeFileSync(file, outputFiles[0]?.contents ?? '');
      const { stdout } = await promisify(execFile)(command, [...args, file], {
        cwd: folder,
        timeout: 25_000,
        env: {
          ...process.env,
          NO_COLOR: '1',
          DENO_DIR: join(folder, 'deno'),
          DENO_NO_UPDATE_CHECK: '1',
        },
      });
      const hash = createHash('sha256').update('Once upon a time').digest('hex').slice(0, 8);
      const stored = (sent: number) => ['ż".txt', 16, hash, sent];
      expect(JSON.parse(stdout)).toEqual([
        { contractor_email: contractor.email },
        3,
        stored(0),
        stored(0),
        stored(16),
        stored(0),
        stored(0),
        5,
        '..',
        '..',
        deal.partner_id,
        true,
        true,
        'aborted',
        'unavailable',
      ]);
    } finally {
      await close();
    }
  });
});
