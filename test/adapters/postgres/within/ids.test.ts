import { PGlite } from '@electric-sql/pglite';
import type { Environment, Store } from 'dealwright/ports';
import { createPostgresStore, fromPglite, transactionAfter } from 'dealwright/postgres';
import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acme, addition, committed, registration } from '../../sql/writes.js';
import { createTables, lastIdSql } from '../tables.js';
import { type Host, startHost } from './host.js';

let host: Host;
let clients: readonly pg.Client[];
beforeAll(async () => {
  host = await startHost();
  clients = Array.from({ length: 3 }, () => new pg.Client(host.server.url));
  for (const client of clients) await client.connect();
}, 120_000);
afterAll(async () => {
  for (const client of clients) await client.end();
  await host?.close();
});
beforeEach(() => host.clear());
// a store requests its next block ahead, which must not come in the next test
afterEach(() => expect.poll(() => isIdle(host.pool)).toBe(true));

const isIdle = ({ idleCount, totalCount, waitingCount }: pg.Pool) =>
  waitingCount === 0 && idleCount === totalCount;

/** A store of a process that has just started, and has no ids. */
const coldStore = () => createPostgresStore(host.pool, { idBlock: 3 });

/** A store in a transaction that is never committed: only it sees its own writes. */
async function begin(client: pg.Client, level = 'read committed'): Promise<Omit<Store, 'watch'>> {
  await client.query(`begin isolation level ${level}`);
  // from here on a transaction has its view of the database
  await client.query('select 1 from dealwright.ids');
  return coldStore().within(client);
}

const [first, second] = [() => clients[0] as pg.Client, () => clients[1] as pg.Client];

