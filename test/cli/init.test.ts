import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, writeProject } from '../../adapters/cli/init/make-project.js';
import { packageName } from '../../adapters/cli/init/templates.js';
import { runHere } from './dealwright.js';

const read = (path: string) => readFileSync(path, 'utf8');
const own = JSON.parse(read('package.json'));
const hosts = readdirSync('hosts').flatMap((name) => {
  const path = join('hosts', name, 'host.json');
  const host: { title: string; init?: boolean } = existsSync(path) ? JSON.parse(read(path)) : {};
  return host.title !== undefined && host.init !== false ? [{ name, title: host.title }] : [];
});

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dealwright-init-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => join(folder, ...names);
const init = (...args: string[]) => runHere(['init', ...args]);
const everything = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(String).sort();

describe('dealwright init', () => {
  it('lists the hosts', async () => {
    const { code, stdout, stderr } = await init();
    expect([code, stderr]).toEqual([0, '']);
    const [, ...lines] = stdout.trimEnd().split('\n').filter(Boolean);
    expect(hosts.length).toBeGreaterThan(1);
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual(
      hosts.map(({ name, title }) => [name, title]),
    );
  });

  it.each(
    hosts.flatMap(({ name, title }) => [
      { name, title, store: 'sqlite', driver: 'libsql', other: 'pg' },
      { name, title, store: 'postgres', driver: 'pg', other: 'libsql' },
    ]),
  )('writes a project for $name over $store', async ({ name, title, store, driver, other }) => {
    const { code, stdout, stderr } = await init(name, at('shop'), '--store', store);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`shop: ${title} with `);
    expect(readdirSync(folder)).toEqual(['shop']);
    const manifest = JSON.parse(read(at('shop', 'package.json')));
    expect(manifest).toMatchObject({
      name: 'shop',
      private: true,
      engines: { node: expect.stringMatching(/^>=\d+/) },
      scripts: { start: expect.any(String), test: expect.any(String) },
      dependencies: {
        dealwright: `^${own.version}`,
        neverthrow: own.peerDependencies.neverthrow,
        [driver]: own.peerDependencies[driver],
      },
    });
    expect(manifest.dependencies).not.toHaveProperty(other);
    const files = everything();
    const ofStores = files.filter((file) => /(?:^|\/)store\b.*\.ts$/.test(file));
    expect(ofStores).toHaveLength(1);
    expect(read(at(ofStores[0] ?? ''))).toContain(`from '${driver}'`);
    expect(
      files.filter((file) => /host\.json|node_modules|\.(sqlite|postgres)\./.test(file)),
    ).toEqual([]);
    expect(read(at('shop', '.gitignore'))).toContain('node_modules/\n');
    const readme = read(at('shop', 'README.md'));
    const named = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThanOrEqual(4);
    for (const file of [...named, 'deals.test.mjs']) expect(files).toContain(join('shop', file));
  });

  it('writes into an empty folder, and says how to enter it', async () => {
    const name = "it's $(touch x); -y";
    mkdirSync(at(name, '.git'), { recursive: true });
    const { code, stdout } = await init('node-http', at(name));
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
    expect(readdirSync(at(name)).filter((file) => /git|part/.test(file))).toEqual([
      '.git',
      '.gitignore',
    ]);
    expect(JSON.parse(read(at(name, 'package.json'))).name).toBe('it-s-touch-x-y');
    const [, enter = ''] = /^ {2}(cd .*) && npm install$/m.exec(stdout) ?? [];
    expect(execFileSync('sh', ['-c', `${enter} && pwd`], { encoding: 'utf8' })).toBe(
      `${at(name)}\n`,
    );
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('takes the package that it is told', async () => {
    writeFileSync(at('dealwright-9.0.0.tgz'), '');
    const root = process.cwd();
    for (const [given, written] of [
      ['^0.1.0', '^0.1.0'],
      ['1.2.3-rc.1', '1.2.3-rc.1'],
      ['latest', 'latest'],
      ['https://example.com/dealwright.tgz', 'https://example.com/dealwright.tgz'],
      [at('dealwright-9.0.0.tgz'), `file:${at('dealwright-9.0.0.tgz')}`],
      ['.', `file:${root}`],
      [`file:${root}`, `file:${root}`],
    ] as const) {
      expect(await init('node-http', at('shop'), '--package', given)).toMatchObject({ code: 0 });
      expect(JSON.parse(read(at('shop', 'package.json'))).dependencies.dealwright).toBe(written);
      rmSync(at('shop'), { recursive: true });
    }
  });
});

describe('dealwright init refuses', () => {
  const refused = async (args: readonly string[], says: string | RegExp) => {
    const before = everything();
    const { code, stdout, stderr } = await init(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^dealwright: /);
    expect(stderr).toMatch(says);
    expect(everything()).toEqual(before);
  };

  it.each(['nest-on-mars', '../hosts/express', 'common', 'constructor', 'express\u001b[2J', ''])(
    'the host %j, and lists those that there are',
    async (name) => {
      await refused([name, at('shop')], /there is no host ".*"; the hosts are:\n/);
      const { stderr } = await init(name, at('shop'));
      for (const { title } of hosts) expect(stderr).toContain(title);
      expect(stderr).not.toContain('\u001b');
    },
  );

  it('a folder that has files in it, and says which', async () => {
    mkdirSync(at('shop', 'src'), { recursive: true });
    writeFileSync(at('shop', 'a\u001b[2J.txt'), '');
    await refused(['express', at('shop')], 'is not empty: it has a\\u001b[2J.txt, src; name a new');
    for (const name of ['b', 'c', 'd', 'e', 'f']) writeFileSync(at('shop', name), '');
    await refused(['express', at('shop')], 'txt, b, c, d, e and 2 more;');
    await refused(['express', '.'], 'and 2');
    await refused(['express'], `${process.cwd()} is not empty`);
  });

  it('what is not a folder', async () => {
    writeFileSync(at('file'), '');
    symlinkSync(at('nowhere'), at('link'));
    await refused(['express', at('file')], 'is a file: name a folder');
    await refused(['express', at('file', 'shop')], 'a part of the path is a file');
    await refused(['express', at('link')], 'is a link that leads nowhere');
    await refused(['express', ''], 'the name of the folder is empty');
    await refused(['express', at('a\nb')], /has control characters: .*a\\nb/);
    await refused(['express', at('a\0b')], 'has control characters');
    await refused(['express', at('x'.repeat(300))], 'the path is too long');
  });

  it('what is not a package of Dealwright', async () => {
    mkdirSync(at('other'));
    writeFileSync(at('other', 'package.json'), '{"name":"other"}');
    const told = async (spec: string, says: string) =>
      refused(['express', at('shop'), '--package', spec], says);
    await told('', 'which is not a package of Dealwright');
    await told('lodash', 'which is not a package of Dealwright');
    await told('npm:lodash@1', 'which is not a package of Dealwright');
    await told('1.0.0\n', 'is "1.0.0\\n", which');
    await told('git+ssh://git@example.com/x.git', 'which is not a package of Dealwright');
    await told(at('none.tgz'), 'none.tgz does not exist');
    await told(at('other'), 'is another package');
    await told(at('other', 'package.json'), 'is not a tarball');
    await told(`file:${folder}`, 'is not a package:');
  });

  it('a store that there is not', async () => {
    await refused(['express', at('shop'), '--store', 'mysql'], 'sqlite, postgres');
  });
});

describe('a project that cannot be written', () => {
  const broken = new Map([
    ['a.txt', ''],
    ['b/c.txt', ''],
    ['a.txt/d.txt', ''],
  ]);

  it('leaves nothing', () => {
    mkdirSync(at('empty'));
    for (const path of [at('new', 'deep', 'shop'), at('empty')]) {
      const written = writeProject(path, broken);
      expect(written.isErr() && written.error).toMatch(/^no project can be made in .*: /);
    }
    expect(everything()).toEqual(['empty']);
  });

  it('replaces nothing', () => {
    mkdirSync(at('.git'));
    writeFileSync(at('.git', 'config'), 'mine');
    const files = new Map([
      ['a.txt', 'a'],
      ['.git/config', 'b'],
      ['z.txt', 'z'],
    ]);
    expect(writeProject(folder, files).isErr()).toBe(true);
    expect(everything()).toEqual(['.git', '.git/config']);
    expect(read(at('.git', 'config'))).toBe('mine');
  });

  it('is a failure of the command, which says why', async () => {
    const { code, stdout, stderr } = await init('express', '/proc/shop/deep');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^dealwright: no project can be made in \/proc\/shop\/deep: .*\n$/);
  });
});

