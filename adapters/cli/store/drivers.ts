import type { PgListenerLike, PostgresLike } from 'dealwright/postgres';
import type { SqliteLike } from 'dealwright/sqlite';
import { err, ok, type Result } from 'neverthrow';

/** A connection to a database of SQLite, which can be closed. */
export interface SqliteConnection extends SqliteLike {
  close(): unknown;
}

/** Connections to PostgreSQL. */
export interface PostgresPool extends PostgresLike {
  /** One of them, which returns to the pool once it is released. */
  connect(): Promise<PostgresLike & { release(): void }>;
  end(): Promise<unknown>;
}

/** A driver of PostgreSQL. */
export interface PostgresDriver {
  createPool(connectionString: string): PostgresPool;
  /** A connection outside of the pool, to listen on; it is opened by `connect`. */
  createListener(connectionString: string): PgListenerLike;
}

/** An emitter of errors and connections. */
interface Emitter {
  on(event: 'error' | 'connect', listener: (given: Emitter) => void): unknown;
}

type Load = (name: string) => Promise<Readonly<Record<string, unknown>>>;

const load: Load = (name) => import(name);

/**
 * Looks for a driver of SQLite: Node's own from 22.13 on, and then an installed one. The search
 * runs only when SQLite is needed, so others need not install a driver.
 */
export async function findSqlite(
  process: NodeJS.Process,
  from: Load = load,
): Promise<Result<(path: string) => SqliteConnection, string>> {
  const problems = [
    'there is no driver of SQLite: install one with "npm install libsql", run Node 22.13 or later, which has its own, or keep deals in memory with --memory',
  ];
  for (const [name, member] of [
    ['node:sqlite', 'DatabaseSync'],
    ['libsql', 'default'],
    ['better-sqlite3', 'default'],
  ] as const) {
    try {
      const loaded = await quietly(process, () => from(name));
      const Database = loaded[member] as new (path: string) => SqliteConnection;
      return ok((path) => new Database(path));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== undefined) problems.push(`${name} cannot be loaded (${reason})`);
    }
  }
  return err(problems.join('; '));
}

export async function findPostgres(from: Load = load): Promise<Result<PostgresDriver, string>> {
  try {
    const { default: pg } = await from('pg');
    const { Pool, Client } = pg as {
      readonly Pool: new (options: object) => PostgresPool & Emitter;
      readonly Client: new (options: object) => PgListenerLike;
    };
    const optionsOf = (connectionString: string) => ({
      connectionString,
      application_name: 'dealwright',
      // without it a network that drops all packets takes a place in the pool for ever
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    return ok({
      createPool(connectionString) {
        const pool = new Pool(optionsOf(connectionString));
        // an idle connection that breaks is replaced; without a listener it would end the process
        pool.on('error', () => {});
        // so would one in use, on which the pool does not listen: its statements report the error
        pool.on('connect', (client) => client.on('error', () => {}));
        return pool;
      },
      createListener: (connectionString) => new Client(optionsOf(connectionString)),
    });
  } catch (error) {
    const reason = reasonOf(error);
    const broken = reason && `; the one that is there cannot be loaded (${reason})`;
    return err(
      `there is no driver of PostgreSQL, which DATABASE_URL asks for: install it with "npm install pg"${broken ?? ''}`,
    );
  }
}

/** Why a driver cannot be loaded, if it is installed. */
function reasonOf(error: unknown): string | undefined {
  const { code }: Readonly<Record<string, unknown>> = Object(error);
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNKNOWN_BUILTIN_MODULE') return undefined;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Node warns that its SQLite may change: the operator of the service cannot change that. */
async function quietly<T>(process: NodeJS.Process, work: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
