import { createPostgresStore, fromPostgresJs, type PostgresStoreOptions } from 'dealwright/postgres';
import { storeContract } from 'dealwright/testing';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTables } from './tables.js';

let pool: pg.Pool;
let sql: postgres.Sql;
const url = process.env['SCRATCH_URL'] ?? 'postgres://postgres@127.0.0.1:55433/postgres';

beforeAll(() => {
  pool = new pg.Pool({ connectionString: url, max: 10 });
  sql = postgres(url, { onnotice: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await sql.end();
});

const options: Readonly<Record<string, PostgresStoreOptions>> = {
  'each create alone': { gather: false },
  'creates gathered': {},
  'creates gathered by tenant, without named statements': { prepare: false, gather: { by: 'tenant' } },
};

for (const [name, each] of Object.entries(options)) {
  describe(name, () => {
    storeContract({ describe, it }, async () => {
      const schema = await createTables((text) => pool.query(text));
      return {
        ...createPostgresStore(pool, { ...each, schema }),
        close: async () => {
          await pool.query(`drop schema ${schema} cascade`);
        },
      };
    });
  });
}

describe('over postgres.js', () => {
  storeContract({ describe, it }, async () => {
    const schema = await createTables((text) => pool.query(text));
    return {
      ...createPostgresStore(fromPostgresJs(sql), { schema }),
      close: async () => {
        await pool.query(`drop schema ${schema} cascade`);
      },
    };
  });
});
