// @ts-check
// Compiles src, spec and adapters into dist, one file out per file in, and removes files without a
// source. dist is never empty meanwhile, so that programs that run from it go on. The third-party
// files of the reference page are put beside, so that no user installs their package. The pages for
// people become a module of texts, and the command line a few files.
//
// If neither the sources nor dist have changed since the last build, it does nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePages } from './bundle-pages.mjs';
import { bundleProgram } from './bundle-program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['src', 'spec', 'adapters'];
const program = join('dist', 'cli');
const pages = join('adapters', 'pages', 'app');
/** The packages in what the build makes, as far as they are there. */
const bundled = ['preact', '@preact/signals', '@preact/signals-core'];
const viewer = join('dist', 'adapters', 'reference', 'swagger-ui');
const viewerPackage = join('node_modules', 'swagger-ui-dist');
const viewerFiles = [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];
/** The inputs of the last build, and its outputs. */
const record = join(root, 'node_modules', '.cache', 'dealwright', 'build');

const inputs = digestOfInputs();
if (!existsSync(record) || readFileSync(record, 'utf8') !== recordOf(inputs)) {
  // a failed build leaves a part of its outputs
  rmSync(record, { force: true });
  // to stderr: the stdout of the next command may be read by a program
  console.error('building dealwright: up to two minutes the first time ...');
  await build();
  mkdirSync(dirname(record), { recursive: true });
  // renamed, as a copy of node_modules may share the file by a hard link
  const beside = `${record}.${process.pid}`;
  writeFileSync(beside, recordOf(inputs));
  renameSync(beside, record);
}

/** A digest of all files that the build reads. */
function digestOfInputs() {
  const files = [
    ...sources.flatMap((folder) => filesBelow(folder)),
    ...['tsconfig.json', 'package.json', 'package-lock.json'],
    ...['build.mjs', 'bundle-pages.mjs', 'bundle-program.mjs', 'licences.mjs'].map((file) =>
      join('scripts', file),
    ),
    // the installed packages may differ from package-lock.json
    ...['typescript', 'esbuild', ...(existsSync(join(root, pages)) ? bundled : [])].map((name) =>
      join('node_modules', name, 'package.json'),
    ),
    ...viewerFiles.map((file) => join(viewerPackage, file)),
  ];
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${JSON.stringify(file)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * The inputs, and every file in dist by its size and its time: a file that was changed, removed or
 * added otherwise is noticed, and reading them all would take longer.
 *
 * @param {string} digest
 * @returns {string}
 */
function recordOf(digest) {
  const hash = createHash('sha256');
  for (const file of filesBelow('dist')) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${JSON.stringify(file)} ${size} ${mtimeMs}\n`);
  }
  return `${digest}\n${hash.digest('hex')}\n`;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

async function build() {
  mkdirSync(join(root, viewer), { recursive: true });
  for (const file of viewerFiles) {
    copyFileSync(join(root, viewerPackage, file), join(root, viewer, file));
  }
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', root],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  for (const file of filesBelow('dist')) {
    const output = /^dist[\\/](.*?)\.(?:js|js\.map|d\.ts)$/.exec(file);
    if (output !== null && !file.startsWith(viewer) && !existsSync(join(root, `${output[1]}.ts`))) {
      rmSync(join(root, file));
    }
  }
  await bundlePages(root, pages, join('dist', 'adapters', 'pages', 'built-pages.js'));
  await bundleProgram(root, join('dist', 'adapters', 'cli', 'main.js'), program);
  chmodSync(join(root, program, 'main.js'), 0o755);
}
