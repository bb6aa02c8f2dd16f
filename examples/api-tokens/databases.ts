import type Database from 'libsql';
import type { Query } from './api-tokens.js';

/** Over SQLite. Open a connection of its own: that of the store is for the store alone. */
export function overSqlite(db: Database.Database): Query {
  return async (sql, values = []) => {
    const statement = db.prepare(sql);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  };
}

/** The part of a `Pool` of `pg` that is needed here. */
interface PostgresLike {
  query(sql: string, values: string[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Over PostgreSQL: in the same statements its values are `$1`, `$2` and so on. */
export function overPostgres(pool: PostgresLike): Query {
  return async (sql, values = []) => {
    let count = 0;
    const numbered = sql.replace(/\?/g, () => {
      count += 1;
      return `$${count}`;
    });
    return (await pool.query(numbered, [...values])).rows;
  };
}
