import { createPostgresStore, distributePostgres, migratePostgres } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearTables } from '../adapters/postgres/tables.js';

const schema = `dealwright_contract_${Date.now()}`;

let pool: Pool;
beforeAll(async () => {
  pool = new Pool({ connectionString: process.env['DEALWRIGHT_CLUSTER_URL'], max: 10 });
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  const distributed = await distributePostgres(pool, { schema });
  if (distributed.isErr()) {
    const { code } = distributed.error;
    throw new Error(`nothing is distributed: ${code}`, { cause: distributed.error });
  }
});
afterAll(async () => {
  await pool?.query(`drop schema if exists ${schema} cascade`);
  await pool?.end();
});

it('is distributed', async () => {
  const again = await distributePostgres(pool, { schema });
  expect(again._unsafeUnwrap()).toEqual({ distributed: [] });
});

for (const gather of [false, { by: 'tenant' }] as const) {
  describe(`a cluster, writes ${gather === false ? 'alone' : 'gathered by tenant'}`, () => {
    storeContract({ describe, it }, async () => {
      await clearTables((text) => pool.query(text), schema);
      return {
        ...createPostgresStore(pool, { schema, gather }),
        close: async () => undefined,
      };
    });
  });
}
