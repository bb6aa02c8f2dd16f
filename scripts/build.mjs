// @ts-check
// Compiles src and adapters into dist, one file out per file in, and takes away what no source
// stands behind any more. dist is never empty meanwhile, so that what runs from it goes on.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', root],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

for (const file of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const output = /^(.*?)\.(?:js|js\.map|d\.ts)$/.exec(file);
  if (output !== null && !existsSync(join(root, `${output[1]}.ts`)))
    rmSync(join(root, 'dist', file));
}
const program = join(root, 'dist', 'adapters', 'cli', 'main.js');
if (existsSync(program)) chmodSync(program, 0o755);
