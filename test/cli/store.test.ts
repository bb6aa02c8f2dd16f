import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { abandoned } from '../kit/abandoned-data.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { apiOf, fill, must, useDataFolder } from './data-folder.js';
import { run } from './dealwright.js';

const { at, data, environment, pathOf, start } = useDataFolder();

describe('a service that keeps its deals', () => {
  it('has them after it was killed, replays and files among them', async () => {
    const content = randomBytes(70_000);
    const first = await start();
    expect(first.said().stdout).toContain(`deals are kept in ${data()})`);
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
    expect(statSync(data()).mode & 0o777).toBe(0o700);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
  });

  it('keeps them for this user alone in a folder that others may read', async () => {
    mkdirSync(data(), { mode: 0o755 });
    must(await apiOf(await start()).registerContractor(contractor));
    const modes = ['deals.db', 'deals.db-wal', 'deals.db-shm'].map(
      (name) => statSync(join(data(), name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('takes the rights of other users on a database away, and leaves those of a group', async () => {
    expect((await run(['migrate'], environment()).ended).code).toBe(0);
    const files = ['deals.db', 'deals.db-wal', 'deals.db-shm'].map((name) => join(data(), name));
    for (const path of files) {
      if (!existsSync(path)) writeFileSync(path, '');
      chmodSync(path, 0o666);
    }
    const service = await start();
    must(await apiOf(service).registerContractor(contractor));
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o660, 0o660, 0o660]);
    expect(service.said().stderr).toBe('');
  });

  it('shares them with another one on the same folder', async () => {
    const [one, two] = [await start(), await start()];
    must(await apiOf(one).registerContractor(contractor));
    const deals = Array.from({ length: 20 }, (_, at) => ({ ...deal, partner_id: `deal-${at}` }));
    const created = await Promise.all(
      deals.map((each, at) => apiOf(at % 2 === 0 ? one : two).createDeal(each)),
    );
    expect(new Set(created.map((each) => must(each).id)).size).toBe(deals.length);
    const page = must(await apiOf(two).listDeals({ page_size: 100 }));
    expect(page.results.length).toBe(deals.length);
  });

  it('keeps nothing with --memory', async () => {
    const service = await start('--memory');
    expect(service.said().stdout).toContain('deals are kept in memory until it stops');
    expect(existsSync(data())).toBe(false);
  });
});

/** The end of a `serve` that cannot start. */
async function refusal(where: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(['serve', ...args], {
    ...environment(where),
    PORT: '0',
  }).ended;
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^dealwright: [^\n]*\n(Run [^\n]*\n)?$/);
  return { code, stderr };
}

describe('a place that cannot be one', () => {
  it('is a file', async () => {
    const path = join(at.folder, 'file');
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
    // root may do everything: only the kernel refuses it
    const isRoot = process.getuid?.() === 0;
    const path = isRoot ? '/sys/dealwright' : join(at.folder, 'locked');
    if (!isRoot) mkdirSync(path, { mode: 0o500 });
    const { code, stderr } = await refusal(isRoot ? path : join(path, 'data'));
    if (!isRoot) chmodSync(path, 0o700);
    expect(code).toBe(2);
    expect(stderr).toMatch(/deals cannot be kept in .*: \S/);
  });

  // here mkdir reports a missing folder that exists, and Node's own recursive way never ends
  it('is one if no folder can be made', async () => {
    const { code, stderr } = await refusal('/proc/dealwright/data');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'deals cannot be kept in /proc/dealwright/data: no folder can be created there (DEALWRIGHT_DATA names the folder)',
    );
  });

  it('has a folder if the database is to be', async () => {
    const path = join(data(), 'deals.db');
    mkdirSync(path, { recursive: true });
    const { code, stderr } = await refusal(data());
    expect(code).toBe(2);
    expect(stderr).toContain(`deals cannot be kept in ${path}: there is a folder of this name`);
  });

  it('has a file that is no database', async () => {
    mkdirSync(data());
    writeFileSync(join(data(), 'deals.db'), 'this is no database, as anybody can see'.repeat(100));
    const { code, stderr } = await refusal(data());
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the database .*deals\.db is not used: it is damaged \(.*not a database/,
    );
  });

  it('has an empty database beside work files, which is left as it is', async () => {
    const tenant = join(data(), 'files', 'sandbox', 'a'.repeat(64));
    const trash = join(data(), 'files', 'trash', 'sandbox', 'a'.repeat(64));
    for (const folder of [tenant, trash]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(tenant, '01KDVE00000000000000000001'), 'a work file');
    writeFileSync(join(trash, '01KDVE00000000000000000002.1767225600000'), 'a swept one');
    const path = join(data(), 'deals.db');
    writeFileSync(path, '');
    const { code, stderr } = await refusal(data());
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${path} is empty, and there are 2 work files in ${join(data(), 'files')}: copy the database back from a backup, or delete the empty file`,
    );
    expect(statSync(path).size).toBe(0);
    // folders without files do not count
    rmSync(join(tenant, '01KDVE00000000000000000001'));
    rmSync(join(trash, '01KDVE00000000000000000002.1767225600000'));
    must(await apiOf(await start()).registerContractor(contractor));
  });

  it('has a database of a later version', async () => {
    expect((await run(['migrate'], environment()).ended).code).toBe(0);
    const path = join(data(), 'deals.db');
    const db = new Database(path);
    db.prepare(
      "insert into dealwright_migrations (number, name, checksum) values (99, 'x', 'x')",
    ).run();
    db.close();
    const { code, stderr } = await refusal(data());
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /deals\.db is not used: the database has migration 99 .*use a newer one/,
    );
    const left = await refusal(data(), '--no-migrate');
    expect(left.code).toBe(1);
    expect(left.stderr).toMatch(/deals\.db is not used: the database has migration 99 .*use/);
  });

  it('has a database from which there is no way, opened by any command', async () => {
    mkdirSync(data(), { recursive: true });
    writeFileSync(join(data(), 'deals.db'), abandoned('deals.sqlite'));
    for (const command of [['migrate'], ['serve'], ['serve', '--no-migrate'], ['dump']]) {
      const { code, stderr } = await run(command, environment()).ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /deals\.db is not used: a version of dealwright wrote it .*there is no way from it .*: go on with that version, or begin with an empty database\n$/,
        ),
      ]);
    }
  });

  it('has an archive from which there is no way', async () => {
    const path = join(data(), '..', 'abandoned.ndjson');
    writeFileSync(path, abandoned('archive.ndjson'));
    const { code, stderr } = await run(['restore', path], environment()).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/nothing was restored .*says format 1, .*there is no way from it/),
    ]);
  });

  it('has a database that was not migrated, which is left as it is', async () => {
    const { code, stderr } = await refusal(data(), '--no-migrate');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /migrations are missing \(1, 2, 3, 4, 5, 6, 7\): run dealwright migrate; or serve without --no-migrate\n$/,
    );
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
    expect(existsSync(data())).toBe(false);
    const db = new Database(':memory:');
    db.exec(sqlite.stdout);
    expect(db.prepare('select count(*) as count from dealwright_deals').get()).toMatchObject({
      count: 0,
    });
    db.close();
  });
});
