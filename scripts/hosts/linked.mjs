// @ts-check
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './project.mjs';
import { root } from './templates.mjs';

/**
 * Builds projects that lie in one folder without an installation, in a fraction of the time: they
 * get the packages of this repository, and the repository as the package. One run of the compiler
 * checks and builds all of them. It is for hosts whose packages are installed here, and that build
 * with `tsc`.
 *
 * @param {string} work
 * @param {readonly string[]} names
 */
export async function buildLinked(work, names) {
  const into = join(work, 'node_modules');
  mkdirSync(into);
  const from = join(root, 'node_modules');
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(into, name));
  symlinkSync(root, join(into, 'dealwright'));
  const config = {
    extends: `./${names[0]}/tsconfig.json`,
    compilerOptions: { rootDir: '.', outDir: 'built' },
    include: ['*/*.ts'],
  };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config));
  await run(work, ['tsc', '-p', '.']);
  for (const name of names) renameSync(join(work, 'built', name), join(work, name, 'dist'));
}
