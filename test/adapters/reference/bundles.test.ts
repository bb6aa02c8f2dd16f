import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build as buildByEsbuild } from 'esbuild';
import { build as buildByVite, type InlineConfig } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const built = fileURLToPath(new URL('../../../dist/adapters/reference', import.meta.url));
let folder = '';
let entry = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-bundles-'));
  entry = join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    `import { createReferencePage } from ${JSON.stringify(join(built, 'index.js'))};
    const sizes = Object.values(createReferencePage()).map(({ body }) => body.length);
    console.log(JSON.stringify(sizes));`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sizesOf = async (program: string) =>
  JSON.parse((await run(process.execPath, [program])).stdout) as number[];

/** The output of the built program, without a bundler. */
async function expectPage(program: string): Promise<void> {
  const sizes = await sizesOf(entry);
  expect(sizes.length).toBe(6);
  expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
  expect(await sizesOf(program)).toEqual(sizes);
}

/** Bundles the program into `main.mjs`, or `main.cjs`, of a folder of its own. */
async function bundle(name: string, options: BuildOptions = {}): Promise<string> {
  const outfile = join(folder, name, options.format === 'cjs' ? 'main.cjs' : 'main.mjs');
  await buildByEsbuild({
    ...{ entryPoints: [entry], outfile, format: 'esm', platform: 'node', bundle: true },
    ...{ logLevel: 'silent', ...options },
  });
  return outfile;
}

it.each(['esm', 'cjs'] as const)('esbuild, %s: says what to do', async (format) => {
  const program = await bundle(format, { format });
  await expect(run(process.execPath, [program])).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /createReferencePage: the file swagger-ui\/swagger-ui-bundle\.js is missing\. .* external\), or copy the folder/,
    ),
  });
});

it('esbuild: works with the folder beside the bundle', async () => {
  const program = await bundle('copied');
  cpSync(join(built, 'swagger-ui'), join(folder, 'copied', 'swagger-ui'), { recursive: true });
  await expectPage(program);
});

it('esbuild: works with an entry point that stays outside', async () => {
  await expectPage(await bundle('external', { external: [join(built, 'index.js')] }));
});

const rollupOptions = { external: [/^node:/], output: { entryFileNames: 'main.mjs' } };

it.each<[string, InlineConfig['build'], string[]]>([
  [
    'copies the files',
    { rollupOptions: { ...rollupOptions, input: 'entry.mjs' }, assetsInlineLimit: 0 },
    ['assets', 'main.mjs'],
  ],
  [
    'puts the files into the bundle',
    { rollupOptions, lib: { entry: 'entry.mjs', formats: ['es'] } },
    ['main.mjs'],
  ],
])('Vite: %s', async (name, build, files) => {
  const outDir = join(folder, name);
  await buildByVite({
    ...{ configFile: false, root: folder, base: './', logLevel: 'error', publicDir: false },
    build: { ...build, outDir, minify: false },
  });
  expect(readdirSync(outDir).sort()).toEqual(files);
  await expectPage(join(outDir, 'main.mjs'));
});
