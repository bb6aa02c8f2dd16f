import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { deal, dealV2 } from '../kit/requests.js';
import { apiOf, fill, must, useDataFolder } from './data-folder.js';
import { run, startService } from './dealwright.js';

const { at, data, environment, pathOf, start } = useDataFolder();

describe('dealwright dump and restore', () => {
  const other = () => environment(join(at.folder, 'other'));
  const dump = (...args: string[]) => run(['dump', ...args], environment()).ended;
  const restore = (args: string[], stdin?: string) =>
    run(['restore', ...args], other(), stdin).ended;

  it('move everything to another folder, while the service goes on', async () => {
    const content = randomBytes(100_000);
    const service = await start();
    const { created, createdV2, file } = await fill(service, content);
    const out = join(at.folder, 'deals.ndjson');
    const dumped = await dump('--out', out);
    expect(dumped).toMatchObject({ code: 0, stdout: '' });
    expect(dumped.stderr).toMatch(/^dealwright: dumped 14 records, 1 files, [\d.]+ KiB\n$/);
    expect(statSync(out).mode & 0o777).toBe(0o600);

    const restored = await restore([out]);
    expect(restored).toMatchObject({ code: 0, stdout: '' });
    expect(restored.stderr).toContain('restored 14 records, 1 files from');
    expect(readFileSync(pathOf(file.id, join(at.folder, 'other'))).equals(content)).toBe(true);
    const moved = await startService(other());
    const api = apiOf(moved);
    expect(must(await api.createDeal(deal, { idempotencyKey: 'deal' }))).toEqual(created);
    expect(must(await api.createDealV2(dealV2, { idempotencyKey: 'deal-2' }))).toEqual(createdV2);
    expect(must(await api.retrieveDeal(created.id)).stages[0]?.work_files).toEqual([file]);

    const again = await restore([out]);
    expect(again.code).toBe(1);
    expect(again.stderr).toBe(
      `dealwright: nothing was restored from ${out}: the database holds something already: an archive is restored into an empty one\n`,
    );
  });

  it('go through a pipe, without contents, and quietly', async () => {
    await fill(await start(), randomBytes(10));
    const dumped = await dump('--without-files', '--quiet', '--out', '-');
    expect(dumped).toMatchObject({ code: 0, stderr: '' });
    expect(dumped.stdout.split('\n').length).toBe(17);
    const device = await dump('--quiet', '--out', '/dev/stdout');
    expect(device).toMatchObject({ code: 2, stdout: '' });
    expect(device.stderr).toContain('--out is /dev/stdout, which is not a file');
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
    expect(nowhere.stderr).toContain(`there are no deals in ${data()}`);
    mkdirSync(data());
    // not a database: an error says so
    writeFileSync(join(data(), 'deals.db'), 'x');
    const toFolder = await dump('--out', at.folder);
    expect(toFolder).toMatchObject({ code: 2, stdout: '' });
    expect(toFolder.stderr).toContain(`--out is the folder ${at.folder}: name a file in it`);
    rmSync(data(), { recursive: true });
    const missing = await restore([join(at.folder, 'none')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no such file');
    expect(readdirSync(at.folder)).toEqual([]);
  });

  it('change nothing by a dump, with any steps of the schema', async () => {
    const service = await start();
    await fill(service, randomBytes(10));
    service.child.kill('SIGTERM');
    await service.ended;
    const path = join(data(), 'deals.db');
    // the locks of readers are in deals.db-shm
    const all = () =>
      readdirSync(data(), { recursive: true, encoding: 'utf8' })
        .filter((name) => name !== 'deals.db-shm')
        .sort()
        .map((name) => [
          name,
          statSync(join(data(), name)).isFile() && readFileSync(join(data(), name)),
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
    await refused(/deals\.db is not used: the database has migration 99 .*: use a newer one\n$/);
    write('delete from dealwright_migrations');
    await refused(
      /deals\.db is not used: migrations are missing \(1, 2, 3, 4, 5, 6, 7\): run dealwright migrate\n$/,
    );
    for (const name of ['deals.db-wal', 'deals.db-shm'])
      rmSync(join(data(), name), { force: true });
    writeFileSync(path, '');
    await refused(
      /deals\.db is not used: migrations are missing \(1, 2, 3, 4, 5, 6, 7\): run dealwright migrate/,
    );
  });

  it('leave the file of an earlier dump if a new one fails', async () => {
    const service = await start();
    const { file } = await fill(service, randomBytes(10));
    const out = join(at.folder, 'deals.ndjson');
    writeFileSync(out, 'earlier');
    rmSync(pathOf(file.id));
    const ended = await dump('--out', out);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`the content of the work file ${file.id} is missing`);
    expect(readFileSync(out, 'utf8')).toBe('earlier');
    expect(readdirSync(at.folder).sort()).toEqual(['data', 'deals.ndjson']);
    const unwritable = await dump('--out', join(at.folder, 'none', 'deals.ndjson'));
    expect(unwritable).toMatchObject({ code: 2 });
    expect(unwritable.stderr).toMatch(/--out: cannot write .*: there is no such folder\n/);
  });
});
