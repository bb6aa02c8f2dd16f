import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { contractor, deal } from '../kit/requests.js';
import { run, startService, stopAll } from './dealwright.js';

const token = 't0ken-of-these-tests';
let postgres: Postgres;
let folder = '';

beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  folder = await mkdtemp(join(tmpdir(), 'dealwright-'));
});
afterEach(stopAll);
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = () => ({
  DEALWRIGHT_DATA: join(folder, 'data'),
  DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
});
const inPostgres = (url: string) => ({
  ...inFolder(),
  DEALWRIGHT_DATA: join(folder, 'other'),
  DATABASE_URL: url,
});

describe('the command line with DATABASE_URL', () => {
  it('takes over what a folder held, and keeps it in PostgreSQL', async () => {
    const key = { idempotencyKey: 'key' };
    const content = new Uint8Array(70_000).fill(7);
    const first = await startService(inFolder());
    const api = createClient({ baseUrl: first.baseUrl, token });
    expect((await api.registerContractor(contractor, key)).isOk()).toBe(true);
    const created = (await api.createDeal(deal, key))._unsafeUnwrap();
    expect((await api.uploadFile(created.id, { name: 'draft', content }, key)).isOk()).toBe(true);

    const { url } = await postgres.createDatabase();
    const { stdout } = await run(['dump', '--quiet'], inFolder()).ended;
    const restored = await run(['restore', '-'], inPostgres(url), stdout).ended;
    expect(restored.stderr).toMatch(
      /^dealwright: restored 5 records, 1 files from stdin; they are in PostgreSQL at 127\.0\.0\.1:\d+\/\S+, work files in \S+\n$/,
    );
    expect(restored.code).toBe(0);
    const again = await run(['restore', '-'], inPostgres(url), stdout).ended;
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was restored'),
    });

    const killed = await startService(inPostgres(url));
    expect(killed.said().stdout).toContain('deals are kept in PostgreSQL at 127.0.0.1');
    const over = createClient({ baseUrl: killed.baseUrl, token });
    expect((await over.createDeal(deal, key))._unsafeUnwrap()).toEqual(created);
    const more = (await over.createDeal({ ...deal, partner_id: 'more' }))._unsafeUnwrap();
    expect(more.id).toBeGreaterThan(created.id);
    killed.child.kill('SIGKILL');
    await killed.ended;

    const last = await startService(inPostgres(url));
    const { baseUrl } = last;
    const read = await createClient({ baseUrl, token }).retrieveDeal(created.id);
    expect(read._unsafeUnwrap().stages[0]?.work_files).toHaveLength(1);
    last.child.kill('SIGTERM');
    expect(await last.ended).toMatchObject({ code: 0, stderr: '' });
    const dumped = await run(['dump', '--quiet'], inPostgres(url)).ended;
    expect(dumped.stderr).toBe('');
    // another deal and its event
    expect(dumped.stdout.split('\n').length).toBe(stdout.split('\n').length + 2);
  });

  it('migrates, and says where it was not migrated', async () => {
    const { url } = await postgres.createDatabase();
    const settings = inPostgres(url);
    const unmigrated = await run(['serve', '--no-migrate'], { ...settings, PORT: '0' }).ended;
    expect(unmigrated.code).toBe(1);
    expect(unmigrated.stderr).toMatch(/it was not migrated: run dealwright migrate/);
    const migrated = await run(['migrate'], settings).ended;
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^Applied steps? 1.* to the database in PostgreSQL at /);
    const again = await run(['migrate'], settings).ended;
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to do/) });
    const { stdout } = await run(['migrate', '--print'], settings).ended;
    expect(stdout).toMatch(/^-- dealwright, migration 1/);
  });
});
