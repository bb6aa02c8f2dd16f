import type { PostgresLike } from 'dealwright/postgres';
import type { SqliteLike } from 'dealwright/sqlite';
import { err, ok, type Result } from 'neverthrow';

/** A connection to a database of SQLite, which can be closed. */
export interface SqliteConnection extends SqliteLike {
  close(): unknown;
}

/** Opens a file of SQLite. */
export type OpenSqlite = (path: string) => SqliteConnection;

/** One connection to PostgreSQL, which goes back to its pool. */
export interface PostgresClient extends PostgresLike {
  release(): void;
}

/** Connections to PostgreSQL. */
export interface PostgresPool extends PostgresLike {
  connect(): Promise<PostgresClient>;
  end(): Promise<unknown>;
}

interface Emitter<Event extends string, Given extends readonly unknown[]> {
  on(event: Event, listener: (...given: Given) => void): unknown;
}

type Driver<T> = Result<T, string>;
type Module = Readonly<Record<string, unknown>>;
type Load = (name: string) => Promise<Module>;

const load: Load = (name) => import(name);

/**
 * Looks for a driver of SQLite: what Node itself has from 22.13 on, and then what is installed. It is
 * looked for when it is needed, so that who needs none has to install none.
 */
export async function findSqlite(
  process: NodeJS.Process,
  from: Load = load,
): Promise<Driver<OpenSqlite>> {
  const found: readonly [name: string, member: string][] = [
    ['node:sqlite', 'DatabaseSync'],
    ['libsql', 'default'],
    ['better-sqlite3', 'default'],
  ];
  const broken: string[] = [];
  for (const [name, member] of found) {
    try {
      const loaded = await quietly(process, () => from(name));
      const Database = loaded[member] as new (path: string) => SqliteConnection;
      return ok((path) => new Database(path));
    } catch (error) {
      if (!isMissing(error)) broken.push(`${name} cannot be loaded (${reasonOf(error)})`);
    }
  }
  return err(
    [
      'there is no driver of SQLite: install one with "npm install libsql", run Node 22.13 or later, which has its own, or keep deals in memory with --memory',
      ...broken,
    ].join('; '),
  );
}

/** Looks for the driver of PostgreSQL. */
export async function findPostgres(
  from: Load = load,
): Promise<Driver<(connectionString: string) => PostgresPool>> {
  try {
    const loaded = await from('pg');
    const { Pool } = loaded['default'] as {
      readonly Pool: new (
        options: object,
      ) => PostgresPool & Emitter<'error', []> & Emitter<'connect', [Emitter<'error', []>]>;
    };
    return ok((connectionString) => {
      const pool = new Pool({
        connectionString,
        application_name: 'dealwright',
        // without it a network that swallows everything keeps a place in the pool for ever
        connectionTimeoutMillis: 5_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
      });
      // an idle connection that breaks is replaced; unheard it would end the process
      pool.on('error', () => {});
      // so would one that is lent out, on which the pool does not listen: its statements say why
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool;
    });
  } catch (error) {
    const broken = isMissing(error)
      ? ''
      : `; the one that is there cannot be loaded (${reasonOf(error)})`;
    return err(
      `there is no driver of PostgreSQL, which DATABASE_URL asks for: install it with "npm install pg"${broken}`,
    );
  }
}

function isMissing(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNKNOWN_BUILTIN_MODULE';
}

function reasonOf(error: unknown): string {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}

/** Node warns that its SQLite may change: an operator of the service can do nothing about that. */
async function quietly<T>(process: NodeJS.Process, work: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  const heard = (warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  process.emitWarning = heard;
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
