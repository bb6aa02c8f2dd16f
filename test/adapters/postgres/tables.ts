import type { PostgresLike } from 'dealwright/postgres';
import { migrations } from '../../../adapters/postgres/schema.js';
import { tables } from '../../../adapters/sql/tables.js';

/** Runs statements that have no parameters, one or many. */
type Run = (sql: string) => PromiseLike<unknown>;

/** Puts the tables and functions into a schema of their own. */
export async function createTables(run: Run, schema: string): Promise<void> {
  const steps = migrations.map(({ sql }) => sql.replaceAll('$schema', schema));
  await run([`create schema ${schema};`, ...steps].join('\n'));
}

/** Leaves the tables as they were made: far cheaper than to make them again. */
export async function clearTables(run: Run, schema: string): Promise<void> {
  const names = [...Object.values(tables).map(({ name }) => name), 'tenants'];
  await run(names.map((name) => `delete from ${schema}.${name};`).join('\n'));
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