describe('a template', () => {
  it('has common files where it says, its own in their place, and what it is made from', () => {
    const files = {
      'common/deals.ts': 'common',
      'common/users.ts': 'common',
      'common/store.sqlite.ts': 'sqlite',
      'common/store.postgres.ts': 'postgres',
      'common/tsconfig.json': 'common',
      'base/host.json': '{"title":"Base","mount":"m.ts","common":"src/lib"}',
      'base/package.json': '{"type":"commonjs","dependencies":{"base":"^2.0.0"}}',
      'base/src/lib/users.ts': 'base',
      'base/node_modules/x/index.js': 'left out',
      'older/host.json': '{"title":"Older","template":"base","dependencies":{"base":"^1.0.0"}}',
      'older/tsconfig.json': 'older',
      'hidden/host.json': '{"title":"Hidden","template":"base","init":false}',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(at('hosts', path, '..'), { recursive: true });
      writeFileSync(at('hosts', path), text);
    }
    const plan = { store: 'postgres', templates: at('hosts'), folder: at('base') } as const;
    const made = makeProject({ ...plan, host: 'older' })._unsafeUnwrap();
    expect(made.files).toEqual([
      ...['.gitignore', 'README.md', 'package.json'],
      ...['src/lib/deals.ts', 'src/lib/store.ts', 'src/lib/users.ts', 'tsconfig.json'],
    ]);
    expect(read(at('base/src/lib/users.ts'))).toBe('base');
    expect(read(at('base/src/lib/store.ts'))).toBe('postgres');
    expect(read(at('base/tsconfig.json'))).toBe('older');
    expect(JSON.parse(read(at('base/package.json')))).toMatchObject({
      // npm would take the project for its own dependency
      name: 'base-deals',
      type: 'commonjs',
      dependencies: { base: '^1.0.0', pg: expect.any(String) },
      devDependencies: { '@types/pg': expect.any(String) },
    });
    // hosts that only our tests use are not offered
    const none = makeProject({ ...plan, host: 'none', folder: at('x') });
    expect(none.isErr() && none.error.message).toMatch(
      /the hosts are:\n {2}base +Base\n {2}older +Older$/,
    );
    expect(makeProject({ ...plan, host: 'hidden', folder: at('x') }).isOk()).toBe(true);
  });
});

it.each([
  ['shop', 'shop'],
  ['/a/b/My Shop', 'my-shop'],
  ['.hidden_', 'hidden'],
  ['Żółć', 'zo-c'],
  ['商店', 'my-deals'],
  ['..', 'my-deals', '/'],
  ['@scope', 'scope'],
  ['a'.repeat(250), 'a'.repeat(200)],
  ['node_modules', 'node_modules-deals'],
  ['http', 'http-deals'],
  ['express', 'express-deals'],
  ["'; rm -rf / #", 'my-deals'],
  ['__proto__', 'proto'],
])('the folder %j is the package %j', (given, name, from = '/x') => {
  expect(packageName(join(from, given), ['express'])).toBe(name);
  expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,213}$/);
});
