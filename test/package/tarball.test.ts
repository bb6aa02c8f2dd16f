import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const run = promisify(execFile);
const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
const names = Object.keys(doors)
  .filter((door) => door !== './package.json')
  .map((door) => `dealwright${door.slice(1)}`);

const tsc = join(root, 'node_modules/typescript/bin/tsc');
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
  writeFileSync(join(folder, 'doors.ts'), names.map((name) => `import '${name}';`).join('\n'));
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = `
import { createMarketplace, type PartnerApi } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createClient } from 'dealwright/client';
import { createFetchHandler, createHandler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';

const system = createSystemPorts();
const marketplace = createMarketplace({
  ...system,
  ...createMemoryStore(),
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

function compile(module: string, moduleResolution: string, ...more: string[]) {
  const options = `--target ES2022 --lib ES2022,DOM,DOM.Iterable --types node --strict --skipLibCheck false`;
  return run(
    process.execPath,
    [
      tsc,
      ...options.split(' '),
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
      ...more,
    ],
    { cwd: folder },
  ).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it.each([
  ['NodeNext', 'NodeNext'],
  ['ESNext', 'bundler'],
])(
  'compiles in a consumer, %s with %s resolution, declarations checked',
  async (module, kind) => {
    expect(await compile(module, kind, '--noEmit', 'service.ts', 'doors.ts')).toBe('');
  },
  60_000,
);

it('does not compile where a consumer calls what is not there', async () => {
  writeFileSync(join(folder, 'wrong.ts'), "import { createNothing } from 'dealwright';\n");
  expect(await compile('NodeNext', 'NodeNext', '--noEmit', 'wrong.ts')).toContain('createNothing');
}, 60_000);

it('runs in a consumer', async () => {
  mkdirSync(join(folder, 'out'), { recursive: true });
  expect(await compile('NodeNext', 'NodeNext', '--outDir', 'out', 'service.ts')).toBe('');
  const { stdout } = await run(process.execPath, [join(folder, 'out/service.js')]);
  expect(stdout).toBe('created');
}, 60_000);

it('has every door, each of which imports', async () => {
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
}, 60_000);

it('has a command line', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/dealwright'), ['--version']);
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
}, 60_000);

it('is found clean by publint and by are-the-types-wrong', async () => {
  const bin = (name: string) => join(root, 'node_modules/.bin', name);
  await run(bin('publint'), ['run', tarball, '--strict'], { cwd: root });
  await run(bin('attw'), [tarball, '--profile', 'esm-only'], { cwd: root });
}, 120_000);

it('is found unclean by them where a door leads nowhere', async () => {
  const broken = join(folder, 'broken');
  mkdirSync(broken, { recursive: true });
  const manifest = {
    name: 'broken',
    version: '1.0.0',
    type: 'module',
    exports: { '.': './none.js' },
  };
  writeFileSync(join(broken, 'package.json'), JSON.stringify(manifest));
  const publint = run(join(root, 'node_modules/.bin/publint'), ['run', broken, '--strict']);
  await expect(publint).rejects.toThrow();
}, 60_000);
