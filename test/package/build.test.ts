import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const packageFiles = ['package.json', 'package-lock.json'];
const scripts = ['build', 'bundle-pages', 'bundle-program', 'licences'].map(
  (name) => `scripts/${name}.mjs`,
);
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
const at = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(at(path), 'utf8');

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/** With our own settings, the compiler would also check the DOM, which three files do not need. */
const compilerOptions = {
  ...{ target: 'ES2022', module: 'NodeNext', lib: ['ES2022'], types: [], skipLibCheck: true },
  ...{ rootDir: '.', outDir: 'dist', declaration: true, sourceMap: true },
};

/** A repository of three files, with the build and the compiler of this one. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-build-'));
  for (const file of [...packageFiles, ...scripts]) {
    mkdirSync(dirname(at(file)), { recursive: true });
    copyFileSync(join(root, file), at(file));
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', 'adapters'] }));
  mkdirSync(at('node_modules'));
  for (const name of ['typescript', 'esbuild', 'swagger-ui-dist', 'commander']) {
    symlinkSync(join(root, 'node_modules', name), at(`node_modules/${name}`));
  }
  write('src/one.ts', 'export const one = 1;\n');
  write('src/two.ts', 'export const two = 2;\n');
  write('adapters/cli/main.ts', "export { one } from '../../src/one.js';\nimport 'commander';\n");
  expect(build()).toBe('built');
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether the build has compiled: then it has replaced a file with an old time. */
function build(): 'built' | 'nothing' | 'failed' {
  const output = at('dist/src/one.js');
  const before = existsSync(output) ? statSync(output).mtimeMs : 0;
  const { status, stdout, stderr } = spawnSync(process.execPath, [at('scripts/build.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0) return 'failed';
  const isBuilt = statSync(output).mtimeMs !== before;
  expect(stdout).toBe('');
  // a program that prints nothing for a minute looks as if it hung
  expect(stderr).toMatch(isBuilt ? /^building dealwright: .*\n$/ : /^$/);
  return isBuilt ? 'built' : 'nothing';
}

it('does nothing if nothing has changed', () => {
  expect(build()).toBe('nothing');
  expect(statSync(at('dist/cli/main.js')).mode & 0o111).toBe(0o111);
  // a changed time alone is no change
  utimesSync(at('src/one.ts'), new Date(), new Date());
  expect(build()).toBe('nothing');
}, 120_000);

it('puts the command line into files of its own, with the licences of what is in them', () => {
  expect(read('dist/cli/main.js')).toContain('one = 1');
  const { version } = JSON.parse(read('node_modules/commander/package.json'));
  expect(read('dist/cli/LICENSES.txt')).toMatch(
    new RegExp(`^commander ${version} \\(MIT\\)\\n\\n.*Permission is hereby granted`, 's'),
  );
  expect(readdirSync(at('dist/cli')).sort()).toEqual(['LICENSES.txt', 'main.js']);
});

it('notices a source that was changed, added or removed', () => {
  write('src/two.ts', 'export const two = 22;\n');
  expect(build()).toBe('built');
  expect(read('dist/src/two.js')).toContain('22');
  write('src/three.ts', 'export const three = 3;\n');
  expect(build()).toBe('built');
  expect(read('dist/src/three.js')).toContain('3');
  rmSync(at('src/three.ts'));
  expect(build()).toBe('built');
  expect(readdirSync(at('dist/src')).filter((file) => file.startsWith('three'))).toEqual([]);
  expect(build()).toBe('nothing');
}, 120_000);

it('notices an output that was removed or changed', () => {
  for (const file of ['dist/src/two.d.ts', 'dist/adapters/reference/swagger-ui/LICENSE']) {
    rmSync(at(file));
    expect(build()).toBe('built');
    expect(existsSync(at(file))).toBe(true);
  }
  write('dist/src/two.js', 'export const two = "broken off');
  expect(build()).toBe('built');
  expect(read('dist/src/two.js')).toContain('22');
  expect(build()).toBe('nothing');
}, 120_000);

it('notices other settings, and other packages', () => {
  for (const file of ['tsconfig.json', ...packageFiles, ...scripts]) {
    write(file, `${read(file)}\n`);
    expect(build()).toBe('built');
  }
  expect(build()).toBe('nothing');
}, 120_000);

it('does not take what a failed build has left for its own', () => {
  const text = read('src/two.ts');
  write('src/two.ts', 'export const two: string = 222;\n');
  expect(build()).toBe('failed');
  expect(build()).toBe('failed');
  // the compiler writes the files that it can
  expect(read('dist/src/two.js')).toContain('222');
  write('src/two.ts', text);
  expect(build()).toBe('built');
  expect(read('dist/src/two.js')).not.toContain('222');
}, 120_000);
