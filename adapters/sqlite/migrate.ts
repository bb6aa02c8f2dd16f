import { checkOptions, onlyNames, type PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  type MigrationRefusal,
  type MigrationReport,
  pendingMigrations,
} from '../sql/migrations.js';
import { failureOf } from './failures.js';
import { fill, migrations, statementsOf } from './schema.js';
import {
  checkConnection,
  type Prepare,
  preparer,
  rollBack,
  type SqliteLike,
} from './sqlite-like.js';

/** Milliseconds that a start waits for another one that migrates the same file. */
const longestWait = 10_000;

const createTable = `create table if not exists dealwright_migrations (
  number integer not null primary key,
  name text not null,
  checksum text not null
) strict`;

/** The choice whether to prune. */
export interface SqliteMigrationOptions {
  /**
   * Whether to fill in what processes of earlier versions left out that went on writing after the
   * migration: once none of them is left. Default `false`.
   */
  readonly prune?: boolean;
}

/**
 * Brings a database to the schema of this version: the missing steps, all in one transaction, so
 * that processes that start at the same time apply each step once. A database that a newer version
 * has migrated is refused and not changed, and so is one with different steps. Run it before
 * `createSqliteStore`; it waits up to 10 seconds for another process, and blocks meanwhile.
 *
 * A failure of SQLite itself is `unavailable`. Throws a `TypeError` if the value is not a
 * connection, or an option is wrong or does not exist.
 *
 * @example
 * ```ts
 * import { migrateSqlite } from 'dealwright/sqlite';
 * import Database from 'libsql';
 *
 * const migrated = migrateSqlite(new Database(':memory:'));
 * if (migrated.isErr() && migrated.error.code === 'newer') console.error(migrated.error.message);
 * ```
 */
export function migrateSqlite(
  db: SqliteLike,
  options: SqliteMigrationOptions = {},
): Result<MigrationReport, MigrationRefusal | PortFailure> {
  checkConnection(db, 'migrateSqlite');
  const { prune = false }: SqliteMigrationOptions = Object(options);
  checkOptions('migrateSqlite', {
    ...onlyNames('options', options, ['prune']),
    'prune is true or false': typeof prune === 'boolean',
  });
  const prepare = preparer(db);
  const run = (sql: string) => prepare(sql).run();
  let hasBegun = false;
  try {
    prepare(`pragma busy_timeout = ${longestWait}`).get();
    run('begin immediate');
    hasBegun = true;
    const pending = pendingMigrations(migrations, readApplied(prepare));
    if (pending.isErr() || (pending.value.length === 0 && !prune)) {
      run('rollback');
      return pending.map(() => report([]));
    }
    if (pending.value.length === migrations.length) refuseOtherEncoding(prepare);
    run(createTable);
    const note = prepare(
      'insert into dealwright_migrations (number, name, checksum) values (?, ?, ?)',
    );
    for (const { number, name, sql } of pending.value) {
      for (const statement of statementsOf(sql)) run(statement);
      note.run(number, name, checksumOf(sql));
    }
    if (prune) for (const statement of statementsOf(fill)) run(statement);
    run('commit');
    return ok(report(pending.value));
  } catch (cause) {
    if (hasBegun) rollBack(prepare);
    return err(failureOf(cause, 'none'));
  }
}

/**
 * The numbers of the steps that a database lacks, or why `migrateSqlite` would refuse it. It only
 * reads. Throws a `TypeError` if the value is not a connection.
 *
 * @example
 * ```ts
 * import { missingMigrations } from 'dealwright/sqlite';
 * import Database from 'libsql';
 *
 * const missing = missingMigrations(new Database(':memory:'));
 * if (missing.isOk() && missing.value.length > 0) console.error('run "dealwright migrate"');
 * ```
 */
export function missingMigrations(
  db: SqliteLike,
): Result<readonly number[], MigrationRefusal | PortFailure> {
  checkConnection(db, 'missingMigrations');
  try {
    const pending = pendingMigrations(migrations, readApplied(preparer(db)));
    return pending.map((steps) => steps.map(({ number }) => number));
  } catch (cause) {
    return err(failureOf(cause, 'none'));
  }
}

/** A file that holds deals already goes on as it is. */
function refuseOtherEncoding(prepare: Prepare): void {
  const { encoding } = prepare('pragma encoding').get<{ encoding: string }>() ?? {};
  if (encoding === 'UTF-8') return;
  throw new Error(
    `the database has the encoding ${encoding}, which orders texts in another way: give the store a file of its own`,
  );
}

function readApplied(prepare: Prepare): readonly AppliedMigration[] {
  const known = prepare(
    "select name from sqlite_schema where type = 'table' and name = 'dealwright_migrations'",
  ).get();
  if (known === undefined) return [];
  return prepare(
    'select number as number, checksum as checksum from dealwright_migrations',
  ).all<AppliedMigration>();
}

function report(taken: readonly Migration[]): MigrationReport {
  return { applied: taken.map(({ number }) => number), latest: migrations.length };
}

/**
 * The steps of the schema with their SQL, for hosts with their own tool for migrations. Each
 * records itself for `migrateSqlite`: steps that the tool has run are not run again.
 *
 * @example
 * ```ts
 * import { sqliteMigrations } from 'dealwright/sqlite';
 *
 * for (const { number, name, sql } of sqliteMigrations) console.log(`-- ${number} ${name}\n${sql}`);
 * ```
 */
export const sqliteMigrations: readonly Migration[] = Object.freeze(migrations.map(withStatements));

/**
 * The SQL of `migrateSqlite` with `prune`, for hosts with their own tool for migrations.
 *
 * @example
 * ```ts
 * import { sqlitePruning } from 'dealwright/sqlite';
 *
 * console.log(sqlitePruning);
 * ```
 */
export const sqlitePruning: string = `${fill}\n`;

function withStatements({ number, name, sql }: Migration): Migration {
  const note = `insert into dealwright_migrations (number, name, checksum)
  values (${number}, '${name}', '${checksumOf(sql)}');`;
  return Object.freeze({ number, name, sql: `${createTable};\n${sql}\n${note}\n` });
}
