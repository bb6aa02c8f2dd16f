import { printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations } from 'dealwright/sqlite';
import type { PostgresPool, SqliteConnection } from './drivers.js';

/** Why the schema of a file of SQLite is not that of this version, where it is not. */
export function sqliteMismatch(db: SqliteConnection): string | undefined {
  const found = db.prepare('select max(number) as latest from dealwright_migrations').get();
  return mismatch(Object(found).latest, sqliteMigrations.length);
}

/** The same of a database of PostgreSQL. */
export async function postgresMismatch(pool: PostgresPool): Promise<string | undefined> {
  const text = 'select max(number)::text as latest from dealwright.migrations';
  const { rows } = await pool.query({ text });
  // each step comes after a line that names it
  const known = printPostgresMigrations().match(/^-- dealwright, migration \d+:/gm) ?? [];
  return mismatch(rows[0]?.['latest'], known.length);
}

function mismatch(latest: unknown, known: number): string | undefined {
  const found = Number(latest ?? 0);
  if (found === known) return undefined;
  return found > known
    ? `it has migration ${found} and this version of dealwright knows ${known}: use a newer one`
    : `it has ${found} of ${known} migrations: run dealwright migrate`;
}
