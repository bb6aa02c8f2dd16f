// @ts-check
// Runs a program of the tests alone: each entry point resolves to its source, and third-party
// packages stay outside.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @type {{ exports: Record<string, string | { default: string }> }} */
const { exports: entryPoints } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Runs test/<name>/main.ts with the arguments of this process, and ends with its exit code.
 *
 * @param {string} name
 * @returns {Promise<never>}
 */
export async function runTestProgram(name) {
  const outfile = join(root, 'reports', `${name}.mjs`);
  await build({
    entryPoints: [join(root, 'test', name, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [
      {
        name: 'entry-points',
        setup({ onResolve }) {
          // each entry point resolves to its source; third-party packages stay outside
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
            if (kind === 'entry-point') return undefined;
            const entryPoint = entryPoints[path.replace(/^dealwright/, '.')];
            return typeof entryPoint === 'object' && /^dealwright(?:\/|$)/.test(path)
              ? {
                  path: join(root, entryPoint.default.replace('dist/', '').replace(/\.js$/, '.ts')),
                }
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
}
