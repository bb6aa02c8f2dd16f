import type { PostgresLike } from 'dealwright/postgres';
import { migrations } from '../../../adapters/postgres/schema.js';

/** Runs statements that have no parameters, one or many. */
type Run = (sql: string) => PromiseLike<unknown>;

/** Puts the tables into a schema of their own. */
export async function createTables(run: Run, schema: string): Promise<void> {
  const steps = migrations.map(({ sql }) => sql.replaceAll('$schema', schema));
  await run([`create schema ${schema};`, ...steps].join('\n'));
}

const tables = ['contractors', 'deals', 'stages', 'work_files', 'events', 'tenants'];

/** Leaves the tables as they were made: far cheaper than to make them again. */
export async function clearTables(run: Run, schema: string): Promise<void> {
  await run(tables.map((table) => `delete from ${schema}.${table};`).join('\n'));
}

/** Runs a store's statements and keeps their texts. */
export function recording(db: PostgresLike, texts: Set<string>): PostgresLike {
  return {
    query(statement) {
      texts.add(statement.text);
      return db.query(statement);
    },
  };
}
