import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';

const token = 't0ken-of-these-tests';
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dealwright-'));
});
afterEach(async () => {
  stopAll();
  await rm(folder, { recursive: true, force: true });
});

const environment = (data = join(folder, 'data')) => ({
  DEALWRIGHT_DATA: data,
  DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
});
const start = (...args: string[]) => startService(environment(), args);
const apiOf = ({ baseUrl }: RunningService) => createClient({ baseUrl, token });
const must = <T, E>(result: { isOk(): boolean; _unsafeUnwrap(): T; _unsafeUnwrapErr(): E }): T => {
  if (!result.isOk()) throw new Error(JSON.stringify(result._unsafeUnwrapErr()));
  return result._unsafeUnwrap();
};

/** One of everything, with keys. */
async function fill(service: RunningService, content: Uint8Array) {
  const api = apiOf(service);
  must(await api.registerContractor(contractor, { idempotencyKey: 'contractor' }));
  const created = must(await api.createDeal(deal, { idempotencyKey: 'deal' }));
  const createdV2 = must(
    await api.createDealV2(dealV2, { idempotencyKey: 'deal 2'.replace(' ', '-') }),
  );
  const upload = { name: 'draft', content };
  const file = must(await api.uploadFile(created.id, upload, { idempotencyKey: 'file' }));
  return { created, createdV2, file };
}

/** Where the content of a file is. */
function pathOf(id: string, data = join(folder, 'data')): string {
  const [path = ''] = readdirSync(join(data, 'files'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((each) => each.endsWith(id));
  return join(data, 'files', path);
}

describe('a service that keeps its deals', () => {
  it('has them after it was killed, replays and files among them', async () => {
    const content = randomBytes(70_000);
    const first = await start();
    expect(first.said().stdout).toContain(`deals are kept in ${join(folder, 'data')})`);
    const { created, createdV2, file } = await fill(first, content);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await start();
    const api = apiOf(second);
    const read = must(await api.retrieveDeal(created.id));
    expect(read.stages[0]?.work_files).toEqual([file]);
    expect(readFileSync(pathOf(file.id)).equals(content)).toBe(true);
    expect(must(await api.createDeal(deal, { idempotencyKey: 'deal' }))).toEqual(created);
    expect(must(await api.createDealV2(dealV2, { idempotencyKey: 'deal-2' }))).toEqual(createdV2);
    expect((await api.createDeal(deal))._unsafeUnwrapErr().code).toBe('deal_exists');
    const other = must(await api.createDeal({ ...deal, partner_id: 'other' }));
    expect(other.id).toBeGreaterThan(created.id);
    expect(second.said().stderr).toBe('');
  });

  it('keeps them for this user alone', async () => {
    const first = await start();
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
  });

  it('keeps them for this user alone in a folder that others may read', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o755 });
    must(await apiOf(await start()).registerContractor(contractor));
    const modes = ['deals.db', 'deals.db-wal', 'deals.db-shm'].map(
      (name) => statSync(join(data, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('shares them with another one on the same folder', async () => {
    const [one, two] = [await start(), await start()];
    must(await apiOf(one).registerContractor(contractor));
    const deals = Array.from({ length: 20 }, (_, at) => ({ ...deal, partner_id: `deal-${at}` }));
    const created = await Promise.all(
      deals.map((each, at) => apiOf(at % 2 === 0 ? one : two).createDeal(each)),
    );
    expect(new Set(created.map((each) => must(each).id)).size).toBe(deals.length);
    const page = must(await apiOf(two).listEmployerDeals({ page_size: 100 }));
    expect(page.results.length).toBe(deals.length);
  });

  it('keeps nothing with --memory', async () => {
    const service = await start('--memory');
    expect(service.said().stdout).toContain('deals are kept in memory until it stops');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

/** How serve ends that does not begin. */
async function refusal(data: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(['serve', ...args], {
    ...environment(data),
    PORT: '0',
  }).ended;
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^dealwright: [^\n]*\n(Run [^\n]*\n)?$/);
  return { code, stderr };
}

describe('a place that is none', () => {
  it('is a file', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const there = await refusal(path);
    expect(there.code).toBe(2);
    expect(there.stderr).toContain(`deals cannot be kept in ${path}: there is a file of this name`);
    const below = await refusal(join(path, 'below'));
    expect(below.code).toBe(2);
    expect(below.stderr).toContain('a part of the path is a file');
    expect((await refusal('')).stderr).toContain('DEALWRIGHT_DATA is empty');
  });

  it('is in a folder without rights', async () => {
    // who may do everything is refused by the kernel alone
    const isRoot = process.getuid?.() === 0;
    const path = isRoot ? '/sys/dealwright' : join(folder, 'locked');
    if (!isRoot) mkdirSync(path, { mode: 0o500 });
    const { code, stderr } = await refusal(isRoot ? path : join(path, 'data'));
    if (!isRoot) chmodSync(path, 0o700);
    expect(code).toBe(2);
    expect(stderr).toMatch(/deals cannot be kept in .*: \S/);
  });

  // where the system says that there is no such folder, and there is one, Node's own way never ends
  it('is one where no folder can be made', async () => {
    const { code, stderr } = await refusal('/proc/dealwright/data');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'deals cannot be kept in /proc/dealwright/data: no folder can be made there (DEALWRIGHT_DATA names the folder)',
    );
  });

  it('has a folder where the database is to be', async () => {
    const path = join(folder, 'data', 'deals.db');
    mkdirSync(path, { recursive: true });
    const { code, stderr } = await refusal(join(folder, 'data'));
    expect(code).toBe(2);
    expect(stderr).toContain(`deals cannot be kept in ${path}: there is a folder of this name`);
  });

  it('has a database that is none', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'deals.db'), 'this is no database, whoever says so'.repeat(100));
    const { code, stderr } = await refusal(data);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the database .*deals\.db cannot be used: .*not a database/);
  });

  it('has a database of a later version', async () => {
    expect((await run(['migrate'], environment()).ended).code).toBe(0);
    const path = join(folder, 'data', 'deals.db');
    const db = new Database(path);
    db.prepare(
      "insert into dealwright_migrations (number, name, checksum) values (99, 'x', 'x')",
    ).run();
    db.close();
    const { code, stderr } = await refusal(join(folder, 'data'));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /deals\.db is not used: the database has migration 99 .*use a newer one/,
    );
    const left = await refusal(join(folder, 'data'), '--no-migrate');
    expect(left.code).toBe(1);
    expect(left.stderr).toMatch(/deals\.db is not used: it has migration 99 .*use a newer one/);
  });

  it('has a database that was not migrated, which is left as it is', async () => {
    const { code, stderr } = await refusal(join(folder, 'data'), '--no-migrate');
    expect(code).toBe(1);
    expect(stderr).toMatch(/it was not migrated: run dealwright migrate/);
    const migrated = await run(['migrate'], environment()).ended;
    expect(migrated).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Applied steps? 1/),
    });
    const again = await run(['migrate'], environment()).ended;
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to do/) });
    const service = await start('--no-migrate');
    must(await apiOf(service).registerContractor(contractor));
  });

  it('is no address of PostgreSQL, or of one that is not there', async () => {
    for (const [url, code, told] of [
      ['mysql://user:s3cret@127.0.0.1/x', 2, /DATABASE_URL is no address of PostgreSQL/],
      ['s3cret', 2, /DATABASE_URL is no address of PostgreSQL/],
      [
        'postgres://user:s3cret@127.0.0.1:1/x',
        1,
        /the database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
      ],
    ] as const) {
      const ended = await run(['serve'], { ...environment(), PORT: '0', DATABASE_URL: url }).ended;
      expect(ended.code).toBe(code);
      expect(ended.stderr).toMatch(told);
      expect(ended.stderr).not.toContain('s3cret');
    }
  });
});

