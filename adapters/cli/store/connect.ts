import type { StoreArchive } from 'dealwright/ports';
import { createPostgresArchive } from 'dealwright/postgres';
import { createSqliteArchive } from 'dealwright/sqlite';
import type { Result } from 'neverthrow';
import { printable } from '../printable.js';
import {
  findPostgres,
  findSqlite,
  type PostgresClient,
  type PostgresPool,
  type SqliteConnection,
} from './drivers.js';
import { failed, type StoreProblem, wrong } from './store-problem.js';

/** A database that is reached: `connect` answers what its statements go by. */
export interface Database<Connection> {
  /** For a person: nothing secret is in it. */
  readonly name: string;
  connect(): Connection;
  /** What `dump` reads and `restore` writes, over a connection of its own. */
  openArchive(): Promise<StoreArchive>;
  close(): Promise<void>;
}

/** What is made of a database; where nothing is, or it throws, the database is closed. */
export type Use<Connection, Made> = (
  database: Database<Connection>,
) => Promise<Result<Made, StoreProblem>>;

/** Finds a driver for a file of SQLite. There is no file before the first `connect`. */
export async function withSqlite<Made>(
  process: NodeJS.Process,
  path: string,
  use: Use<SqliteConnection, Made>,
): Promise<Result<Made, StoreProblem>> {
  const driver = await findSqlite(process);
  if (driver.isErr()) return wrong(driver.error);
  const open: SqliteConnection[] = [];
  const connect = () => {
    const db = driver.value(path);
    open.push(db);
    return db;
  };
  const database = {
    name: `the database ${printable(path)}`,
    connect,
    // a dump is a transaction of its own, beside what is written meanwhile
    openArchive: async () => createSqliteArchive(connect()),
    close: async () => {
      for (const db of open.splice(0)) db.close();
    },
  };
  return attempt(database, use);
}

/** Finds a driver for the PostgreSQL at an address, which is called by a pool of connections. */
export async function withPostgres<Made>(
  url: string,
  use: Use<PostgresPool, Made>,
): Promise<Result<Made, StoreProblem>> {
  const driver = await findPostgres();
  if (driver.isErr()) return wrong(driver.error);
  let pool: PostgresPool | undefined;
  let client: PostgresClient | undefined;
  const connect = () => {
    pool ??= driver.value(url);
    return pool;
  };
  const database = {
    // its address may have a password in it
    name: 'the database of DATABASE_URL',
    connect,
    openArchive: async () => {
      // a transaction has one connection, which serves nobody else
      client = await connect().connect();
      return createPostgresArchive(client);
    },
    close: async () => {
      client?.release();
      await pool?.end();
    },
  };
  return attempt(database, use);
}

async function attempt<Connection, Made>(
  database: Database<Connection>,
  use: Use<Connection, Made>,
): Promise<Result<Made, StoreProblem>> {
  let made: Result<Made, StoreProblem>;
  try {
    made = await use(database);
  } catch (cause) {
    made = failed(database.name, { code: 'unavailable', cause });
  }
  // what went wrong first is what is told; a pool that is ended twice rejects
  if (made.isErr()) await database.close().catch(() => undefined);
  return made;
}
