import { createFolderFileStore } from 'dealwright/files';
import { createMemoryStore } from 'dealwright/memory';
import type { FileStore, StoreArchive, StorePorts } from 'dealwright/ports';
import {
  createPostgresStore,
  distributePostgres,
  hasCitus,
  migratePostgres,
} from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';
import { withPostgres, withSqlite } from './connect.js';
import { type DataFolder, makeDatabaseFile, makeDataFolder } from './folder.js';
import type { StorePlace } from './place.js';
import { failed, type StoreProblem, wrong } from './store-problem.js';

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
  const { archive, ...ports } = createMemoryStore();
  const where = 'in memory until it stops';
  const openArchive = async () => archive;
  return { ports, openArchive, where, applied: [], close: async () => {} };
}

function openSqlite(
  process: NodeJS.Process,
  { folder, database: path, files }: DataFolder,
  migrate: boolean,
): Promise<Opened> {
  return withSqlite(process, path, async ({ name, connect, openArchive, close }) => {
    const made = await makeDatabaseFile(path);
    if (made.isErr()) return wrong(made.error);
    const db = connect();
    const migrated = migrate ? migrateSqlite(db) : ok({ applied: [] });
    if (migrated.isErr()) return failed(name, migrated.error);
    return probe(name, {
      ports: { ...createSqliteStore(db), files: createFolderFileStore({ folder: files }) },
      openArchive,
      where: `in ${printable(folder)}`,
      applied: migrated.value.applied,
      close,
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
    const migrated = migrate ? await migratePostgres(pool) : ok({ applied: [] });
    if (migrated.isErr()) return failed(name, migrated.error);
    const isCluster = await hasCitus(pool);
    if (isCluster.isErr()) return failed(name, isCluster.error);
    // a cluster takes a statement for its node by its tenant
    const gather = isCluster.value ? { by: 'tenant' as const } : {};
    const { hostname, port, pathname } = new URL(url);
    const server = `${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
    return probe(name, {
      ports: {
        ...createPostgresStore(pool, { gather }),
        files: createFolderFileStore({ folder: files }),
      },
      openArchive,
      where: `in PostgreSQL at ${printable(server)}, work files in ${printable(folder)}`,
      applied: migrated.value.applied,
      distribute: async () => {
        const done = await distributePostgres(pool);
        return done.isErr() ? failed(name, done.error) : ok(done.value.distributed);
      },
      close,
    });
  });
}

/** Asks a store something: one whose database was not migrated is told before it serves. */
async function probe(name: string, store: OpenStore): Promise<Opened> {
  const tenant = { environment: 'sandbox', partner: 'dealwright' } as const;
  const asked = await store.ports.dealIndex.byPartnerId(tenant, 'dealwright');
  return asked.isOk() ? ok(store) : failed(name, asked.error);
}
