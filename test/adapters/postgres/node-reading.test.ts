import { createPostgresStore, distributePostgres, migratePostgres } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registration } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { citusStandIn } from './citus-stand-in.js';
import { dealOf } from './new-deals.js';
import { clearTables } from './tables.js';

const schema = 'dealwright';
// the last two have different orders as UTF-8 and as UTF-16
const names = [...Array.from({ length: 30 }, (_, at) => `p${at}`), '\u{1f600}"', '\uff5e\\'];
const tenants = names.map((partner) => ({ environment: 'sandbox', partner }) as const);

let server: Postgres;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  await server.psql(citusStandIn);
  pool = new Pool({ connectionString: server.socketUrl, max: 3 });
  (await migratePostgres(pool))._unsafeUnwrap();
  (await distributePostgres(pool))._unsafeUnwrap();
});
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Puts the second of two shards on a node: the server is the first. */
const place = (group: number) =>
  pool.query(`update pg_dist_placement set groupid = ${group} where shardid = 2`);

const unsupported = Object.assign(new Error('could not run distributed query'), { code: '0A000' });

/** A store over a cluster, and the statements that it has sent. */
function createStore() {
  const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const store = createPostgresStore(
    {
      query(statement) {
        sent.push({ text: statement.text, values: statement.values ?? [] });
        // like Citus, it locks rows of only one tenant
        if (/^(?!.*l\.tenant = \$).*for update/.test(statement.text)) throw unsupported;
        return pool.query(statement);
      },
    },
    { gather: { by: 'node' } },
  );
  const calls = () => sent.filter(({ text }) => text.includes('.read_node_'));
  const plain = () =>
    sent.filter(({ text }) => /^(?!.*pg_dist_)(select|with) .*\bfrom /.test(text));
  return { store, sent, calls, plain };
}

describe('a store over a node that has all shards', () => {
  storeContract({ describe, it }, async () => {
    await clearTables((text) => pool.query(text), schema);
    await place(1);
    return { ...createStore().store, close: async () => undefined };
  });
});

describe('what a node is asked', () => {
  beforeEach(async () => {
    await clearTables((text) => pool.query(text), schema);
    await place(1);
    const { store } = createStore();
    await store.commit({ environment: 'sandbox', partner: 'p0' }, registration());
    const made = await Promise.all(tenants.map((tenant) => store.commit(tenant, dealOf('one'))));
    expect(made.every((each) => each._unsafeUnwrap().outcome === 'committed')).toBe(true);
  });

  const readAll = async ({ deals }: ReturnType<typeof createStore>['store']) => {
    const found = await Promise.all(
      tenants.map((tenant) => deals.byPartnerId(tenant, 'one', ['stage'])),
    );
    return found.map((each) => each._unsafeUnwrap()?.deal.partner_id);
  };

  it('goes out together, with the text of a statement only if that is not known', async () => {
    const { store, sent, calls } = createStore();
    await readAll(store);
    sent.length = 0;
    expect(await readAll(store)).toEqual(tenants.map(() => 'one'));
    expect(calls().length).toBe(sent.length);
    const told = calls().filter(({ values }) => values[3] !== null);
    for (let time = 0; time < 10; time += 1) await readAll(store);
    const later = calls().filter(({ values }) => values[3] !== null);
    // each of three connections learns it once for each shard
    expect(later.length).toBeLessThanOrEqual(told.length + 6);
    expect(calls().length).toBeLessThan(11 * tenants.length);
  });

  it('goes out as a plain statement if another node has it', async () => {
    const { store, plain } = createStore();
    await readAll(store);
    expect(plain()).toEqual([]);
    await place(2);
    expect(await readAll(store)).toEqual(tenants.map(() => 'one'));
    expect(plain().length).toBeGreaterThan(0);
    expect(plain().length).toBeLessThan(tenants.length);
  });

  it.each([
    ['by itself where the server may have refused one of them', '22021', 1, 1],
    ['together where it refuses any of them', '42883', 2, tenants.length],
  ])('fails %s', async (_, code, least, most) => {
    const { deals } = createPostgresStore(
      {
        query(statement) {
          const isBad = statement.values?.some((value) => String(value).includes('bad'));
          if (isBad) throw Object.assign(new Error('refused'), { code });
          return pool.query(statement);
        },
      },
      { gather: { by: 'node' } },
    );
    const found = await Promise.all(
      tenants.map((tenant, at) => deals.byPartnerId(tenant, at === 3 ? 'bad' : 'one', [])),
    );
    const failed = found.filter((each) => each.isErr()).length;
    expect(failed).toBeGreaterThanOrEqual(least);
    expect(failed).toBeLessThanOrEqual(most);
  });

  it('has all tenants of its node in order, as many as are asked for', async () => {
    const { store, plain, calls } = createStore();
    const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const page = (await store.tenants(undefined, 7))._unsafeUnwrap();
    expect(page.map(({ tenant }) => tenant.partner)).toEqual(sorted.slice(0, 7));
    const rest = (await store.tenants(page.at(-1)?.tenant, 100))._unsafeUnwrap();
    expect(rest.map(({ tenant }) => tenant.partner)).toEqual(sorted.slice(7));
    expect(plain()).toEqual([]);
    expect(calls().length).toBeLessThanOrEqual(4);
  });

  it('is asked of the coordinator if not every shard was read once', async () => {
    const { store, plain } = createStore();
    const ask = async () => (await store.tenants(undefined, 100))._unsafeUnwrap().length;
    expect(await ask()).toBe(tenants.length);
    expect(plain()).toEqual([]);
    // between the query for the shards and the query for their rows
    await place(2);
    expect(await ask()).toBe(tenants.length);
    expect(plain()).toHaveLength(1);
  });

  it('keeps no more statements than a bound, and none but its own goes', async () => {
    const one = new Pool({ connectionString: server.socketUrl, max: 1 });
    await one.query({ name: 'of a client', text: 'select 1' });
    const { rows } = await one.query(
      `select proname from pg_proc where proname like 'read_node_%'`,
    );
    const { proname } = Object(rows[0]) as { readonly proname: string };
    const count = async () =>
      (await one.query('select name from pg_prepared_statements')).rows.map(({ name }) => name);
    let most = 0;
    for (let nth = 0; nth < 520; nth += 1) {
      const text = `select t.tenant as answer from "dealwright".tenants t where t.tenant = $1::text and ${nth} = ${nth}`;
      const values = ['sandbox:p0', 'tenant', nth.toString(16), text, '{"{sandbox:p0}"}'];
      await one.query(`select dealwright.${proname}($1, $2, $3, $4, $5)`, values);
      if (nth % 100 === 0 || nth > 495) most = Math.max(most, (await count()).length);
    }
    const left = await count();
    await one.end();
    expect(most).toBeLessThanOrEqual(501);
    expect(left.length).toBeLessThan(30);
    expect(left).toContain('of a client');
  });
});
