import type { Store, StoreArchive } from 'dealwright/ports';
import {
  createPostgresArchive,
  createPostgresStore,
  distributePostgres,
  fromPgNotifications,
  hasCitus,
  migratePostgres,
  missingFunctions,
  missingMigrations as missingInPostgres,
} from 'dealwright/postgres';
import {
  createSqliteArchive,
  createSqliteStore,
  migrateSqlite,
  missingMigrations as missingInSqlite,
} from 'dealwright/sqlite';
import { ok, type Result } from 'neverthrow';
import { printable } from '../output.js';
import { damagedLog, type Failed, failed, type Problem, unused, wrong } from '../problem.js';
import { findPostgres, findSqlite, type PostgresPool, type SqliteConnection } from './drivers.js';
import type { KeptPlace } from './folder.js';
import { keepMark, markedAt, placesIn, removeMark } from './folder.js';
import { logDamage } from './log-damage.js';

/** A database whose driver is found. The first call connects to it, and creates its file. */
export interface Database {
  /** For a person: it contains no secret. */
  readonly name: string;
  /**
   * Of SQLite: marks the database as in use until it closes. If there is another mark, of a process
   * that runs or was killed, the database is checked: the damage found is returned.
   */
  readonly begin?: () => Promise<string | undefined>;
  /** The numbers of the steps that its schema lacks. */
  missing(): Promise<Result<readonly number[], Failed>>;
  /** Brings its schema to this version. */
  migrate(): Promise<Result<Migrated, Failed>>;
  createStore(): Promise<Result<Store & { close?(): Promise<void> }, Problem>>;
  /**
   * Fills in what processes of other versions left out. Of PostgreSQL it also drops their functions,
   * and returns their names.
   */
  readonly prune?: () => Promise<Result<readonly string[], Problem>>;
  /**
   * Of PostgreSQL: distributes the tables over a cluster, and returns their names; or why it
   * cannot.
   */
  readonly distribute?: () => Promise<Result<readonly string[], Problem>>;
  /** The archive for `dump` and `restore`, over its own connection. */
  openArchive(): Promise<StoreArchive>;
  close(): Promise<void>;
}

/** The result of a migration: the steps taken, and the functions made in PostgreSQL. */
interface Migrated {
  readonly applied: readonly number[];
  readonly created: readonly string[];
}

/**
 * Uses the database of a place. If that fails or throws, it is closed. One with a damaged log is not
 * even opened: that alone could make SQLite throw away what follows the damage.
 */
export async function withDatabase<Made>(
  process: NodeJS.Process,
  place: KeptPlace,
  use: (database: Database) => Promise<Result<Made, Problem>>,
): Promise<Result<Made, Problem>> {
  const found =
    place.kind === 'sqlite'
      ? await findSqliteDatabase(process, placesIn(place.folder).database)
      : await findPostgresDatabase(place.url);
  if (found.isErr()) return wrong(found.error);
  const database = found.value;
  if (place.kind === 'sqlite') {
    const path = placesIn(place.folder).database;
    const damage = logDamage(path);
    if (damage !== undefined) return damagedLog(database.name, path, damage);
  }
  const made = await use(database).catch((cause) => failed(database.name, { cause }));
  // the first problem is the reported one; a pool that is ended twice rejects
  if (made.isErr()) await database.close().catch(() => undefined);
  return made;
}

async function findSqliteDatabase(
  process: NodeJS.Process,
  path: string,
): Promise<Result<Database, string>> {
  const driver = await findSqlite(process);
  return driver.map((open) => {
    const opened: SqliteConnection[] = [];
    let isWritten = false;
    let isMarked = false;
    const connect = () => {
      const db = open(path);
      opened.push(db);
      return db;
    };
    const shared = () => opened[0] ?? connect();
    return {
      name: `the database ${printable(path)}`,
      missing: async () => missingInSqlite(shared()),
      async begin() {
        const found = await markedAt(path);
        const said = found.length === 0 ? 'ok' : quickCheck(shared());
        if (said !== 'ok') return said;
        await keepMark(path, process.pid, found);
        isMarked = true;
        return undefined;
      },
      migrate: async () => migrateSqlite(shared()).map(({ applied }) => ({ applied, created: [] })),
      async prune() {
        isWritten = true;
        const done = migrateSqlite(shared(), { prune: true });
        return done.isErr() ? failed(`the database ${printable(path)}`, done.error) : ok([]);
      },
      async createStore() {
        isWritten = true;
        return ok(createSqliteStore(shared()));
      },
      // a dump is its own transaction, beside the writes of that time
      openArchive: async () => createSqliteArchive(connect()),
      async close() {
        if (isWritten) emptyLog(shared());
        for (const db of opened.splice(0)) db.close();
        if (isMarked) await removeMark(path, process.pid);
      },
    };
  });
}

