import { createFolderFileStore } from 'dealwright/files';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { Store, StoreArchive } from 'dealwright/ports';
import {
  createPostgresStore,
  distributePostgres,
  hasCitus,
  migratePostgres,
} from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';
import type { SweptParts } from '../sweep.js';
import { withPostgres, withSqlite } from './connect.js';
import type { PostgresPool } from './drivers.js';
import { type DataFolder, makeDataFolder, prepareDatabaseFile } from './folder.js';
import type { StorePlace } from './place.js';
import { postgresMismatch, sqliteMismatch } from './schema-version.js';
import { failed, type StoreProblem, unlike, wrong } from './store-problem.js';

/** A store that is open, with the contents of its work files. */
export interface OpenStore {
  readonly ports: { readonly store: Store } & Pick<SweptParts, 'files'>;
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
  return place.kind === 'sqlite'
    ? openSqlite(process, folder.value, migrate)
    : openPostgres(place.url, folder.value, migrate);
}

function openMemory(): OpenStore {
  const store = createMemoryStore();
  const ports = { store, files: createMemoryFileStore() };
  const where = 'in memory until it stops';
  const openArchive = async () => store.archive;
  return { ports, openArchive, where, applied: [], close: async () => {} };
}

function openSqlite(process: NodeJS.Process, data: DataFolder, migrate: boolean): Promise<Opened> {
  const { folder, database, files } = data;
  return withSqlite(process, database, async ({ name, connect, openArchive, close }) => {
    const made = await prepareDatabaseFile(data, (warning) =>
      process.stderr.write(`dealwright: ${warning}\n`),
    );
    if (made.isErr()) return wrong(made.error);
    const db = connect();
    const problem = migrate ? undefined : sqliteMismatch(db);
    if (problem !== undefined) return unlike(name, problem);
    const migrated = migrate ? migrateSqlite(db) : ok({ applied: [] });
    if (migrated.isErr()) return failed(name, migrated.error);
    const store = createSqliteStore(db);
    return probe(name, {
      ports: { store, files: createFolderFileStore({ folder: files }) },
      openArchive,
      where: `in ${printable(folder)}`,
      applied: migrated.value.applied,
      close: async () => {
        await store.close();
        await close();
      },
    });
  });
}

function openPostgres(
  url: string,
  { folder, files }: DataFolder,
  migrate: boolean,
): Promise<Opened> {
  return withPostgres(url, async ({ name, connect, openArchive, close }) => {
    const pool = connect();
    const problem = migrate ? undefined : await postgresMismatch(pool);
    if (problem !== undefined) return unlike(name, problem);
    const migrated = migrate ? await migratePostgres(pool) : ok({ applied: [] });
    if (migrated.isErr()) return failed(name, migrated.error);
    const closed = await closedTables(pool);
    if (closed.length > 0) {
      const needed = 'select, insert and update on all tables in the schema dealwright';
      return failed(name, {
        code: 'read_only',
        message: `its role may not read and write ${closed.join(', ')}: grant ${needed}`,
      });
    }
    const isCluster = await hasCitus(pool);
    if (isCluster.isErr()) return failed(name, isCluster.error);
    // a cluster takes a statement for its node by its tenant
    const gather = isCluster.value ? { by: 'tenant' as const } : {};
    return probe(name, {
      ports: {
        store: createPostgresStore(pool, { gather }),
        files: createFolderFileStore({ folder: files }),
      },
      openArchive,
      where: `in PostgreSQL at ${printable(serverOf(url))}, work files in ${printable(folder)}`,
      applied: migrated.value.applied,
      distribute: async () => {
        const done = await distributePostgres(pool);
        return done.isErr() ? failed(name, done.error) : ok(done.value.distributed);
      },
      close,
    });
  });
}

/**
 * The tables that the role may not read and write: it would be refused later, with each call that
 * needs them. Of the migrations to read is enough, which was done by then.
 */
async function closedTables(pool: PostgresPool): Promise<readonly unknown[]> {
  const may = (right: string) => `has_table_privilege(c.oid, '${right}')`;
  const text = `select c.relname::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'dealwright' and c.relkind in ('r', 'p') and c.relname <> 'migrations'
      and not (${may('select')} and ${may('insert')} and ${may('update')})
    order by c.relname`;
  const { rows } = await pool.query({ text });
  return rows.map((row) => row['name']);
}

/** Which server and database an address names, without its user and password. */
function serverOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  // a folder of Unix sockets is a parameter
  const host = searchParams.get('host') ?? hostname;
  const at = searchParams.get('port') ?? port;
  return `${host}${at === '' ? '' : `:${at}`}${pathname}`;
}

/** Asks a store something: one whose database was not migrated is told before it serves. */
async function probe(name: string, store: OpenStore): Promise<Opened> {
  const tenant = { environment: 'sandbox', partner: 'dealwright' } as const;
  const asked = await store.ports.store.deals.byPartnerId(tenant, 'dealwright', []);
  return asked.isOk() ? ok(store) : failed(name, asked.error);
}
