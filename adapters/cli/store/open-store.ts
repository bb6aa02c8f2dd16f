import { createFolderFileStore } from 'dealwright/files';
import { createMemoryStore } from 'dealwright/memory';
import type { FileStore, PortFailure, StoreArchive, StorePorts } from 'dealwright/ports';
import {
  createPostgresArchive,
  createPostgresStore,
  distributePostgres,
  migratePostgres,
} from 'dealwright/postgres';
import { createSqliteArchive, createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { type Err, err, ok, type Result } from 'neverthrow';
import { failedExit, usageExit } from '../exit-codes.js';
import { printable } from '../printable.js';
import {
  findPostgres,
  findSqlite,
  type PostgresClient,
  type PostgresPool,
  type SqliteConnection,
} from './drivers.js';
import { makeDatabaseFile, makeDataFolder } from './folder.js';
import type { StorePlace } from './place.js';

/** A store that is open, with the contents of its work files. */
export interface OpenStore {
  readonly ports: StorePorts & { readonly files: FileStore };
  /** What `dump` reads and `restore` writes, over a connection of its own. */
  openArchive(): Promise<StoreArchive>;
  /** Where deals are, in words: nothing secret is in it. */
  readonly where: string;
  /** The steps of the schema that were applied now. */
  readonly applied: readonly number[];
  /** Of PostgreSQL: distributes the tables over a cluster, and answers which; or why it cannot. */
  readonly distribute?: () => Promise<Result<readonly string[], StoreProblem>>;
  close(): Promise<void>;
}

/** Why there is no store, and the exit code that says it. */
export interface StoreProblem {
  readonly message: string;
  readonly exit: number;
}

type Opened = Result<OpenStore, StoreProblem>;

/** Opens the store of a place, and brings its database to the schema of this version. */
export async function openStore(
  process: NodeJS.Process,
  place: StorePlace,
  migrate: boolean,
): Promise<Opened> {
  if (place.kind === 'memory') return ok(openMemory());
  const folder = await makeDataFolder(place.folder);
  if (folder.isErr()) return wrong(folder.error);
  const files = createFolderFileStore({ folder: folder.value.files });
  return place.kind === 'sqlite'
    ? openSqlite(process, folder.value.folder, folder.value.database, files, migrate)
    : openPostgres(place.url, folder.value.folder, files, migrate);
}

function openMemory(): OpenStore {
  const { archive, ...ports } = createMemoryStore();
  const where = 'in memory until it stops';
  const openArchive = async () => archive;
  return { ports, openArchive, where, applied: [], close: async () => {} };
}

async function openSqlite(
  process: NodeJS.Process,
  folder: string,
  path: string,
  files: FileStore,
  migrate: boolean,
): Promise<Opened> {
  const driver = await findSqlite(process);
  if (driver.isErr()) return wrong(driver.error);
  const made = await makeDatabaseFile(path);
  if (made.isErr()) return wrong(made.error);
  const open: SqliteConnection[] = [];
  const connect = () => {
    const db = driver.value(path);
    open.push(db);
    return db;
  };
  const close = async () => {
    for (const db of open.splice(0)) db.close();
  };
  const name = nameOfSqlite(path);
  try {
    const db = connect();
    const migrated = migrate ? migrateSqlite(db) : ok({ applied: [] });
    if (migrated.isErr()) {
      await close();
      return failed(name, migrated.error);
    }
    const ports = { ...createSqliteStore(db), files };
    // a dump is a transaction of its own, beside what is written meanwhile
    const openArchive = async () => createSqliteArchive(connect());
    const opened = { ports, openArchive, where: `in ${printable(folder)}`, close };
    return probe(name, { ...opened, applied: migrated.value.applied });
  } catch (error) {
    await close();
    return failed(name, { code: 'unavailable', cause: error });
  }
}

async function openPostgres(
  url: string,
  folder: string,
  files: FileStore,
  migrate: boolean,
): Promise<Opened> {
  const driver = await findPostgres();
  if (driver.isErr()) return wrong(driver.error);
  const name = postgresName;
  let pool: PostgresPool | undefined;
  let client: PostgresClient | undefined;
  const close = async () => {
    client?.release();
    await pool?.end();
  };
  try {
    pool = driver.value(url);
    const migrated = migrate ? await migratePostgres(pool) : ok({ applied: [] });
    if (migrated.isErr()) {
      await close();
      return failed(name, migrated.error);
    }
    const { hostname, port, pathname } = new URL(url);
    const server = `${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
    const from = pool;
    const gather = (await isCluster(pool)) ? { by: 'tenant' as const } : {};
    return probe(name, {
      ports: { ...createPostgresStore(pool, { gather }), files },
      openArchive: async () => {
        // a transaction has one connection, which serves nobody else
        client = await from.connect();
        return createPostgresArchive(client);
      },
      where: `in PostgreSQL at ${printable(server)}, work files in ${printable(folder)}`,
      applied: migrated.value.applied,
      distribute: async () => {
        const done = await distributePostgres(from);
        if (done.isErr()) return failed(name, done.error);
        return ok(done.value.distributed);
      },
      close,
    });
  } catch (error) {
    await close();
    return failed(name, { code: 'unavailable', cause: error });
  }
}

/** Whether it is a cluster of Citus, which takes a statement for its node by its tenant. */
async function isCluster(pool: PostgresPool): Promise<boolean> {
  const text = `select (to_regclass('pg_dist_partition') is not null)::int::text as answer`;
  const { rows } = await pool.query({ text });
  return rows[0]?.['answer'] === '1';
}

/** Asks a store something: one whose database was not migrated is told before it serves. */
async function probe(name: string, store: OpenStore): Promise<Opened> {
  const tenant = { environment: 'sandbox', partner: 'dealwright' } as const;
  const asked = await store.ports.dealIndex.byPartnerId(tenant, 'dealwright');
  if (asked.isOk()) return ok(store);
  await store.close();
  return failed(name, asked.error);
}

/** The database of PostgreSQL, for a person: its address may have a password in it. */
export const postgresName = 'the database of DATABASE_URL';

/** The database of a folder, for a person. */
export function nameOfSqlite(path: string): string {
  return `the database ${printable(path)}`;
}

type Failed =
  | Pick<PortFailure, 'code' | 'cause'>
  | { readonly code: string; readonly message: string };

/** A database that is there and does not serve. */
export function failed(name: string, failure: Failed): Err<never, StoreProblem> {
  if ('message' in failure) {
    return err({ message: `${name} is not used: ${failure.message}`, exit: failedExit });
  }
  return err({ message: `${name} cannot be used: ${causeText(failure.cause)}`, exit: failedExit });
}

/** A setting that leads nowhere. */
export function wrong(message: string): Err<never, StoreProblem> {
  return err({ message, exit: usageExit });
}

const full = /SQLITE_FULL|ENOSPC|disk is full|53100/;

/** What a driver or a system threw, on one line, down to what it says first hand. */
export function causeText(cause: unknown): string {
  const { code, message, cause: deeper, errors }: Told = Object(cause);
  if (deeper !== undefined && deeper !== null) return causeText(deeper);
  // of several addresses that were tried, each failed in its own way
  if (Array.isArray(errors) && errors.length > 0) return causeText(errors[0]);
  const said = printable(typeof message === 'string' && message !== '' ? message : String(cause));
  const text = typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said;
  if (full.test(text)) return `the disk is full: ${text}`;
  return /no such table|42P01/.test(text)
    ? `it was not migrated: run dealwright migrate, or serve without --no-migrate (${text})`
    : text;
}

interface Told {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}
