import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2 } from '../kit/requests.js';
import { apiOf, must, useDataFolder } from './data-folder.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';
import { eventOf, startReceiver, until } from './receiver.js';

const { data, environment } = useDataFolder();
const isPrivate = { DEALWRIGHT_WEBHOOK_PRIVATE: '1' };
const keyFile = () => join(data(), 'webhook-keys');

let receiver: Awaited<ReturnType<typeof startReceiver>>;
afterEach(async () => {
  stopAll();
  await receiver?.close();
});

const create = async (service: RunningService, partner_id: string) =>
  must(await apiOf(service).createDealV2({ ...dealV2, partner_id }));

async function stop({ child, ended }: RunningService) {
  child.kill('SIGTERM');
  return ended;
}

describe('serve', () => {
  it('posts webhooks, with a key that the first start makes for this user alone', async () => {
    receiver = await startReceiver();
    const first = await startService({ ...environment(), ...isPrivate });
    const { secret } = must(await apiOf(first).createWebhook({ url: receiver.url }));
    await create(first, 'one');
    const [webhook] = await receiver.arrived(1);
    expect(await eventOf(webhook, secret)).toMatchObject({ subject: 'deal:one' });
    expect(await stop(first)).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    const keys = readFileSync(keyFile(), 'utf8');
    expect(keys).toMatch(/^k1=[\w-]{43}\n$/);
    expect(first.said().stdout).not.toContain(keys.slice(3, -1));

    const second = await startService({ ...environment(), ...isPrivate });
    await create(second, 'two');
    const [, next] = await receiver.arrived(2);
    expect(await eventOf(next, secret)).toMatchObject({ subject: 'deal:two' });
    expect(await stop(second)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(keyFile(), 'utf8')).toBe(keys);
  });

  it('posts to no private address, unless it is told to', async () => {
    const service = await startService(environment());
    const refused = await apiOf(service).createWebhook({ url: 'http://127.0.0.1:1/hooks' });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['url'], code: 'address_not_allowed' }],
    });
  });

  it('posts to the ports that it is told, and to no others', async () => {
    const service = await startService({
      ...environment(),
      DEALWRIGHT_WEBHOOK_PORTS: '8443, 9443',
    });
    const create = (port: number) =>
      apiOf(service).createWebhook({ url: `https://hooks.example.com:${port}/` });
    for (const port of [443, 8443, 9443]) must(await create(port));
    expect((await create(8444))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['url'], code: 'port_not_allowed' }],
    });
  });

  it.each(['', '0', '65536', '8443,', 'https', '8443;9443'])(
    'refuses the ports %j',
    async (DEALWRIGHT_WEBHOOK_PORTS) => {
      const settings = { ...environment(), DEALWRIGHT_WEBHOOK_PORTS, PORT: '0' };
      const { code, stderr } = await run(['serve'], settings).ended;
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^dealwright: DEALWRIGHT_WEBHOOK_PORTS takes ports from 1 to 65535, with commas between them\n/,
      );
    },
  );

  it.each(['', 's3cret', 'k1=s3cret', `k1=${'A'.repeat(44)}`, `k1=${'A'.repeat(43)},`])(
    'refuses the keys %j without repeating them',
    async (keys) => {
      const settings = { ...environment(), DEALWRIGHT_WEBHOOK_KEYS: keys, PORT: '0' };
      const { code, stdout, stderr } = await run(['serve'], settings).ended;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^dealwright: DEALWRIGHT_WEBHOOK_KEYS is not names and keys such as /);
      expect(stderr).not.toMatch(/s3cret|AAAA/);
    },
  );

  it('refuses a file of keys that is not one, without repeating it', async () => {
    await stop(await startService(environment()));
    writeFileSync(keyFile(), 'k1=s3cret\n');
    const { code, stderr } = await run(['serve'], { ...environment(), PORT: '0' }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`the file ${keyFile()} is not names and keys`);
    expect(stderr).not.toContain('s3cret');
  });
});

describe('serve over PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  it('posts what another service wrote, and listens for as long as it runs', async () => {
    receiver = await startReceiver();
    const database = await postgres.createDatabase();
    const settings = { ...environment(), ...isPrivate, DATABASE_URL: database.url };
    const [one, two] = [await startService(settings), await startService(settings)];
    const { secret } = must(await apiOf(one).createWebhook({ url: receiver.url }));
    for (const [at, service] of [one, two].entries()) await create(service, `deal-${at}`);
    const events = await Promise.all(
      (await receiver.arrived(2)).map((each) => eventOf(each, secret)),
    );
    const subjects = events.map((event) => 'subject' in event && event.subject);
    expect(subjects.sort()).toEqual(['deal:deal-0', 'deal:deal-1']);
    const listeners = async () => {
      const text = `select count(*) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`;
      return (await postgres.psql(text, database)).trim();
    };
    await expect.poll(listeners).toBe('2');
    expect(await stop(one)).toMatchObject({ code: 0, stderr: '' });
    expect(await stop(two)).toMatchObject({ code: 0, stderr: '' });
    let left = '2';
    while (left !== '0') left = await listeners();
  });

  it('tells of a relay that fails, in a line of JSON, and goes on once it works again', async () => {
    receiver = await startReceiver();
    const database = await postgres.createDatabase();
    const settings = { ...environment(), ...isPrivate, DATABASE_URL: database.url };
    const service = await startService(settings);
    const { id } = must(await apiOf(service).createWebhook({ url: receiver.url }));
    await postgres.psql('alter table dealwright.consumers rename to hidden', database);
    await create(service, 'one');
    const told = () =>
      service
        .said()
        .stderr.split('\n')
        .filter((line) => line.includes('webhooks_failed'));
    await until(() => told().length > 0, service.said);
    const line = JSON.parse(told()[0] ?? '');
    expect(line).toMatchObject({ level: 'error', code: 'webhooks_failed', partner: 'acme' });
    expect(line.consumer ?? `webhook:${id}`).toBe(`webhook:${id}`);
    expect(line.cause).toContain('42P01');
    await postgres.psql('alter table dealwright.hidden rename to consumers', database);
    const [webhook] = await receiver.arrived(1);
    expect(webhook?.body).toContain('deal:one');
    expect((await stop(service)).code).toBe(0);
  });
});
