import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const run = promisify(execFile);
const { exports: entryPoints } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
/** The entry points that are modules: the others are files of JSON. */
const names = Object.entries(entryPoints)
  .filter(([, target]) => typeof target !== 'string')
  .map(([entryPoint]) => `dealwright${entryPoint.slice(1)}`);

const bin = (name: string) => join(root, 'node_modules/.bin', name);
let folder = '';
let tarball = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-consumer-'));
  const packed = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    { cwd: root },
  );
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  tarball = join(folder, filename);
  const consumer = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: {
      dealwright: `file:${tarball}`,
      neverthrow: '^8.2.0',
      'fast-check': '^4.0.0',
      '@types/node': '^20.19.0',
    },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(consumer));
  writeFileSync(join(folder, 'service.ts'), service);
  writeFileSync(join(folder, 'core.ts'), core);
  writeFileSync(join(folder, 'wrong.ts'), "import { createNothing } from 'dealwright';\n");
  writeFileSync(
    join(folder, 'entry-points.ts'),
    names.map((name) => `import '${name}';`).join('\n'),
  );
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = `
import { createMarketplace, type PartnerApi } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createClient } from 'dealwright/client';
import { createFetchHandler, createHandler } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';

const system = createSystemPorts();
const marketplace = createMarketplace({
  ...system,
  store: createMemoryStore(),
  files: createMemoryFileStore(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens: createOpaqueTokenIssuer(),
});
const tenant = { environment: 'sandbox', partner: 'acme' } as const;
const authenticator = createTokenAuthenticator([['a-token', tenant]], system);
const answer = createFetchHandler(createHandler(marketplace, { ...system, authenticator }));
const client: PartnerApi = createClient({
  baseUrl: 'http://127.0.0.1',
  token: 'a-token',
  fetch: (url, init) => answer(new Request(url, init)),
});
const created = await client.createDealV2({
  partner_id: 'order-1',
  email_freelancer: 'freelancer@example.com',
  title: 'Title',
  description: 'Description',
  subcategory_id: 75,
  amount: '10.00',
  currency: 'EUR',
  copyright_transfer: 'none',
  freelancer_language: 'en',
});
process.stdout.write(created.isOk() ? created.value.status : created.error.code);
`;

const core = ['', '/ports', '/strict', '/memory', '/system', '/categories', '/auth', '/client']
  .map((entryPoint) => `export * from 'dealwright${entryPoint}';`)
  .join('\n');

const checked: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
};

/**
 * The compiler's errors in a consumer's files and in every declaration they reach, also those of
 * other packages: only the declarations of the language and of Node are not checked.
 */
function compile(options: ts.CompilerOptions, ...names: readonly string[]) {
  const rootNames = names.map((name) => join(folder, name));
  const host = ts.createCompilerHost({});
  host.getCurrentDirectory = () => folder;
  const program = ts.createProgram({ rootNames, options: { ...checked, ...options }, host });
  program.emit();
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => !/\/node_modules\/(?:typescript|@types\/node)\//.test(fileName));
  const errors = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(
    ({ file, messageText }) =>
      `${file && relative(folder, file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
  return { errors, files: files.map(({ fileName }) => relative(folder, fileName)) };
}

/** Files that compile, and one that must not: a compiler without input finds no error either. */
const compiled = ['service.ts', 'entry-points.ts', 'wrong.ts'];
const onlyError = [`wrong.ts: Module '"dealwright"' has no exported member 'createNothing'.`];

it('compiles in a consumer with NodeNext resolution and Node alone, and runs', async () => {
  const { errors, files } = compile({ types: ['node'], outDir: join(folder, 'out') }, ...compiled);
  expect(errors).toEqual(onlyError);
  expect(files).toContain('node_modules/dealwright/dist/src/index.d.ts');
  const { stdout } = await run(process.execPath, [join(folder, 'out/service.js')]);
  expect(stdout).toBe('created');
}, 120_000);

it('compiles in a consumer with bundler resolution and the DOM', () => {
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    noEmit: true,
  };
  expect(compile(options, ...compiled).errors).toEqual(onlyError);
}, 120_000);

it('names neither Node nor the DOM nor valibot on the entry points of the core', () => {
  const { errors, files } = compile({ noEmit: true }, 'core.ts');
  expect(errors).toEqual([]);
  expect(files.some((file) => file.includes('/dealwright/dist/src/'))).toBe(true);
  // its declarations name Blob and File, and are not a part of ours
  expect(files.filter((file) => file.includes('/valibot/'))).toEqual([]);
}, 120_000);

it('has every entry point, each of which imports', async () => {
  const program = names.map((name) => `await import('${name}');`).join(' ');
  await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  const missing = run(
    process.execPath,
    ['--input-type=module', '-e', "await import('dealwright/src')"],
    {
      cwd: folder,
    },
  );
  await expect(missing).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
}, 120_000);

it('has the cases as data, and what describes them', async () => {
  const cases = readdirSync(join(root, 'spec/cases')).filter((name) => name.endsWith('.json'));
  expect(cases).toContain('schema.json');
  const program = `const { createRequire } = await import('node:module');
    const require = createRequire(import.meta.url);
    for (const name of ${JSON.stringify(cases)}) require('dealwright/spec/cases/' + name);
    process.stdout.write(require('dealwright/spec/cases/create-deal.json').operation);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
  });
  expect(stdout).toBe('createDeal');
  expect(existsSync(join(folder, 'node_modules/dealwright/spec/cases/README.md'))).toBe(true);
}, 120_000);

