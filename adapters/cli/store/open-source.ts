import { resolve } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import type { FileStore, StoreArchive } from 'dealwright/ports';
import { createPostgresArchive, printPostgresMigrations } from 'dealwright/postgres';
import { createSqliteArchive, sqliteMigrations } from 'dealwright/sqlite';
import { ok, type Result } from 'neverthrow';
import {
  findPostgres,
  findSqlite,
  type PostgresClient,
  type PostgresPool,
  type SqliteConnection,
} from './drivers.js';
import { databaseIn, filesIn } from './folder.js';
import { failed, nameOfSqlite, postgresName, type StoreProblem, wrong } from './open-store.js';
import type { KeptPlace } from './place.js';

/** A store that is read and left as it is: no folder is made, and no step of the schema taken. */
export interface Source {
  readonly files: FileStore;
  openArchive(): Promise<StoreArchive>;
  close(): Promise<void>;
}

/** Opens what a dump reads. One of another schema is refused: it may hold what we do not know. */
export function openSource(
  process: NodeJS.Process,
  place: KeptPlace,
): Promise<Result<Source, StoreProblem>> {
  const folder = resolve(place.folder);
  const files = createFolderFileStore({ folder: filesIn(folder) });
  return place.kind === 'sqlite'
    ? readSqlite(process, databaseIn(folder), files)
    : readPostgres(place.url, files);
}

async function readSqlite(
  process: NodeJS.Process,
  path: string,
  files: FileStore,
): Promise<Result<Source, StoreProblem>> {
  const driver = await findSqlite(process);
  if (driver.isErr()) return wrong(driver.error);
  const name = nameOfSqlite(path);
  let db: SqliteConnection | undefined;
  const close = async () => void db?.close();
  try {
    const opened = driver.value(path);
    db = opened;
    const found = opened.prepare('select max(number) as latest from dealwright_migrations').get();
    const problem = mismatch(Object(found).latest, sqliteMigrations.length);
    if (problem === undefined) {
      return ok({ files, openArchive: async () => createSqliteArchive(opened), close });
    }
    await close();
    return failed(name, { code: 'unmigrated', message: problem });
  } catch (cause) {
    await close();
    return failed(name, { code: 'unavailable', cause });
  }
}

async function readPostgres(url: string, files: FileStore): Promise<Result<Source, StoreProblem>> {
  const driver = await findPostgres();
  if (driver.isErr()) return wrong(driver.error);
  let pool: PostgresPool | undefined;
  let client: PostgresClient | undefined;
  const close = async () => {
    client?.release();
    await pool?.end();
  };
  try {
    const opened = driver.value(url);
    pool = opened;
    const text = 'select max(number)::text as latest from dealwright.migrations';
    const { rows } = await opened.query({ text });
    // each step stands behind a line that names it
    const known = printPostgresMigrations().match(/^-- dealwright, migration \d+:/gm) ?? [];
    const problem = mismatch(rows[0]?.['latest'], known.length);
    if (problem === undefined) {
      const openArchive = async () => {
        // a transaction has one connection, which serves nobody else
        client = await opened.connect();
        return createPostgresArchive(client);
      };
      return ok({ files, openArchive, close });
    }
    await close();
    return failed(postgresName, { code: 'unmigrated', message: problem });
  } catch (cause) {
    await close();
    return failed(postgresName, { code: 'unavailable', cause });
  }
}

/** Why the last step of a database is another than ours, where it is. */
function mismatch(latest: unknown, known: number): string | undefined {
  const found = Number(latest ?? 0);
  if (found === known) return undefined;
  return found > known
    ? `it has migration ${found} and this version of dealwright knows ${known}: use a newer one`
    : `it has ${found} of ${known} migrations: run dealwright migrate`;
}
