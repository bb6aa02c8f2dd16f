import type { Tenant } from 'dealwright/ports';
import type { StatementReport } from 'dealwright/postgres';
import { createPostgresStore, fromPgNotifications, transactionAfter } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acme, addition, additionOf, committed } from '../../sql/writes.js';
import { type Host, startHost } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await startHost();
}, 120_000);
afterAll(() => host?.close());
beforeEach(() => host.clear());

const order = (id: string) => `insert into orders (id) values ('${id}')`;

/** Runs work between BEGIN and the given end. */
async function within<T>(work: (client: pg.PoolClient) => Promise<T>, end = 'commit'): Promise<T> {
  const client = await host.pool.connect();
  try {
    await client.query('begin');
    const answer = await work(client);
    await client.query(end);
    return answer;
  } finally {
    client.release();
  }
}

describe('a store within a transaction', () => {
  it('refuses a connection that is not within one, and writes nothing', async () => {
    const write = await addition(host.store, '1');
    const failure = (await host.store.within(host.pool).commit(acme, write))._unsafeUnwrapErr();
    expect([failure.retryable, Object(failure.cause).message]).toEqual([
      false,
      'the connection is not within a transaction: begin one first (25P01)',
    ]);
    expect(await host.found()).toEqual({ rows: [], deals: [] });
  });

  it('refuses what is not a connection', () => {
    const no: object = {};
    expect(() => host.store.within(no as pg.Pool)).toThrow(
      new TypeError('within: the connection has no query()'),
    );
  });

  it('makes writes that come at the same time one after the other', async () => {
    const outcomes = await within(async (client) => {
      const store = host.store.within(client);
      const other = host.store.within(client);
      const ids = ['1', '2', '3', '4', '2'];
      const writes = await Promise.all(ids.map((id) => addition(store, id)));
      return Promise.all(
        writes.map((write, at) => (at % 2 === 0 ? store : other).commit(acme, write)),
      );
    });
    const made = outcomes.map((outcome) => outcome._unsafeUnwrap().outcome);
    expect(made).toEqual([...Array(4).fill('committed'), 'refused']);
    expect((await host.found()).deals).toEqual(['1', '2', '3', '4']);
  });

  it("puts the host's own lock_timeout back", async () => {
    const seen = await within(async (client) => {
      await client.query("set local lock_timeout = '1234ms'");
      const store = host.store.within(client);
      (await store.commit(acme, await addition(store, '1')))._unsafeUnwrap();
      const made = await client.query('show lock_timeout');
      (await store.commit(acme, await addition(store, '1')))._unsafeUnwrap();
      const refused = await client.query('show lock_timeout');
      return [made, refused].map(({ rows: [row] }) => row.lock_timeout);
    });
    expect(seen).toEqual(['1234ms', '1234ms']);
  });

  it('leaves the transaction usable if the database refuses a value', async () => {
    await within(async (client) => {
      await client.query(order('1'));
      const store = host.store.within(client);
      const write = additionOf(901, '1', { title: '\0' });
      const failure = (await store.commit(acme, write))._unsafeUnwrapErr();
      expect(transactionAfter(failure)).toBe('usable');
      expect(failure).toMatchObject({ outcome: 'none', retryable: false });
      expect(Object(failure.cause).message).toMatch(/the transaction is as it was/);
    });
    expect(await host.found()).toEqual({ rows: ['1'], deals: [] });
  });

  it('says that a transaction takes no writes', async () => {
    await within(async (client) => {
      await client.query('set transaction read only');
      const failure = await host.store.within(client).commit(acme, additionOf(901, '1'));
      expect(Object(failure._unsafeUnwrapErr().cause).message).toMatch(/read-only.*25006.*roll/);
    }, 'rollback');
  });

  it('is lost if a read fails', async () => {
    await within(async (client) => {
      const store = createPostgresStore(host.pool, { schema: 'missing' }).within(client);
      const failure = (await store.tenants(undefined, 1))._unsafeUnwrapErr();
      expect(transactionAfter(failure)).toBe('lost');
      expect(failure.retryable).toBe(false);
    }, 'rollback');
  });

  it('is lost if no answer comes in time, and it is not known what the server did', async () => {
    const store = createPostgresStore(host.pool, { statementTimeout: 50, lockTimeout: 49 });
    const client = new pg.Client({ connectionString: host.server.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    void client.query('select pg_sleep(1)').catch(() => undefined);
    const write = await addition(host.store, '1');
    const failure = (await store.within(client).commit(acme, write))._unsafeUnwrapErr();
    expect(transactionAfter(failure)).toBe('lost');
    expect(failure).toMatchObject({ outcome: 'unknown', retryable: true });
    await client.query('rollback');
    await client.end();
  });

  it('tells others of its events when it is committed, and not before', async () => {
    const connect = () => new pg.Client({ connectionString: host.server.url });
    const store = createPostgresStore(host.pool, { notifications: fromPgNotifications(connect) });
    const heard: (string | undefined)[] = [];
    let onHeard = () => {};
    const stop = store.watch?.((tenant) => {
      heard.push(tenant?.partner);
      onHeard();
    });
    const hearing = () =>
      new Promise<void>((resolve) => {
        onHeard = resolve;
      });
    try {
      // when it begins to listen, it reports that events may have come
      await hearing();
      heard.length = 0;
      await within(async (client) => {
        const own = store.within(client);
        (await own.commit(acme, await addition(own, '1')))._unsafeUnwrap();
      }, 'rollback');
      const told = hearing();
      await within(async (client) => {
        const own = store.within(client);
        (await own.commit(acme, await addition(own, '2')))._unsafeUnwrap();
        await client.query('select pg_sleep(0.1)');
        expect(heard).toEqual([]);
      });
      await told;
      expect(heard).toEqual(['acme']);
    } finally {
      stop?.();
    }
  });

  it('keeps writes of its tenant waiting, and not those of other tenants', async () => {
    // gathered, over fewer connections than waiting writes
    const store = createPostgresStore(host.pool);
    const others = ['b', 'c', 'd'].map((partner) => ({ environment: 'sandbox', partner }) as const);
    const create = async (tenant: Tenant, id: string) =>
      store.commit(tenant, await addition(store, id));
    const isOver: string[] = [];
    const same = await within(async (client) => {
      const own = store.within(client);
      (await own.commit(acme, await addition(own, 'own')))._unsafeUnwrap();
      const waiting: ReturnType<typeof create>[] = [];
      for (const round of ['1', '2', '3']) {
        for (const at of ['a', 'b', 'c', 'd']) {
          const made = create(acme, `${round}${at}`);
          waiting.push(made);
          void made.then(() => isOver.push(round));
        }
        const made = await Promise.all(others.map((tenant) => create(tenant, round)));
        expect(made.map((each) => each._unsafeUnwrap())).toEqual(others.map(() => committed));
      }
      expect(isOver).toEqual([]);
      // in an object, so that they are not awaited before the commit
      return { waiting };
    });
    const answers = await Promise.all(same.waiting);
    expect(answers.map((each) => each._unsafeUnwrap())).toEqual(answers.map(() => committed));
    expect((await create(acme, 'last'))._unsafeUnwrap()).toEqual(committed);
    expect((await host.found()).deals).toHaveLength(9 + 12 + 2);
  });

  it('reports its writes and reads to the hooks', async () => {
    const reports: StatementReport[] = [];
    const onStatement = (report: StatementReport) => void reports.push(report);
    const store = createPostgresStore(host.pool, { hooks: { onStatement } });
    await within(async (client) => {
      const own = store.within(client);
      expect((await own.commit(acme, additionOf(901, '1')))._unsafeUnwrap()).toEqual(committed);
      (await own.deals.byPartnerId(acme, '1', []))._unsafeUnwrap();
    });
    expect(reports.map(({ statement, rows }) => [statement, rows])).toEqual([
      ['commit', 1],
      ['deals.byPartnerId', 1],
    ]);
  });
});