it('has the files of the reference page', async () => {
  const program = `import { createReferencePage } from 'dealwright/reference';
    process.stdout.write(Object.keys(createReferencePage()).join(' '));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
  });
  expect(stdout).toContain('/reference/swagger-ui-bundle.js');
}, 120_000);

it('has the pages for people, and nothing of the packages that they are made of', async () => {
  const program = `import { createPages } from 'dealwright/pages';
    process.stdout.write(Object.keys(createPages()).join(' '));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
  });
  const paths = stdout.split(' ').filter((path) => path.endsWith('/'));
  expect(paths.sort()).toEqual(['/console/', '/offer/', '/portal/']);
  expect(existsSync(join(folder, 'node_modules/preact'))).toBe(false);
}, 120_000);

it('has a command line', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/dealwright'), ['--version']);
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
}, 120_000);

it('is found clean by publint', async () => {
  await run(bin('publint'), ['run', tarball, '--strict'], { cwd: root });
}, 120_000);

it('is found unclean by them if an entry point leads nowhere or its types say another format', async () => {
  const broken = join(folder, 'broken');
  mkdirSync(broken, { recursive: true });
  const manifest = {
    name: 'broken',
    version: '1.0.0',
    type: 'module',
    exports: { '.': { types: './index.d.cts', default: './index.js' }, './none': './none.js' },
  };
  writeFileSync(join(broken, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(broken, 'index.js'), 'export const one = 1;\n');
  writeFileSync(join(broken, 'index.d.cts'), 'export declare const one: 1;\n');
  await run('npm', ['pack', '--ignore-scripts'], { cwd: broken });
  const packed = join(broken, 'broken-1.0.0.tgz');
  await expect(run(bin('publint'), ['run', packed, '--strict'])).rejects.toMatchObject({
    stdout: expect.stringContaining('./none.js'),
  });
  await expect(run(bin('attw'), [packed, '--profile', 'esm-only'])).rejects.toMatchObject({
    stdout: expect.stringContaining('Masquerading as CJS'),
  });
}, 120_000);

it('holds what was built, its sources, the licence and the documents, and no more', async () => {
  const { stdout } = await run('tar', ['tzf', tarball]);
  const files = stdout.trim().split('\n');
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/src/index.d.ts']) {
    expect(files).toContain(`package/${file}`);
  }
  const allowed =
    /^package\/((dist\/)?(src|spec|adapters)\/|dist\/cli\/|hosts\/|examples\/|docs\/.*\.(?:md|png)$|(LICENSE|README|CHANGELOG|CONTRIBUTING|package)\b)/;
  expect(files.filter((file) => !allowed.test(file))).toEqual([]);
});

/** The pages in the package. */
const pagesIn = (installed: string) =>
  readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?:(?:docs|spec|hosts|examples)\/.*|[A-Z]+)\.md$/.test(file),
  );

it('has every page that its pages link to', async () => {
  const installed = join(folder, 'node_modules/dealwright');
  const pages = pagesIn(installed);
  expect(pages.length).toBeGreaterThan(40);
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(installed, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/\]\(([^)\s#]+)/g)]
      .map(([, link = '']) => join(installed, dirname(page), link))
      .filter((target) => !existsSync(target));
  });
  expect(broken).toEqual([]);
});

/** A path from the root of the repository, and none of a project of the reader's. */
const namedPath =
  /(?<![\w/.@-])(?:(?:adapters|bench|dist|docs|examples|hosts|scripts|spec|\.ci)\/[\w./[\]-]*[\w\]]|(?:src|test)\/(?:adapters|checks|contract|docs|domain|faults|kit|life|package|races|usecases)\b[\w./-]*)/g;

/** Pages for whoever changes the library itself: they also name what only a clone has. */
const ofTheClone =
  /^(?:CONTRIBUTING|docs\/adr\/.*|docs\/how-to\/add-a-(?:command|field)|docs\/reference\/(?:benchmarks|cluster|fault-runs))\.md$/;

it('has every file and folder that its pages name, unless they say that a clone has it', () => {
  const installed = join(folder, 'node_modules/dealwright');
  const named = pagesIn(installed).flatMap((page) =>
    readFileSync(join(installed, page), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const isOfClone = ofTheClone.test(page) || /\bclone\b/.test(line);
        return [...line.matchAll(namedPath)].map(([path]) => ({ page, path, isOfClone }));
      }),
  );
  expect(named.length).toBeGreaterThan(80);
  const missing = named.filter(
    ({ path, isOfClone }) =>
      !existsSync(join(installed, path)) && !(isOfClone && existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
});

it('runs the first program of the README as JavaScript', async () => {
  const readme = readFileSync(join(folder, 'node_modules/dealwright/README.md'), 'utf8');
  const [, program = ''] = /^```ts\n(import \{ createDealwright \}.*?)^```/ms.exec(readme) ?? [];
  writeFileSync(join(folder, 'deal.js'), program);
  const { stdout } = await run(process.execPath, ['deal.js'], { cwd: folder });
  expect(stdout).toBe("[ 'completed', '500.00' ]\n");
}, 120_000);
