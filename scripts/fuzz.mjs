// @ts-check
// More of the fuzz test than a test run has time for: npm run fuzz -- --requests 500000 --seed 1
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @type {{ exports: Record<string, string | { default: string }> }} */
const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = join(root, 'reports', 'fuzz.mjs');

await build({
  entryPoints: [join(root, 'test', 'fuzz', 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'error',
  plugins: [
    {
      name: 'doors',
      setup({ onResolve }) {
        // each door opened onto its source; what is not ours stays outside
        onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
          if (kind === 'entry-point') return undefined;
          const door = doors[path.replace(/^dealwright/, '.')];
          return typeof door === 'object' && /^dealwright(?:\/|$)/.test(path)
            ? { path: join(root, door.default.replace('dist/', '').replace(/\.js$/, '.ts')) }
            : { path, external: true };
        });
      },
    },
  ],
});
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', outfile, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
