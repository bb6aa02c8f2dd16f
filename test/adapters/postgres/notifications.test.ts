import { PGlite } from '@electric-sql/pglite';
import type { Tenant } from 'dealwright/ports';
import {
  createPostgresStore,
  fromPglite,
  fromPgliteNotifications,
  fromPgNotifications,
  fromPostgresJs,
  fromPostgresJsNotifications,
  type NotificationsLike,
  type PostgresLike,
} from 'dealwright/postgres';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { channelOf, tenantsOf } from '../../../adapters/postgres/read/notifications.js';
import { acme, acmeLive, globex } from '../../../spec/store/subject.js';
import { registration } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, createTables } from './tables.js';

let server: Postgres;
let pools: pg.Pool[];
const ending: (() => unknown)[] = [];
/** A long name, which a server would change without quotes. */
const schema = `d${'x'.repeat(62)}`;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pools = [1, 2].map(() => new pg.Pool({ connectionString: server.socketUrl, max: 3 }));
  for (const each of ['dealwright', schema]) {
    await createTables((sql) => (pools[0] as pg.Pool).query(sql), each);
  }
}, 120_000);
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await clearTables((sql) => (pools[0] as pg.Pool).query(sql), 'dealwright');
});
afterAll(async () => {
  await Promise.all((pools ?? []).map((pool) => pool.end()));
  await server?.stop();
});

const newClient = () => new pg.Client({ connectionString: server.socketUrl });
const listeners = () => ({
  'a client of node-postgres': fromPgNotifications(newClient),
  'a connection of its pool': fromPgNotifications(() => (pools[1] as pg.Pool).connect()),
  'postgres.js': (() => {
    const url = new URL(server.url);
    const sql = postgres({ host: '127.0.0.1', port: Number(url.port), user: 'postgres', max: 1 });
    ending.push(() => sql.end());
    return fromPostgresJsNotifications(sql);
  })(),
});

/** The notifications of a store. */
function watched(db: PostgresLike, options: Parameters<typeof createPostgresStore>[1]) {
  const store = createPostgresStore(db, options);
  const told: (Tenant | undefined)[] = [];
  const stop = store.watch?.((tenant) => void told.push(tenant));
  ending.unshift(() => stop?.());
  return { store, told, stop };
}

/** Waits until it listens, which it reports as a log that may have grown. */
async function listening(told: (Tenant | undefined)[]) {
  await expect.poll(() => told).toContain(undefined);
  told.length = 0;
}

const backends = async () => {
  const { rows } = await (pools[0] as pg.Pool).query<{ pid: number }>(
    `select pid from pg_stat_activity where query ilike 'listen %' and state = 'idle'`,
  );
  return rows.map(({ pid }) => pid);
};

describe.each(['a client of node-postgres', 'a connection of its pool', 'postgres.js'] as const)(
  'a store that listens by %s',
  (name) => {
    it('hears whose logs another store has written to', async () => {
      const { told } = watched(pools[1] as pg.Pool, { notifications: listeners()[name] });
      await listening(told);
      const other = createPostgresStore(pools[0] as pg.Pool, { notify: true });
      (await other.commit(acme, registration('one')))._unsafeUnwrap();
      await expect.poll(() => told).toEqual([acme]);
      const tenants = [acme, globex, acmeLive, { ...acme, partner: 'żółć 😀 "\\' }];
      await Promise.all(tenants.map((each, at) => other.commit(each, registration(`${at} two`))));
      await expect.poll(() => told).toEqual(expect.arrayContaining(tenants));
      const more = told.length;
      (await other.commit(acme, registration('one')))._unsafeUnwrap();
      (await other.commit(acme, registration('last')))._unsafeUnwrap();
      await expect.poll(() => told.length).toBeGreaterThan(more);
    });

    it('listens again if its connection is lost, and says that it may have missed some', async () => {
      const { told } = watched(pools[1] as pg.Pool, { notifications: listeners()[name] });
      await listening(told);
      // that of the test before may still be ending
      await expect.poll(backends).toHaveLength(1);
      const [pid] = await backends();
      await (pools[0] as pg.Pool).query('select pg_terminate_backend($1)', [pid]);
      await listening(told);
      expect(await backends()).not.toContain(pid);
      const other = createPostgresStore(pools[0] as pg.Pool, { notify: true });
      (await other.commit(globex, registration('after')))._unsafeUnwrap();
      await expect.poll(() => told).toContainEqual(globex);
    });

    it('ends its connection once it is not watched', async () => {
      const { told, stop } = watched(pools[1] as pg.Pool, { notifications: listeners()[name] });
      await listening(told);
      stop?.();
      if (name !== 'postgres.js') await expect.poll(backends).toEqual([]);
      const other = createPostgresStore(pools[0] as pg.Pool, { notify: true });
      const heard = watched(pools[1] as pg.Pool, { notifications: fromPgNotifications(newClient) });
      await listening(heard.told);
      (await other.commit(acme, registration('unheard')))._unsafeUnwrap();
      await expect.poll(() => heard.told).toEqual([acme]);
      expect(told).toEqual([]);
    });
  },
);

