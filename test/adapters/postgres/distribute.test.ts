import {
  distributePostgres,
  hasCitus,
  migratePostgres,
  printDistribution,
} from 'dealwright/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { citusStandIn } from './citus-stand-in.js';
import { tenantTables } from './tenant-rules.js';

const ofNodes = [functions.node.name, functions.one.name, functions.read.name];
const all = ['contractors', 'migrations', ...tenantTables, ...ofNodes].sort();

let postgres: Postgres;
let cluster: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  const address = await postgres.createDatabase();
  await postgres.psql(citusStandIn, address);
  cluster = new Pool({ connectionString: address.socketUrl, max: 4 });
});
afterAll(async () => {
  await cluster?.end();
  await postgres?.stop();
});

/** Every table of a schema: how it is distributed, and with which other table. */
async function placesIn(schema: string): Promise<readonly string[]> {
  const { rows } = await cluster.query<{ place: string }>(
    `select concat_ws(' ', relname, partmethod, column_name, beside) as place
    from pg_dist_partition join pg_class on oid = logicalrelid
    where relnamespace = $1::regnamespace order by 1`,
    [schema],
  );
  return rows.map(({ place }) => place);
}

const placed = (schema: string) => [
  `answers h tenant ${schema}.tenants`,
  `consumers h tenant ${schema}.tenants`,
  `contractor_payments h tenant ${schema}.tenants`,
  'contractors n',
  `deals h tenant ${schema}.tenants`,
  `deliveries h tenant ${schema}.tenants`,
  `employer_payments h tenant ${schema}.tenants`,
  `events h tenant ${schema}.tenants`,
  `intents h tenant ${schema}.tenants`,
  'migrations n',
  `payment_reports h tenant ${schema}.tenants`,
  `postings h tenant ${schema}.tenants`,
  `proposals h tenant ${schema}.tenants`,
  `sandbox_clocks h tenant ${schema}.tenants`,
  `stages h tenant ${schema}.tenants`,
  'tenants h tenant',
  `terms h tenant ${schema}.tenants`,
  `unmatched_reports h tenant ${schema}.tenants`,
  `webhooks h tenant ${schema}.tenants`,
  `work_files h tenant ${schema}.tenants`,
];

describe('distributePostgres', () => {
  it('distributes every table once, also for concurrent callers', async () => {
    (await migratePostgres(cluster, { schema: 'one' }))._unsafeUnwrap();
    const both = await Promise.all(
      [1, 2].map(() => distributePostgres(cluster, { schema: 'one' })),
    );
    const named = both.flatMap((each) => each._unsafeUnwrap().distributed);
    expect([...new Set(named)].sort()).toEqual(all);
    expect(await placesIn('one')).toEqual(placed('one'));
    // each call of these goes to the node of its first argument: no plan of Citus is kept there
    const { rows } = await cluster.query(
      `select proname, distribution_argument_index as argument, beside::text, proconfig
      from pg_dist_object join pg_proc p on p.oid = objid order by 1`,
    );
    expect(rows).toMatchObject(
      ofNodes.map((proname) => ({
        ...{ proname, argument: 0, beside: 'one.tenants' },
        proconfig: expect.arrayContaining([
          `plan_cache_mode=force_${proname === functions.read.name ? 'generic' : 'custom'}_plan`,
        ]),
      })),
    );
    const again = await distributePostgres(cluster, { schema: 'one' });
    expect(again._unsafeUnwrap()).toEqual({ distributed: [] });
  });

  it('distributes the functions of a version that comes later', async () => {
    const schema = 'later';
    (await migratePostgres(cluster, { schema }))._unsafeUnwrap();
    (await distributePostgres(cluster, { schema }))._unsafeUnwrap();
    // as if the distributed functions were of the version before
    for (const name of ofNodes) {
      await cluster.query(
        `alter function later.${name} rename to ${name.replace(/_\w{10}$/, '_1')}`,
      );
    }
    (await migratePostgres(cluster, { schema }))._unsafeUnwrap();
    const again = await distributePostgres(cluster, { schema });
    expect([...again._unsafeUnwrap().distributed].sort()).toEqual(ofNodes);
    const { rows } = await cluster.query<{ proname: string }>(
      `select proname from pg_dist_object join pg_proc p on p.oid = objid
      where p.pronamespace = 'later'::regnamespace order by 1`,
    );
    const old = ['commit_node_1', 'commit_one_1', 'read_node_1'];
    expect(rows.map(({ proname }) => proname).sort()).toEqual([...old, ...ofNodes].sort());
    await cluster.query(printDistribution({ schema }));
    expect((await distributePostgres(cluster, { schema }))._unsafeUnwrap().distributed).toEqual([]);
  });

  it('goes on where it was left, also by the printed SQL', async () => {
    (await migratePostgres(cluster, { schema: 'two' }))._unsafeUnwrap();
    // a table that Citus only lists, as local to the coordinator, is not distributed
    await cluster.query(
      `insert into pg_dist_partition values ('two.migrations', 'n', null, null, 0)`,
    );
    const failed = await distributePostgres(cluster, { schema: 'two' });
    expect(failed._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      cause: { code: '42P16' },
    });
    expect(await placesIn('two')).toEqual(['contractors n', 'migrations n']);
    await cluster.query(
      `delete from pg_dist_partition where logicalrelid = 'two.migrations'::regclass`,
    );
    await cluster.query(printDistribution({ schema: 'two' }));
    await cluster.query(printDistribution({ schema: 'two' }));
    expect(await placesIn('two')).toEqual(placed('two'));
  });

  it('says so if there is no cluster, no table, or no such name', async () => {
    const pool = new Pool({ connectionString: postgres.socketUrl });
    const refused = await distributePostgres(pool);
    const asked = [await hasCitus(pool), await hasCitus(cluster)];
    await pool.end();
    expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'no_cluster' });
    expect(asked.map((each) => each._unsafeUnwrap())).toEqual([false, true]);
    const unasked = await hasCitus({ query: () => Promise.reject(new Error('gone')) });
    expect(unasked._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
    expect(() => hasCitus(Object.create(null))).toThrow(TypeError);
    const lacking = (await distributePostgres(cluster, { schema: 'none' }))._unsafeUnwrapErr();
    expect(lacking).toMatchObject({ code: 'unavailable', retryable: false });
    expect(() => distributePostgres(cluster, { schema: 'a"b' })).toThrow(TypeError);
    expect(() => printDistribution({ schema: 'a"b' })).toThrow(TypeError);
  });
});
