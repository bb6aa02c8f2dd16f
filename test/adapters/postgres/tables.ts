import type { PostgresLike } from 'dealwright/postgres';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { migrations } from '../../../adapters/postgres/schema/steps.js';
import { tables } from '../../../adapters/sql/tables.js';

/** Runs statements that have no parameters, one or many. */
type Run = (sql: string) => PromiseLike<unknown>;

/** All commands that make the tables and functions of a schema. */
export const schemaSql = [...migrations, ...Object.values(functions)]
  .map(({ sql }) => sql)
  .join('\n\n');

/** Puts the tables and functions into a schema of their own. */
export async function createTables(run: Run, schema: string): Promise<void> {
  await run(`begin; create schema ${schema};\n${schemaSql.replaceAll('$schema', schema)}\ncommit;`);
}

/** Empties the tables: far cheaper than to make them again. */
export async function clearTables(run: Run, schema: string): Promise<void> {
  const names = [...Object.values(tables).map(({ name }) => name), 'tenants', 'store'];
  const cleared = names.map((name) => `delete from ${schema}.${name};`);
  await run(
    [...cleared, ...lastIdSql(schema, 'production', 0), ...lastIdSql(schema, 'sandbox', 0)].join(
      '\n',
    ),
  );
}

/** Sets the last id, as if the later ones were not given yet. */
export function lastIdSql(schema: string, environment: string, last: string | number): string[] {
  const update = (next: string) =>
    `update ${schema}.ids set next = ${next} where environment = '${environment}';`;
  return [
    `select setval('${schema}.ids_${environment}', 1, false);`,
    update('1'),
    // a sequence that begins with 1
    update(`${last} + 1`),
  ];
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
