import type { WriteSet } from 'dealwright/ports';
import { createPostgresStore, type GatherOptions, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acme, globex } from '../../../spec/store/subject.js';
import { move, under, upload } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createDeal, dealOf } from './new-deals.js';
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 2 });
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

describe('plans that are made while tables are small', () => {
  /** How many rows of indexes and tables were read for one deal, in tables that may be large. */
  const read = async (client: pg.ClientBase, schema: string) => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ name: string; count: number }>(
      `select t.relname as name, (t.seq_tup_read + sum(i.idx_tup_read))::int as count
      from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
      where t.schemaname = $1 group by t.relid, t.relname, t.seq_tup_read`,
      [schema],
    );
    return new Map(rows.map(({ name, count }) => [name, count]));
  };
  /** Makes tables that are not analysed, and one session over them. */
  const begin = async (schema: string) => {
    await createTables((sql) => pool.query(sql), schema);
    await pool.query(
      ['deals', 'stages', 'work_files', 'intents', 'events', 'answers', 'tenants', 'contractors']
        .map((name) => `alter table ${schema}.${name} set (autovacuum_enabled = false);`)
        .join(''),
    );
    const client = new pg.Client({ connectionString: server.socketUrl });
    await client.connect();
    return client;
  };
  const states = {
    'never analysed': async () => undefined,
    'analysed with 50 deals of one tenant': async (store: PostgresStore, schema: string) => {
      for (let at = 0; at < 50; at += 1) await createDeal(store, acme, `early-${at}`);
      await pool.query(`analyze ${schema}.deals, ${schema}.stages, ${schema}.events`);
    },
    'analysed with 50 tenants of one deal each': async (store: PostgresStore, schema: string) => {
      for (let at = 0; at < 50; at += 1) {
        await createDeal(store, { ...acme, partner: `p${at}` }, 'early');
      }
      await pool.query(`analyze ${schema}.deals, ${schema}.stages, ${schema}.events`);
    },
  };
  let schemas = 0;
  it.each(Object.entries(states))('serve a large tenant: %s', async (state, prepare) => {
    const isAnalysed = state !== 'never analysed';
    schemas += 1;
    const schema = `small_${schemas}`;
    const client = await begin(schema);
    // a node plans each time anew, with the last analysis, for the minute until the next one
    const ofNode: readonly GatherOptions[] = isAnalysed ? [] : [{ by: 'node' }];
    const ways: readonly (false | GatherOptions)[] = [false, {}, ...ofNode];
    const stores = ways.map((gather) => createPostgresStore(client, { schema, gather }));
    const [store] = stores as [PostgresStore];
    await prepare(store, schema);
    /** All kinds of writes, by each way of sending them, often enough for plans to be kept. */
    const some = async (name: string) => {
      for (const [at, each] of stores.entries()) {
        const deal = `${name}-${at}`;
        const { id } = (await createDeal(each, globex, deal))._unsafeUnwrap();
        const writes = [
          under(deal, dealOf(`${deal}-keyed`)),
          upload(deal, id + 1),
          move(`${deal}-keyed`, 1, { status: 'accepted' }),
        ];
        await each.commit(globex, writes[0] as WriteSet);
        const all = writes.slice(1).map((write) => each.commit(globex, write));
        for (const answer of await Promise.all(all)) {
          expect(answer._unsafeUnwrap()).toEqual({ outcome: 'committed' });
        }
        // a table that was analysed with a page or two is read whole until the next analysis
        if (isAnalysed) continue;
        for (const kind of ['deal', 'intent'] as const) {
          expect((await each.due(globex, kind, '2026', 10))._unsafeUnwrap()).toEqual([]);
        }
        const found = await Promise.all(
          ['7', '8'].map((n) => each.deals.byPaymentToken(globex, `token-${n}`, ['stage'])),
        );
        const many = ['many-7', 'many-8'];
        expect(found.map((one) => one._unsafeUnwrap()?.deal.partner_id)).toEqual(
          name === 'large' ? many : [undefined, undefined],
        );
      }
    };
    for (let time = 0; time < 8; time += 1) await some(`small-${time}`);
    // the tables grow without an analysis
    const grow = (names: string, values: string) =>
      client.query(
        `insert into ${schema}.${names} select ${values} from generate_series(1, 3000) n`,
      );
    await grow(
      'deals',
      `'sandbox:globex', 'many-' || n, 10000000 + n, '1.0', 'e', 'e', 't', 'd', 1, 1, 'EUR', null,
      null, null, 'token-' || n, 'created', 'new', '2026-01-01T00:00:00.000Z', 'invoice', 0, 0, null,
      null, '9999-01-01T00:00:00.000Z', n, 1`,
    );
    await grow(
      'stages',
      `'sandbox:globex', 10000000 + n, 'many-' || n, 'n', 1, 1, 'pending', null, null, n`,
    );
    await grow('work_files', `'sandbox:globex', n, 'many-' || n, 1, 'n', 1, 's', 'c', 'u', 's', n`);
    await grow(
      'intents',
      `'sandbox:globex', n, 'many-' || n, 'k', 'p', 1, 1, 'pending', 0, 'c', '9999-01-01', n`,
    );
    await grow('answers', `'sandbox:globex', n, 'f', '{}', n`);
    await client.query(`insert into ${schema}.events
      select tenant, last_position + n, n, 't', 's', n, 'a', 'partner', null, '{}'
      from ${schema}.tenants, generate_series(1, 3000) n where tenant = 'sandbox:globex'`);
    await client.query(`update ${schema}.tenants set last_position = last_position + 3000
      where tenant = 'sandbox:globex'`);
    const before = await read(client, schema);
    await some('large');
    const after = await read(client, schema);
    await client.end();
    // each reads a handful of rows
    const counts = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]);
    expect(counts.filter(([, count]) => Number(count) > 100)).toEqual([]);
  });

  it.each([
    [1, 'all', 10],
    [40, 'all', 10],
    // a batch reads a tenant of under a thousand rows whole: twice for a hundred deals
    [40, 'node', 20],
  ] as const)(
    'read a few rows for each deal while a tenant grows to 2,000: ids of %i characters, gathered by %s',
    async (length, by, most) => {
      const schema = `small_growing_${length}_${by}`;
      const client = await begin(schema);
      const store = createPostgresStore(client, { schema, gather: { by } });
      let before = await read(client, schema);
      for (let size = 0; size < 2_000; size += 100) {
        const names = Array.from({ length: 100 }, (_, at) => `${size + at}`.padEnd(length, 'x'));
        const made = await Promise.all(names.map((name) => createDeal(store, acme, name)));
        for (const each of made) expect(each._unsafeUnwrap().outcome.outcome).toBe('committed');
        const after = await read(client, schema);
        const counts = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]);
        expect(counts.filter(([, count]) => Number(count) > 100 * most)).toEqual([]);
        before = after;
      }
      await client.end();
    },
  );
});
