import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

// it takes a quarter of a minute for all entry points
it('finds no fault with the types of any entry point', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-types-'));
  try {
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: root })).stdout);
    const attw = join(root, 'node_modules/.bin/attw');
    const { stdout } = await run(attw, [join(folder, filename), '--profile', 'esm-only'], {
      cwd: root,
    });
    expect(stdout).toContain('dealwright v');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
