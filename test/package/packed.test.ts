import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withPlanted } from '../walls/plant.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const slow = { timeout: 120_000 };

function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, stdout, output: stdout + stderr };
}

/** Runs a tool of this repository. */
function runTool(path: string, args: readonly string[], cwd: string) {
  return run(process.execPath, [join(root, 'node_modules', path), ...args], cwd);
}

function checkPacked(path: string, cwd: string) {
  return {
    publint: runTool('publint/src/cli.js', ['run', path, '--strict'], cwd),
    attw: runTool(
      '@arethetypeswrong/cli/dist/index.js',
      [path, '--profile', 'esm-only', '--format', 'ascii', '--no-color'],
      cwd,
    ),
  };
}

/** Packs the folder without running its scripts, and answers the name of the tarball. */
function pack(folder: string, destination: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination];
  const { stdout } = run('npm', args, folder);
  const packed = JSON.parse(stdout) as
    | readonly { filename: string }[]
    | Record<string, { filename: string }>;
  return Object.values(packed)[0]?.filename ?? '';
}

let consumer: string;
let tarball: string;

beforeAll(() => {
  consumer = mkdtempSync(join(tmpdir(), 'dealwright-consumer-'));
  cpSync(join(root, 'test/package/consumer'), consumer, { recursive: true });
  tarball = pack(root, consumer);
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: {
      dealwright: `file:${tarball}`,
      neverthrow: devDependencies['neverthrow'],
      '@types/node': devDependencies['@types/node'],
    },
  };
  writeFileSync(join(consumer, 'package.json'), JSON.stringify(manifest));
  const installed = run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund'],
    consumer,
  );
  if (installed.status !== 0) throw new Error(installed.output);
}, 120_000);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

/** The errors of a strict compilation in which nothing is taken on trust. */
function compile(options: object, file: string, emit = false): readonly string[] {
  const tsconfig = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      target: 'ES2022',
      skipLibCheck: false,
      noEmit: !emit,
      ...options,
    },
    files: [file],
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(tsconfig));
  const { output } = runTool('typescript/bin/tsc', ['-p', consumer], consumer);
  return output.split('\n').filter((line) => line.includes('error TS'));
}

const resolutions = [
  { module: 'NodeNext', moduleResolution: 'NodeNext' },
  { module: 'ESNext', moduleResolution: 'Bundler' },
];

describe('the packed package', () => {
  it('is clean for publint and are-the-types-wrong', slow, () => {
    const { publint, attw } = checkPacked(tarball, consumer);
    expect(publint.output).toContain('All good!');
    expect(publint.status).toBe(0);
    expect(attw.output).toContain('dealwright/client');
    expect(attw.status, attw.output).toBe(0);
  });

  it('holds what was built, its sources, the licence and the documents, and no more', () => {
    const names = run('tar', ['tzf', tarball], consumer).stdout.trim().split('\n');
    expect(names).toContain('package/LICENSE');
    expect(names).toContain('package/README.md');
    expect(names).toContain('package/CHANGELOG.md');
    expect(names).toContain('package/dist/src/index.d.ts');
    const allowed = /^package\/((dist\/)?(src|adapters)\/|(LICENSE|README|CHANGELOG|package)\b)/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
  });

  it.each(resolutions)('compiles with the DOM and Node: $moduleResolution', slow, (resolution) => {
    const options = { ...resolution, lib: ['ES2022', 'DOM'], types: ['node'] };
    expect(compile(options, 'main.ts')).toEqual([]);
  });

  it.each(resolutions)('compiles with Node alone: $moduleResolution', slow, (resolution) => {
    const options = { ...resolution, lib: ['ES2022'], types: ['node'] };
    expect(compile(options, 'main.ts')).toEqual([]);
  });

  // valibot's own declarations name Blob and File: where there is neither, they need skipLibCheck
  it.each(resolutions)('needs neither itself: $moduleResolution', slow, (resolution) => {
    const bare = { ...resolution, lib: ['ES2022'], types: [] };
    const errors = compile(bare, 'core-only.ts');
    expect(errors.filter((error) => !error.startsWith('node_modules/valibot/'))).toEqual([]);
    expect(compile({ ...bare, skipLibCheck: true }, 'core-only.ts')).toEqual([]);
  });

  it('runs', slow, () => {
    const options = { ...resolutions[0], lib: ['ES2022'], types: ['node'] };
    expect(compile(options, 'main.ts', true)).toEqual([]);
    const { output } = run(process.execPath, ['main.js'], consumer);
    expect(output).toBe('["created","deal_exists","created"]\n');
  });

  it('has its command line', slow, () => {
    const { output } = run(join(consumer, 'node_modules/.bin/dealwright'), ['--help'], consumer);
    expect(output).toContain('DEALWRIGHT_TOKENS');
  });
});

describe('a planted mistake', () => {
  it('in a consumer does not compile', slow, () => {
    writeFileSync(
      join(consumer, 'wrong.ts'),
      "import { createMarketplace } from 'dealwright';\ncreateMarketplace({});\nimport 'dealwright/domain';\n",
    );
    for (const resolution of resolutions) {
      const errors = compile({ ...resolution, lib: ['ES2022'], types: ['node'] }, 'wrong.ts');
      expect(errors.map((error) => error.split(':')[0])).toEqual([
        'wrong.ts(2,19)',
        'wrong.ts(3,8)',
      ]);
    }
  });

  it('in a package is found by publint and by are-the-types-wrong', slow, async () => {
    const files = {
      'package.json': JSON.stringify({
        name: 'planted',
        version: '1.0.0',
        type: 'module',
        exports: {
          '.': { types: './index.d.cts', default: './index.js' },
          './gone': { types: './gone.d.ts', default: './gone.js' },
        },
      }),
      'index.js': 'export const one = 1;\n',
      'index.d.cts': 'export declare const one: 1;\n',
    };
    const found = await withPlanted(files, (folder) => checkPacked(pack(folder, folder), folder));
    expect(found.publint.status).toBe(1);
    expect(found.publint.output).toContain('./gone.js');
    expect(found.attw.status).toBe(1);
    expect(found.attw.output).toMatch(/Masquerading as CJS/);
  });
});
