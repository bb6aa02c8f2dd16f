import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { citusStandIn } from '../adapters/postgres/citus-stand-in.js';
import { startForwarder } from '../kit/forwarder.js';
import { type DatabaseAddress, type Postgres, startPostgres } from '../kit/postgres.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';
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
  // files know their database
  DEALWRIGHT_DATA: join(folder, new URL(url).pathname),
  DATABASE_URL: url,
});

describe('an empty PostgreSQL beside the work files of another database', () => {
  it.each([
    ['whose id is kept', /files belongs to another database: to the store \w{26}, and this is/],
    ['whose id is not', /there are work files in .+files, and the database names none of them/],
  ])('is refused by serve, which changes nothing: %s', async (name, says) => {
    const own = { ...inFolder(), DEALWRIGHT_DATA: join(folder, name) };
    const first = await startService(own);
    const api = createClient({ baseUrl: first.baseUrl, token });
    (await api.createDealV2(dealV2))._unsafeUnwrap();
    const upload = { name: 'draft', content: new Uint8Array(10) };
    const file = (await api.uploadFile({ partner_id: dealV2.partner_id }, upload))._unsafeUnwrap();
    first.child.kill('SIGTERM');
    await first.ended;
    const marker = join(folder, name, 'files', 'store-id');
    if (name.endsWith('not')) await rm(marker);
    const { url } = await postgres.createDatabase();
    const wrong = { ...own, DATABASE_URL: url, PORT: '0' };
    for (let time = 0; time < 2; time += 1) {
      const refused = await run(['serve'], wrong).ended;
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(says);
      expect(refused.stderr).toContain('DATABASE_URL');
    }
    expect(existsSync(marker)).toBe(!name.endsWith('not'));
    const again = createClient({ baseUrl: (await startService(own)).baseUrl, token });
    expect((await again.downloadWorkFile(dealV2.partner_id, file.id)).isOk()).toBe(true);
  });
});