function quickCheck(db: SqliteConnection): string {
  const [found] = db.prepare('pragma quick_check(1)').all();
  return String(Object(found).quick_check);
}

/** Not every driver does so when it closes. If another process is at work, it keeps the log. */
function emptyLog(db: SqliteConnection): void {
  try {
    db.prepare('pragma busy_timeout = 100').get();
    db.prepare('pragma wal_checkpoint(truncate)').get();
  } catch {
    // the next start reads the log, and checks the database
  }
}

async function findPostgresDatabase(url: string): Promise<Result<Database, string>> {
  const driver = await findPostgres();
  return driver.map(({ createPool, createListener }) => {
    // its address may have a password in it
    const name = 'the database of DATABASE_URL';
    const pool = createPool(url);
    let release = () => {};
    return {
      name,
      missing: async () => missingInPostgres(pool),
      migrate: async () => migratePostgres(pool),
      async createStore() {
        const closed = await closedTables(pool);
        if (closed.length > 0) {
          const needed =
            'select, insert and update on all tables, and execute on all functions, in the schema dealwright';
          return unused(
            name,
            `its role may not read and write ${closed.join(', ')}: grant ${needed}`,
          );
        }
        const missing = await missingFunctions(pool);
        if (missing.isErr()) return failed(name, missing.error);
        if (missing.value.length > 0) {
          const lacking = missing.value.join(', ');
          return unused(
            name,
            `it lacks functions of this version (${lacking}): run dealwright migrate`,
          );
        }
        const isCluster = await hasCitus(pool);
        if (isCluster.isErr()) return failed(name, isCluster.error);
        const gather = isCluster.value ? { by: 'node' as const } : {};
        // on a cluster, processes only notify those on the same node
        const notifications = fromPgNotifications(() => createListener(url));
        return ok(createPostgresStore(pool, { gather, notifications }));
      },
      async prune() {
        const done = await migratePostgres(pool, { prune: true });
        return done.isErr() ? failed(name, done.error) : ok(done.value.dropped);
      },
      async distribute() {
        const done = await distributePostgres(pool);
        return done.isErr() ? failed(name, done.error) : ok(done.value.distributed);
      },
      async openArchive() {
        // a transaction has one connection, used for nothing else
        const client = await pool.connect();
        release = () => client.release();
        return createPostgresArchive(client);
      },
      async close() {
        release();
        await pool.end();
      },
    };
  });
}

/** The database, if its schema is that of this version. */
export async function matching(database: Database): Promise<Result<Database, Problem>> {
  const { name } = database;
  const missing = await database.missing();
  if (missing.isErr()) return failed(name, missing.error);
  if (missing.value.length === 0) return ok(database);
  const lacking = `migrations are missing (${missing.value.join(', ')}): run dealwright migrate`;
  return unused(name, lacking).mapErr((problem) => ({ ...problem, isUnmigrated: true }));
}

/**
 * The tables that the role may not read and write: later calls would be refused. A function assigns
 * ids, which may be the only right to them. For the migrations reading is enough, and was done by
 * then.
 */
async function closedTables(pool: PostgresPool): Promise<readonly unknown[]> {
  const may = (right: string) => `has_table_privilege(c.oid, '${right}')`;
  const text = `select c.relname::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'dealwright' and c.relkind in ('r', 'p') and c.relname <> 'migrations'
      and not (${may('select')} and ${may('insert')} and ${may('update')}
        and (c.relname <> 'ids' or exists (select from pg_proc p where p.pronamespace = n.oid
          and p.proname = 'take_ids_2' and has_function_privilege(p.oid, 'execute'))))
    order by c.relname`;
  const { rows } = await pool.query({ text });
  return rows.map((row) => row['name']);
}
