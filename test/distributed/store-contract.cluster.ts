import { distributePostgres } from 'dealwright/postgres';
import { deliveryContract, storeContract } from 'dealwright/spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../adapters/postgres/functions/index.js';
import { tenantTables } from '../adapters/postgres/tenant-rules.js';
import { type ClusterSchema, createClusterSchema, ways } from './cluster.js';

let cluster: ClusterSchema;
beforeAll(async () => {
  cluster = await createClusterSchema();
});
afterAll(() => cluster?.close());

describe('a cluster', () => {
  it('has each table in its place, and is not distributed twice', async () => {
    const { pool, schema, distributed } = cluster;
    const calls = [functions.one, functions.node, functions.read].map(({ name }) => name);
    const all = ['contractors', 'migrations', ...tenantTables, ...calls];
    expect([...distributed].sort()).toEqual(all.sort());
    const again = await distributePostgres(pool, { schema });
    expect(again._unsafeUnwrap()).toEqual({ distributed: [] });
    const { rows } = await pool.query(
      `select count(*)::int as functions from pg_dist_object join pg_proc p on p.oid = objid
      where pronamespace = $1::regnamespace and distribution_argument_index = 0`,
      [schema],
    );
    expect(rows).toEqual([{ functions: calls.length }]);
  });
});

for (const [name, gather] of Object.entries(ways)) {
  describe(`a cluster, ${name}`, () => {
    const makeStore = async () => {
      await cluster.clear();
      const analysed = async () => void (await cluster.pool.query('analyze'));
      return { ...cluster.createStore(gather), analysed, close: async () => undefined };
    };
    const runner = { describe, it, limit: 300_000 };
    storeContract(runner, makeStore);
    // relays are the same for every way of gathering writes
    if (name === 'gathered by node') deliveryContract(runner, makeStore);
  });
}
