// @ts-check
// Compiles src and adapters into dist, one file out per file in, and takes away what no source
// stands behind any more. dist is never empty meanwhile, so that what runs from it goes on. Beside
// that lie the files of the reference page that are not ours, so that no user installs their package.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const viewer = join('dist', 'adapters', 'reference', 'swagger-ui');
mkdirSync(join(root, viewer), { recursive: true });
for (const file of [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]) {
  copyFileSync(join(root, 'node_modules', 'swagger-ui-dist', file), join(root, viewer, file));
}

const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', root],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

for (const file of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const output = /^(.*?)\.(?:js|js\.map|d\.ts)$/.exec(file);
  if (
    output !== null &&
    !file.startsWith(join('adapters', 'reference', 'swagger-ui')) &&
    !existsSync(join(root, `${output[1]}.ts`))
  )
    rmSync(join(root, 'dist', file));
}
const program = join(root, 'dist', 'adapters', 'cli', 'main.js');
if (existsSync(program)) chmodSync(program, 0o755);