describe('the command line with DATABASE_URL', () => {
  it('takes over what a folder held, and keeps it in PostgreSQL', async () => {
    const key = { idempotencyKey: 'key' };
    const content = new Uint8Array(70_000).fill(7);
    const first = await startService(inFolder());
    const api = createClient({ baseUrl: first.baseUrl, token });
    expect((await api.registerContractor(contractor, key)).isOk()).toBe(true);
    const created = (await api.createDeal(deal, key))._unsafeUnwrap();
    expect((await api.uploadFile({ id: created.id }, { name: 'draft', content }, key)).isOk()).toBe(
      true,
    );

    const { url } = await postgres.createDatabase();
    const { stdout } = await run(['dump', '--quiet'], inFolder()).ended;
    const restored = await run(['restore', '-'], inPostgres(url), stdout).ended;
    expect(restored.stderr).toMatch(
      /^dealwright: restored 10 records, 1 files from stdin; they are in PostgreSQL at 127\.0\.0\.1:\d+\/\S+, work files in \S+\n$/,
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
    // another deal, its stage, its answer and its event
    expect(dumped.stdout.split('\n').length).toBe(stdout.split('\n').length + 4);
  });

  it('migrates, and says if it was not migrated', async () => {
    const { url } = await postgres.createDatabase();
    const settings = inPostgres(url);
    const unmigrated = await run(['serve', '--no-migrate'], { ...settings, PORT: '0' }).ended;
    expect(unmigrated.code).toBe(1);
    expect(unmigrated.stderr).toMatch(
      /migrations are missing \(1, 2, 3, 4, 5, 6, 7\): run dealwright migrate; or serve without --no-migrate\n$/,
    );
    const migrated = await run(['migrate'], settings).ended;
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^Applied steps? 1.* to the database in PostgreSQL at /);
    const again = await run(['migrate'], settings).ended;
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to do/) });
    const { stdout } = await run(['migrate', '--print'], settings).ended;
    expect(stdout).toMatch(/^-- dealwright, migration 1/);
  });

  it('changes nothing by a dump', async () => {
    const database = await postgres.createDatabase();
    const settings = { ...inPostgres(database.url), DEALWRIGHT_DATA: join(folder, 'dumped') };
    const unmigrated = await run(['dump'], settings).ended;
    expect(unmigrated).toMatchObject({ code: 1, stdout: '' });
    expect(unmigrated.stderr).toMatch(
      /migrations are missing \(1, 2, 3, 4, 5, 6, 7\): run dealwright migrate\n$/,
    );
    const schemas = `select count(*) from pg_namespace where nspname = 'dealwright'`;
    expect((await postgres.psql(schemas, database)).trim()).toBe('0');
    expect(existsSync(settings.DEALWRIGHT_DATA)).toBe(false);

    expect((await run(['migrate'], inPostgres(database.url)).ended).code).toBe(0);
    const dumped = await run(['dump'], settings).ended;
    expect(dumped).toMatchObject({ code: 0, stderr: expect.stringContaining('dumped 0 records') });
    expect(existsSync(settings.DEALWRIGHT_DATA)).toBe(false);
    const later = `insert into dealwright.migrations (number, name, checksum, attempt)
      values (99, 'x', 'x', 'x')`;
    await postgres.psql(later, database);
    const newer = await run(['dump'], settings).ended;
    expect(newer).toMatchObject({ code: 1, stdout: '' });
    expect(newer.stderr).toMatch(
      /is not used: the database has migration 99 .*: use a newer one\n$/,
    );
    const served = await run(['serve', '--no-migrate'], { ...settings, PORT: '0' }).ended;
    expect(served).toMatchObject({ code: 1, stdout: '' });
    expect(served.stderr).toMatch(
      /is not used: the database has migration 99 .*: use a newer one\n$/,
    );
  });

  it('needs the rights that it names, and only to read for a dump', async () => {
    const database = await postgres.createDatabase();
    expect((await run(['migrate'], inPostgres(database.url)).ended).code).toBe(0);
    const grant = (rights: string) =>
      postgres.psql(`grant ${rights} on all tables in schema dealwright to reader`, database);
    await postgres.psql(
      'create role reader login; grant usage on schema dealwright to reader',
      database,
    );
    await grant('select');
    const settings = inPostgres(database.url.replace('postgres@', 'reader@'));
    expect((await run(['dump', '--quiet'], settings).ended).code).toBe(0);
    const refused = await run(['serve'], { ...settings, PORT: '0' }).ended;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const needed =
      'grant select, insert and update on all tables, and execute on all functions, in the schema dealwright';
    const all = [
      ...['answers', 'consumers', 'contractor_payments', 'contractors', 'deals', 'deliveries'],
      ...['employer_payments', 'events', 'ids', 'intents', 'payment_reports', 'postings'],
      ...['proposals', 'sandbox_clocks', 'stages', 'store', 'tenants', 'terms'],
      ...['unmatched_reports', 'webhooks', 'work_files'],
    ].join(', ');
    expect(refused.stderr).toContain(`its role may not read and write ${all}: ${needed}`);
    await grant('select, insert, update');
    await postgres.psql('revoke update on dealwright.ids from reader', database);
    const started = await run(['serve'], { ...settings, PORT: '0' }).ended;
    expect(started).toMatchObject({ code: 1, stdout: '' });
    expect(started.stderr).toContain(`its role may not read and write ids: ${needed}`);
    await grant('select, insert, update');
    const without = await run(['serve'], { ...settings, PORT: '0' }).ended;
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain(`its role may not read and write ids: ${needed}`);
    await postgres.psql('grant execute on all functions in schema dealwright to reader', database);
    await postgres.psql('revoke insert, update on dealwright.migrations from reader', database);
    const service = await startService(settings);
    const api = createClient({ baseUrl: service.baseUrl, token });
    expect((await api.registerContractor(contractor)).isOk()).toBe(true);
    const { id } = (await api.createDeal(deal))._unsafeUnwrap();
    expect((await api.createDealV2({ ...dealV2, partner_id: 'v2' })).isOk()).toBe(true);
    const file = { name: 'draft', content: new Uint8Array(3) };
    expect((await api.uploadFile({ id }, file)).isOk()).toBe(true);
  });

  it('says that a dump broke off with the network, and leaves no half of it', async () => {
    const { url } = await postgres.createDatabase();
    expect((await run(['migrate'], inPostgres(url)).ended).code).toBe(0);
    const forwarder = await startForwarder(postgres.port);
    const address = new URL(url);
    address.port = String(forwarder.port);
    const into = await mkdtemp(join(folder, 'dumps-'));
    let answers = 0;
    let wasThere = false;
    forwarder.decide((direction) => {
      wasThere ||= readdirSync(into).length > 0;
      if (wasThere && direction === 'down') answers += 1;
      // by then the cursor of the dump is open, and an answer is awaited
      return answers > 6 ? 'reset' : 'pass';
    });
    const args = ['dump', '--out', join(into, 'deals.ndjson')];
    const ended = await run(args, inPostgres(address.href)).ended;
    await forwarder.stop();
    expect(wasThere).toBe(true);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^dealwright: the dump is not complete: [^\n]+\n$/);
    expect(readdirSync(into)).toEqual([]);
  });

  it('distributes the tables of a cluster, and gathers by node there', async () => {
    const database = await postgres.createDatabase();
    const settings = { ...inPostgres(database.url), DEALWRIGHT_TOKENS: tokensOfTwo };
    const plain = await run(['migrate', '--distribute'], settings).ended;
    expect(plain).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Applied step/),
      stderr:
        'dealwright: the database of DATABASE_URL is not used: the server has no Citus: nothing is distributed\n',
    });
    await postgres.psql(watchedInserts, database);
    expect(await gatheredBy(settings, database)).toEqual(['all']);

    await postgres.psql(`${citusStandIn} truncate watched`, database);
    const distributed = await run(['migrate', '--distribute'], settings).ended;
    expect(distributed).toMatchObject({ code: 0, stderr: '' });
    expect(distributed.stdout).toMatch(
      /^Nothing to do: .*\nDistributed contractors, .*, events, commit_one_\w+, commit_node_\w+, read_node_\w+ over the cluster\n$/,
    );
    const again = await run(['migrate', '--distribute'], settings).ended;
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(
      /\nNothing to distribute: the cluster has every table and function\n$/,
    );
    expect(await gatheredBy(settings, database)).toEqual(['node']);
  });

  it('prints the distribution after the steps, and refuses it without PostgreSQL', async () => {
    const { url } = await postgres.createDatabase();
    const { stdout } = await run(['migrate', '--print', '--distribute'], inPostgres(url)).ended;
    const empty = await postgres.createDatabase();
    await postgres.psql(`${citusStandIn} ${stdout}`, empty);
    // all tables except that of integers
    const count = await postgres.psql('select count(*) from pg_dist_partition', empty);
    expect(count.trim()).toBe('20');
    const refused = await run(['migrate', '--distribute'], inFolder()).ended;
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/only PostgreSQL is distributed: DATABASE_URL names/);
  });
});

