import { createFolderFileStore } from 'dealwright/files';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { FileStore, Store } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../output.js';
import { damaged, failed, type Problem, say, wrong } from '../problem.js';
import { type Database, matching, withDatabase } from './database.js';
import type { StorePlace } from './folder.js';
import { makeDataFolder, placesIn, prepareDatabaseFile } from './folder.js';

export interface OpenStore
  extends Pick<Database, 'openArchive' | 'prune' | 'distribute' | 'close'> {
  readonly ports: { readonly store: Store } & { readonly files: Required<FileStore> };
  /** The place of the deals, in words; it contains no secret. */
  readonly where: string;
  /** The migrations that it ran. */
  readonly applied: readonly number[];
  /** The functions that it made in PostgreSQL. */
  readonly created: readonly string[];
}

/** Opens the store of a place, and brings its database to the schema of this version. */
export async function openStore(
  process: NodeJS.Process,
  place: StorePlace,
  isMigrating: boolean,
): Promise<Result<OpenStore, Problem>> {
  if (place.kind === 'memory') {
    const store = createMemoryStore();
    return ok({
      ports: { store, files: createMemoryFileStore() },
      openArchive: async () => store.archive,
      where: 'in memory until it stops',
      applied: [],
      created: [],
      close: async () => {},
    });
  }
  const places = placesIn(place.folder);
  const made = await makeDataFolder(places);
  if (made.isErr()) return wrong(made.error);
  return withDatabase(process, place, async (database): Promise<Result<OpenStore, Problem>> => {
    const { name } = database;
    if (place.kind === 'sqlite') {
      const prepared = await prepareDatabaseFile(places, (text) => say(process, text));
      if (prepared.isErr()) return wrong(prepared.error);
    }
    const damage = await database.begin?.();
    if (damage !== undefined) return damaged(name, damage);
    const found = isMigrating ? ok(database) : await matching(database);
    if (found.isErr()) return err(found.error);
    const migrated = isMigrating ? await database.migrate() : ok({ applied: [], created: [] });
    if (migrated.isErr()) return failed(name, migrated.error);
    const created = await database.createStore();
    if (created.isErr()) return err(created.error);
    const store = created.value;
    // a database that was not migrated is reported before the service starts
    const tenant = { environment: 'sandbox', partner: 'dealwright' } as const;
    const asked = await store.deals.byPartnerId(tenant, 'dealwright', []);
    if (asked.isErr()) return failed(name, asked.error);
    const folder = printable(places.folder);
    return ok({
      ...database,
      ports: { store, files: createFolderFileStore({ folder: places.files }) },
      where:
        place.kind === 'sqlite'
          ? `in ${folder}`
          : `in PostgreSQL at ${printable(serverOf(place.url))}, work files in ${folder}`,
      ...migrated.value,
      async close() {
        await store.close?.();
        await database.close();
      },
    });
  });
}

/** The server and the database of an address, without its user and password. */
function serverOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  // a folder of Unix sockets is a parameter
  const host = searchParams.get('host') ?? hostname;
  const at = searchParams.get('port') ?? port;
  return `${host}${at === '' ? '' : `:${at}`}${pathname}`;
}