describe('ids within a transaction', () => {
  it.each(['read committed', 'repeatable read', 'serializable'])(
    'lock nothing that others need while it is open, in %s',
    async (level) => {
      const own = await begin(first(), level);
      const other = await begin(second(), level);
      const taken = [
        await own.reserve('sandbox', 2),
        await other.reserve('sandbox', 2),
        await coldStore().reserve('sandbox', 2),
        await own.reserve('sandbox', 2),
      ].map((answer) => answer._unsafeUnwrap());
      await first().query('rollback');
      await second().query('commit');
      taken.push((await coldStore().reserve('sandbox', 2))._unsafeUnwrap());
      const ids = taken.flatMap((id) => [id, id + 1]);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it('are given once, to any transaction, committed or rolled back', async () => {
    const client = fc.nat(2);
    const environment = fc.constantFrom<Environment>('production', 'sandbox');
    const step = fc.oneof(
      fc.record({ does: fc.constant('begin' as const), client, environment }),
      fc.record({
        does: fc.constantFrom('commit' as const, 'rollback' as const),
        client,
        environment,
      }),
      fc.record({ does: fc.constant('within' as const), client, environment }),
      fc.record({ does: fc.constant('outside' as const), client, environment }),
    );
    const level = fc.constantFrom('read committed', 'repeatable read', 'serializable');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.integer({ min: 1, max: 7 })), { minLength: 5, maxLength: 40 }),
        level,
        async (steps, isolation) => {
          const given = { production: new Set<number>(), sandbox: new Set<number>() };
          const open = new Map<number, Omit<Store, 'watch'>>();
          const outside = coldStore();
          const end = async (at: number, how: string) => {
            if (open.delete(at)) await clients[at]?.query(how);
          };
          for (const [{ does, client: at, environment: where }, count] of steps) {
            const within = open.get(at);
            if (does === 'begin' && within === undefined) {
              open.set(at, await begin(clients[at] as pg.Client, isolation));
            } else if (does === 'commit' || does === 'rollback') {
              await end(at, does);
            } else if (does === 'within' || does === 'outside') {
              const store = does === 'within' ? within : outside;
              if (store === undefined) continue;
              const from = (await store.reserve(where, count))._unsafeUnwrap();
              for (let id = from; id < from + count; id += 1) {
                expect(given[where].has(id)).toBe(false);
                given[where].add(id);
              }
            }
          }
          for (const at of [...open.keys()]) await end(at, 'rollback');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('leave a million out if the server is another one than that of the last block', async () => {
    (await coldStore().reserve('sandbox', 1))._unsafeUnwrap();
    await host.pool.query("update dealwright.ids set server_started = '2000-01-01'");
    const own = await begin(first());
    const taken = (await own.reserve('sandbox', 2))._unsafeUnwrap();
    await first().query('rollback');
    expect(taken).toBeGreaterThan(1_000_000);
  });

  it('leave the transaction usable if none is left', async () => {
    await host.pool.query(lastIdSql('dealwright', 'sandbox', '9007199254740989').join('\n'));
    const own = await begin(first());
    const failure = (await own.reserve('sandbox', 3))._unsafeUnwrapErr();
    expect(transactionAfter(failure)).toBe('usable');
    expect(failure).toMatchObject({ outcome: 'none', retryable: false });
    expect(String(failure.cause)).toContain('all ids are given out');
    expect((await own.reserve('sandbox', 2))._unsafeUnwrap()).toBe(9007199254740990);
    await first().query('commit');
  });

  it('need a transaction that has not failed', async () => {
    const own = await begin(first());
    await first()
      .query('select 1 / 0')
      .catch(() => undefined);
    const failure = (await own.reserve('sandbox', 1))._unsafeUnwrapErr();
    await first().query('rollback');
    expect(transactionAfter(failure)).toBe('lost');
    expect(Object(failure.cause).code).toBe('25P02');
  });

  it('come from the block that the process has, without a statement', async () => {
    const statements: string[] = [];
    const hooks = {
      onStatement: ({ statement }: { statement: string }) => statements.push(statement),
    };
    const store = createPostgresStore(host.pool, { hooks });
    const taken = (await store.reserve('sandbox', 1))._unsafeUnwrap();
    expect((await store.within(first()).reserve('sandbox', 2))._unsafeUnwrap()).toBe(taken + 1);
    expect(statements).toEqual(['reserve']);
  });
});

it('a database with one connection has transactions, too', async () => {
  const pglite = await PGlite.create();
  await createTables((sql) => pglite.exec(sql), 'dealwright');
  const store = createPostgresStore(fromPglite(pglite));
  (await store.commit(acme, registration()))._unsafeUnwrap();
  const created = await pglite.transaction(async (tx) => {
    const own = createPostgresStore(fromPglite(pglite)).within(fromPglite(tx));
    return own.commit(acme, await addition(own, '1'));
  });
  expect(created._unsafeUnwrap()).toEqual(committed);
  expect((await store.deals.byPartnerId(acme, '1', []))._unsafeUnwrap()?.deal.partner_id).toBe('1');
  await pglite.close();
});

it('a role that has rights to the tables and functions takes ids, and one that may only read takes none', async () => {
  await host.pool.query(`create role service login; create role reader login;
    grant usage on schema dealwright to service, reader;
    grant select on all tables in schema dealwright to reader;
    grant select, insert, update on all tables in schema dealwright to service;
    grant execute on all functions in schema dealwright to service`);
  const within = async (user: string) => {
    const client = new pg.Client(host.server.url.replace('postgres@', `${user}@`));
    await client.connect();
    try {
      await client.query('begin');
      const taken = await createPostgresStore(client).within(client).reserve('sandbox', 1);
      await client.query('rollback');
      return { taken, outside: await createPostgresStore(client).reserve('sandbox', 1) };
    } finally {
      await client.end();
    }
  };
  const service = await within('service');
  expect([service.taken.isOk(), service.outside.isOk()]).toEqual([true, true]);
  const reader = await within('reader');
  expect([reader.taken.isErr(), reader.outside.isErr()]).toEqual([true, true]);
});
