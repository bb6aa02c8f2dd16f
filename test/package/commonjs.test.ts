import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureTools } from '../kit/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const { dependencies, exports: entryPoints } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string>; exports: Record<string, unknown> };
const page = readFileSync(join(root, 'docs/how-to/use-from-commonjs.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'dealwright-commonjs-'));

const packages = join(root, 'node_modules');
const tools = await ensureTools('jest');
/** A consumer has the dependencies of the package, but neither fast-check nor a database. */
const installed: readonly (readonly [name: string, from: string])[] = [
  ...[...Object.keys(dependencies), 'neverthrow'].map((name) => [name, packages] as const),
  ['@babel/plugin-transform-modules-commonjs', tools],
];

beforeAll(async () => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'dealwright'), { recursive: true });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse((await run('npm', args, { cwd: root })).stdout) as [
    { filename: string },
  ];
  const unpack = ['-xzf', join(folder, filename), '-C', join(modules, 'dealwright')];
  await run('tar', [...unpack, '--strip-components=1']);
  for (const [name, from] of installed) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(from, name), join(modules, name));
  }
  // no "type": the package is CommonJS
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  for (const [, , name, program = ''] of page.matchAll(/^```(\w+)\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    writeFileSync(join(folder, String(name)), program);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = async (...args: readonly string[]) =>
  (await run(process.execPath, args, { cwd: folder })).stdout;

describe('a CommonJS program', () => {
  it('requires the package as the page says', async () => {
    expect(await node('require.cjs')).toBe('150 function\n');
  });

  it('requires every entry point that needs no package beside it', async () => {
    const isOne = (path: string) => path !== './spec' && !path.includes('*');
    const names = Object.keys(entryPoints).filter(isOne);
    const program = names.map((path) => `require('dealwright${path.slice(1)}');`).join(' ');
    expect(await node('-e', `${program} console.log('all')`)).toBe('all\n');
  });

  it('imports the package, even if Node does not require ES modules', async () => {
    expect(await node('import.cjs')).toBe('150\n');
    const old = '--no-experimental-require-module';
    expect(await node(old, 'import.cjs')).toBe('150\n');
    await expect(node(old, 'require.cjs')).rejects.toThrow('ERR_REQUIRE_ESM');
  });
});

/** Parsed files: every program reads the same libraries. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The codes of the compiler's errors in files of the folder; it writes them out. */
function compile(
  files: readonly string[],
  module: ts.ModuleKind,
  more: ts.CompilerOptions = {},
): number[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: ['node'],
    typeRoots: [join(packages, '@types')],
    module,
    outDir: join(folder, 'out'),
    ...more,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, language, ...others) => {
    const key = `${name} ${JSON.stringify(language)}`;
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, language, ...others));
    return parsed.get(key);
  };
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    host,
  );
  program.emit();
  const isJudged = ({ fileName }: ts.SourceFile) =>
    fileName.startsWith(folder) && (more.skipLibCheck === false || !fileName.endsWith('.d.ts'));
  return [
    ...program.getOptionsDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(isJudged)
      .flatMap((each) => program.getSemanticDiagnostics(each)),
  ].map(({ code }) => code);
}

describe('TypeScript in a CommonJS package', () => {
  beforeAll(() => {
    const lines = [
      "import { createClient } from 'dealwright/client';",
      "console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:1', token: 't' }).createDeal);",
    ];
    writeFileSync(join(folder, 'now.ts'), lines.join('\n'));
  });

  it('says of an import what the page says, and takes the form for later', async () => {
    const { Node16, CommonJS } = ts.ModuleKind;
    expect(compile(['now.ts', 'later.ts'], Node16)).toEqual([1479]);
    expect(await node('--no-experimental-require-module', 'out/later.js')).toBe('function\n');
    const node10 = { moduleResolution: ts.ModuleResolutionKind.Node10, ignoreDeprecations: '6.0' };
    expect(compile(['now.ts'], CommonJS, node10)).toEqual([2307]);
  });

  it('compiles an import to what runs, and needs no other package for the parts of tests', async () => {
    const lines = [
      "import { createMemoryStore } from 'dealwright/memory';",
      "import { createManualClock, faults, withFault } from 'dealwright/testing';",
      'const clock = createManualClock();',
      "clock.sleep(10, () => console.log('woken'));",
      'clock.advance(10);',
      "console.log(typeof withFault(createMemoryStore(), 'commit', faults.throws).commit);",
    ];
    writeFileSync(join(folder, 'testing.ts'), lines.join('\n'));
    const files = ['now.ts', 'testing.ts'];
    expect(compile(files, ts.ModuleKind.NodeNext, { skipLibCheck: false })).toEqual([]);
    expect(await node('out/now.js')).toBe('function\n');
    expect(await node('out/testing.js')).toBe('woken\nfunction\n');
    // fast-check cannot be found by chance
    await expect(node('-e', "require('dealwright/spec')")).rejects.toThrow('fast-check');
  });
});

describe('Jest', () => {
  const jest = async (flags: string, ...args: readonly string[]) => {
    const env = { ...process.env, NODE_OPTIONS: flags, CI: 'true', NO_COLOR: '1' };
    const program = join(tools, 'jest/bin/jest.js');
    const files = [program, '--cacheDirectory', join(folder, 'jest'), ...args];
    const { stderr } = await run(process.execPath, files, { cwd: folder, env });
    return stderr;
  };

  it('imports the package if it runs ES modules', async () => {
    const args = ['--config', '{}', 'later.test.js'];
    expect(await jest('--experimental-vm-modules', ...args)).toContain('1 passed, 1 total');
    await expect(jest('', ...args)).rejects.toThrow('--experimental-vm-modules');
  });

  it('requires the package if Babel compiles it', async () => {
    expect(await jest('', 'now.test.js')).toContain('1 passed, 1 total');
    await expect(jest('', '--config', '{}', 'now.test.js')).rejects.toThrow('unexpected token');
  });
});
