import {
  createPostgresStore,
  distributePostgres,
  type GatherOptions,
  migratePostgres,
} from 'dealwright/postgres';
import { Pool } from 'pg';
import { clearTables } from '../adapters/postgres/tables.js';

/** How a store writes to a cluster: each write alone, or gathered. */
export const ways: Readonly<Record<string, false | GatherOptions>> = {
  'writes alone': false,
  'gathered by node': { by: 'node' },
};

let schemas = 0;

/** A schema of its own on the cluster of the environment, distributed and empty. */
export async function createClusterSchema() {
  schemas += 1;
  const schema = `dealwright_run_${process.pid}_${schemas}`;
  const pool = new Pool({
    connectionString: process.env['DEALWRIGHT_CLUSTER_URL'],
    // a few shards on each worker are as good as many, and faster to empty
    options: '-c citus.shard_count=8',
    max: 10,
  });
  pool.on('error', () => undefined);
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  const distributed = await distributePostgres(pool, { schema });
  if (distributed.isErr()) {
    const { code } = distributed.error;
    throw new Error(`nothing is distributed: ${code}`, { cause: distributed.error });
  }
  return {
    schema,
    pool,
    distributed: distributed.value.distributed,
    createStore: (gather: false | GatherOptions) => createPostgresStore(pool, { schema, gather }),
    clear: () => clearTables((text) => pool.query(text), schema),
    async close() {
      await pool.query(`drop schema if exists ${schema} cascade`);
      await pool.end();
    },
  };
}

/** The result of `createClusterSchema`. */
export type ClusterSchema = Awaited<ReturnType<typeof createClusterSchema>>;