const tokensOfTwo = `${token}=sandbox:acme,${token}-2=sandbox:bolt`;

/** Writes down the statements that insert deals. */
const watchedInserts = `
create table watched (sql text);
create function watch() returns trigger language plpgsql as $$
begin insert into watched values (current_query()); return null; end $$;
create trigger watch after insert on dealwright.deals for each statement execute function watch();`;

/** How deals of two tenants were committed together: by a call for their node, or not. */
async function gatheredBy(
  settings: Record<string, string>,
  database: DatabaseAddress,
): Promise<readonly string[]> {
  const service = await startService(settings);
  const [one, two] = [token, `${token}-2`].map((each) =>
    createClient({ baseUrl: service.baseUrl, token: each }),
  );
  const sql = `select distinct case when sql like '%.commit_node_%' then 'node' else 'all' end
    from watched where sql not like '%.commit_one_%'`;
  let seen = '';
  // on a busy machine they may come one by one, and then they are not gathered
  for (let round = 0; round < 50 && seen === ''; round += 1) {
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const partner_id = `${service.port}-${round}-${n}`;
        return (n % 2 === 0 ? one : two)?.createDealV2({ ...dealV2, partner_id });
      }),
    );
    expect(created.every((each) => each?.isOk())).toBe(true);
    seen = (await postgres.psql(sql, database)).trim();
  }
  service.child.kill('SIGTERM');
  await service.ended;
  return seen.split('\n');
}