describe('a store that notifies', () => {
  it('tells its own watchers once, and at once', async () => {
    const { store, told } = watched(pools[0] as pg.Pool, {
      notifications: fromPgNotifications(newClient),
    });
    const other = watched(pools[1] as pg.Pool, { notifications: fromPgNotifications(newClient) });
    await listening(told);
    await listening(other.told);
    (await store.commit(acme, registration()))._unsafeUnwrap();
    await undefined;
    expect(told).toEqual([acme]);
    await expect.poll(() => other.told).toEqual([acme]);
    (await other.store.commit(globex, registration('another')))._unsafeUnwrap();
    await expect.poll(() => told).toEqual([acme, globex]);
  });

  it('sends few statements for many writes, and none within them', async () => {
    const sent: { text: string; values?: unknown[] }[] = [];
    const db: PostgresLike = {
      query(statement) {
        sent.push(statement);
        return (pools[0] as pg.Pool).query(statement);
      },
    };
    const listener = watched(pools[1] as pg.Pool, {
      notifications: fromPgNotifications(newClient),
    });
    await listening(listener.told);
    const store = createPostgresStore(db, { notify: true, gather: false });
    const tenants = Array.from({ length: 300 }, (_, at) => ({
      ...acme,
      partner: `${at} ${'long '.repeat(20)}`,
    }));
    const writes = tenants.map((each, at) => store.commit(each, registration(`${at}`)));
    for (const answer of await Promise.all(writes)) answer._unsafeUnwrap();
    const told = () =>
      tenants.every((each) =>
        listener.told.some((tenant) => tenant === undefined || tenant.partner === each.partner),
      );
    await expect.poll(told).toBe(true);
    const notified = sent.filter(({ text }) => text.includes('pg_notify'));
    expect(sent).toHaveLength(300 + notified.length);
    expect(notified.length).toBeLessThan(150);
    for (const { values = [] } of notified) {
      expect(Buffer.byteLength(String(values[1]))).toBeLessThan(8_000);
    }
  });

  it('commits though it cannot notify, and cannot listen', async () => {
    let tries = 0;
    const notifications: NotificationsLike = {
      listen: async () => {
        tries += 1;
        throw new Error('a test does not listen');
      },
    };
    const db: PostgresLike = {
      query: (statement) =>
        statement.text.includes('pg_notify')
          ? Promise.reject(new Error('a test does not notify'))
          : (pools[0] as pg.Pool).query(statement),
    };
    const { store, told, stop } = watched(db, { notifications });
    (await store.commit(acme, registration('one')))._unsafeUnwrap();
    (await store.commit(acme, registration('two')))._unsafeUnwrap();
    await expect.poll(() => told).toEqual([acme, acme]);
    await expect.poll(() => tries).toBeGreaterThan(2);
    stop?.();
  });

  it('sends nothing if it is not watched', async () => {
    const sent: string[] = [];
    const db: PostgresLike = {
      query(statement) {
        sent.push(statement.text);
        return (pools[0] as pg.Pool).query(statement);
      },
    };
    const { store, told } = watched(db, {});
    (await store.commit(acme, registration()))._unsafeUnwrap();
    await expect.poll(() => told).toEqual([acme]);
    expect(sent).toHaveLength(1);
  });

  it('keeps schemas apart, also those with names as long as there are', async () => {
    const options = { schema, notifications: fromPgNotifications(newClient) };
    const [own, others] = [
      watched(pools[1] as pg.Pool, options),
      watched(pools[1] as pg.Pool, { notifications: fromPgNotifications(newClient) }),
    ];
    await listening(own.told);
    await listening(others.told);
    const writers = ['dealwright', schema].map((each) =>
      createPostgresStore(pools[0] as pg.Pool, { schema: each, notify: true }),
    );
    (await writers[1]?.commit(globex, registration()))?._unsafeUnwrap();
    (await writers[0]?.commit(acme, registration()))?._unsafeUnwrap();
    await expect.poll(() => own.told).toEqual([globex]);
    await expect.poll(() => others.told).toEqual([acme]);
    const names = ['dealwright', schema, `${schema.slice(1)}y`].map(channelOf);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^dealwright_\w{1,52}$/);
  });
});

it('several stores over one PGlite hear of each other', async () => {
  const db = await PGlite.create();
  await createTables((sql) => db.exec(sql), 'dealwright');
  const notifications = fromPgliteNotifications(db);
  const { told } = watched(fromPglite(db), { notifications });
  await listening(told);
  const other = createPostgresStore(fromPglite(db), { notifications });
  (await other.commit(acme, registration()))._unsafeUnwrap();
  await expect.poll(() => told).toEqual([acme]);
  for (const end of ending.splice(0)) await end();
  await db.close();
});

it('postgres.js sends and listens by one pool', async () => {
  const { port } = server;
  const sql = postgres({ host: '127.0.0.1', port, user: 'postgres', max: 2 });
  const { store, told } = watched(fromPostgresJs(sql), {
    notifications: fromPostgresJsNotifications(sql),
  });
  await listening(told);
  (await store.commit(acme, registration()))._unsafeUnwrap();
  await expect.poll(() => told).toEqual([acme]);
  for (const end of ending.splice(0)) await end();
  await sql.end();
});

it.each(['', 'null', '{}', '[]', 'text', '{"from":"a","tenants":["nobody"]}'])(
  'takes what no store sends for any tenant: %s',
  (payload) => {
    expect(tenantsOf(payload, 'own')).toEqual([undefined]);
  },
);
