import { migrations } from '../../../adapters/postgres/schema.js';

let made = 0;

/** Puts the tables into a schema of their own, and gives its name. */
export async function createTables(run: (sql: string) => PromiseLike<unknown>): Promise<string> {
  made += 1;
  const schema = `case_${process.pid}_${made}`;
  const steps = migrations.map(({ sql }) => sql.replaceAll('$schema', schema));
  await run([`create schema ${schema};`, ...steps].join('\n'));
  return schema;
}