describe('dealwright migrate --print', () => {
  it('prints the SQL of the database that is meant, and touches nothing', async () => {
    const sqlite = await run(['migrate', '--print'], environment()).ended;
    expect(sqlite).toMatchObject({ code: 0, stderr: '' });
    expect(sqlite.stdout).toMatch(/create table .*dealwright_migrations/);
    const url = { DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const postgres = await run(['migrate', '--print'], { ...environment(), ...url }).ended;
    expect(postgres).toMatchObject({ code: 0, stderr: '' });
    expect(postgres.stdout).toContain('"dealwright".deals');
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const db = new Database(':memory:');
    db.exec(sqlite.stdout);
    expect(db.prepare('select count(*) as count from dealwright_deals').get()).toMatchObject({
      count: 0,
    });
    db.close();
  });
});

describe('dealwright dump and restore', () => {
  const other = () => environment(join(folder, 'other'));
  const dump = (...args: string[]) => run(['dump', ...args], environment()).ended;
  const restore = (args: string[], stdin?: string) =>
    run(['restore', ...args], other(), stdin).ended;

  it('move everything to another folder, while the service goes on', async () => {
    const content = randomBytes(100_000);
    const service = await start();
    const { created, createdV2, file } = await fill(service, content);
    const out = join(folder, 'deals.ndjson');
    const dumped = await dump('--out', out);
    expect(dumped).toMatchObject({ code: 0, stdout: '' });
    expect(dumped.stderr).toMatch(/^dealwright: dumped 7 records, 1 files, [\d.]+ KiB\n$/);
    expect(statSync(out).mode & 0o777).toBe(0o600);

    const restored = await restore([out]);
    expect(restored).toMatchObject({ code: 0, stdout: '' });
    expect(restored.stderr).toContain('restored 7 records, 1 files from');
    expect(readFileSync(pathOf(file.id, join(folder, 'other'))).equals(content)).toBe(true);
    const moved = await startService(other());
    const api = apiOf(moved);
    expect(must(await api.createDeal(deal, { idempotencyKey: 'deal' }))).toEqual(created);
    expect(must(await api.createDealV2(dealV2, { idempotencyKey: 'deal-2' }))).toEqual(createdV2);
    expect(must(await api.retrieveDeal(created.id)).stages[0]?.work_files).toEqual([file]);

    const again = await restore([out]);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^dealwright: nothing was restored from .*: .*(holds|empty).*\n$/);
  });

  it('go through a pipe, without contents, and quietly', async () => {
    await fill(await start(), randomBytes(10));
    const dumped = await dump('--without-files', '--quiet', '--out', '-');
    expect(dumped).toMatchObject({ code: 0, stderr: '' });
    expect(dumped.stdout.split('\n').length).toBe(10);
    const device = await dump('--quiet', '--out', '/dev/stdout');
    expect(device).toMatchObject({ code: 2, stdout: '' });
    expect(device.stderr).toContain('--out is /dev/stdout, which is no file');
    expect(await restore(['-', '--quiet'], dumped.stdout)).toMatchObject({ code: 0, stderr: '' });
    const copy = await run(['dump', '--without-files', '--quiet'], other()).ended;
    expect(copy.stdout).toBe(dumped.stdout);
  });

  it('leave nothing of a dump that was cut off', async () => {
    await fill(await start(), randomBytes(10));
    const { stdout } = await dump();
    for (const broken of [stdout.slice(0, -40), stdout.replace('"Deal name"', '7'), 'x']) {
      const ended = await restore(['-'], broken);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(
        /^dealwright: nothing was restored from stdin: line \d+ of the archive .*\n$/,
      );
    }
    expect(await restore(['-'], stdout)).toMatchObject({ code: 0 });
  });

  it('say what is wrong before anything is touched', async () => {
    const nowhere = await dump();
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toContain(`there are no deals in ${join(folder, 'data')}`);
    mkdirSync(join(folder, 'data'));
    // no database: whoever opens it says so
    writeFileSync(join(folder, 'data', 'deals.db'), 'x');
    const toFolder = await dump('--out', folder);
    expect(toFolder).toMatchObject({ code: 2, stdout: '' });
    expect(toFolder.stderr).toContain(`--out is the folder ${folder}: name a file in it`);
    rmSync(join(folder, 'data'), { recursive: true });
    const missing = await restore([join(folder, 'none')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no such file');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('change nothing by a dump, whatever steps the schema has', async () => {
    const service = await start();
    await fill(service, randomBytes(10));
    service.child.kill('SIGTERM');
    await service.ended;
    const data = join(folder, 'data');
    const path = join(data, 'deals.db');
    // the locks of readers are in deals.db-shm
    const all = () =>
      readdirSync(data, { recursive: true, encoding: 'utf8' })
        .filter((name) => name !== 'deals.db-shm')
        .sort()
        .map((name) => [
          name,
          statSync(join(data, name)).isFile() && readFileSync(join(data, name)),
        ]);
    const write = (sql: string) => {
      const db = new Database(path);
      db.prepare(sql).run();
      db.prepare('pragma wal_checkpoint(truncate)').get();
      db.close();
    };
    const refused = async (told: RegExp) => {
      const before = all();
      const ended = await dump();
      expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(told) });
      expect(all()).toEqual(before);
    };
    const before = all();
    expect(await dump('--quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(all()).toEqual(before);
    write("insert into dealwright_migrations (number, name, checksum) values (99, 'x', 'x')");
    await refused(/deals\.db is not used: it has migration 99 .*: use a newer one\n$/);
    write('delete from dealwright_migrations');
    await refused(/deals\.db is not used: it has 0 of \d+ migrations: run dealwright migrate\n$/);
    for (const name of ['deals.db-wal', 'deals.db-shm']) rmSync(join(data, name), { force: true });
    writeFileSync(path, '');
    await refused(/deals\.db cannot be used: it was not migrated: run dealwright migrate/);
  });

  it('leave the file of an earlier dump where a new one fails', async () => {
    const service = await start();
    const { file } = await fill(service, randomBytes(10));
    const out = join(folder, 'deals.ndjson');
    writeFileSync(out, 'earlier');
    rmSync(pathOf(file.id));
    const ended = await dump('--out', out);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`the content of the work file ${file.id} is not there`);
    expect(readFileSync(out, 'utf8')).toBe('earlier');
    expect(readdirSync(folder).sort()).toEqual(['data', 'deals.ndjson']);
    const unwritable = await dump('--out', join(folder, 'none', 'deals.ndjson'));
    expect(unwritable).toMatchObject({ code: 2 });
    expect(unwritable.stderr).toMatch(/--out: cannot write .*: there is no such folder\n/);
  });
});
