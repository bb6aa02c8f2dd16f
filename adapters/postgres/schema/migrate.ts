import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';
import {
  type AppliedMigration,
  type KnownMigration,
  type MigrationRefusal,
  type MigrationReport,
  pendingMigrations,
} from '../../sql/migrations.js';
import { textsOf } from '../connection/answers.js';
import { failureOf, portFailure } from '../connection/failures.js';
import { type SchemaChoice, schemaName } from '../connection/options.js';
import type { PostgresLike } from '../connection/postgres-like.js';
import {
  appliedSql,
  functionsSql,
  isMigratedSql,
  missingFunctionsSql,
  otherFunctionsSql,
  pruneSql,
  stepSql,
} from './migration-sql.js';
import { migrations } from './steps.js';

/** The choice of a schema, and whether to prune. */
export interface PostgresMigrationOptions extends SchemaChoice {
  /**
   * Whether functions of other versions are dropped, and what their processes left out is filled
   * in: only once no process of such a version is left, as its every write would fail. Default
   * `false`.
   */
  readonly prune?: boolean;
}

/** The result of a migration, with its functions. */
export interface PostgresMigrationReport extends MigrationReport {
  /** The functions that were created. */
  readonly created: readonly string[];
  /** The functions of other versions that were dropped. */
  readonly dropped: readonly string[];
}

/**
 * Brings a database to the schema that this version of the store needs: each missing step, and then
 * the functions of this version, each in its own transaction, under an advisory lock of the server.
 * If several start at once, one migrates, and the others wait and find nothing to do. If nothing is
 * missing it only reads.
 *
 * The functions of other versions stay, for the processes that use them, until `prune` is set. It
 * also fills in what those processes left out, as they do not know all fields.
 *
 * It needs a role that may create a schema, or the schema and a role that may create tables and
 * functions in it. Every step is one statement, so poolers in transaction mode may be in between.
 *
 * Refusals: `newer`, if a later version of this library migrated the database; `changed`, if one of
 * its steps differs from this version's. Then nothing is changed. `unavailable`, with the driver's
 * error as `cause`, if the database could not be asked or a step failed: earlier steps stay, and
 * the failed one is rolled back. Calling it again goes on from there. It throws a `TypeError` if an
 * option is wrong or does not exist, or the database has no `query()`.
 *
 * @example
 * ```ts no-run
 * import { migratePostgres } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * const migrated = await migratePostgres(pool);
 * if (migrated.isErr()) throw new Error('not migrated', { cause: migrated.error });
 * ```
 */
export function migratePostgres(
  db: PostgresLike,
  options: PostgresMigrationOptions = {},
): ResultAsync<PostgresMigrationReport, MigrationRefusal | PortFailure> {
  const { schema, prune } = readOptions('migratePostgres', options, db ?? null);
  return applyMigrations(db, schema, migrations).andThen((report) =>
    change(db, missingFunctionsSql(schema), functionsSql(schema)).andThen((created) => {
      const pruned = prune ? change(db, otherFunctionsSql(schema), pruneSql(schema)) : okAsync([]);
      return pruned.map((dropped) => ({ ...report, created, dropped }));
    }),
  );
}

/**
 * The numbers of the steps that a database lacks, or why `migratePostgres` would refuse it. It only
 * reads. Throws a `TypeError` if an option is wrong, or the database has no `query()`.
 *
 * @example
 * ```ts no-run
 * import { missingMigrations } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * const missing = await missingMigrations(pool);
 * if (missing.isOk() && missing.value.length > 0) throw new Error('run "dealwright migrate"');
 * ```
 */
export function missingMigrations(
  db: PostgresLike,
  options: SchemaChoice = {},
): ResultAsync<readonly number[], MigrationRefusal | PortFailure> {
  const schema = schemaName('missingMigrations', options, db ?? null);
  return new ResultAsync<readonly Applied[], MigrationRefusal | PortFailure>(
    readApplied(db, schema),
  )
    .andThen((applied) => pendingMigrations(migrations, applied))
    .map((pending) => pending.map(({ number }) => number));
}

/**
 * The functions of this version that a database lacks: a store fails with each write until
 * `migratePostgres` has made them. It reads, with one statement. `unavailable`, with the driver's
 * error as `cause`, if the database could not be asked. Throws a `TypeError` if an option is wrong,
 * or the database has no `query()`.
 *
 * @example
 * ```ts no-run
 * import { missingFunctions } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * const missing = await missingFunctions(pool);
 * if (missing.isErr()) throw new Error('not asked', { cause: missing.error });
 * if (missing.value.length > 0) throw new Error('run "dealwright migrate"');
 * ```
 */
export function missingFunctions(
  db: PostgresLike,
  options: SchemaChoice = {},
): ResultAsync<readonly string[], PortFailure> {
  const schema = schemaName('missingFunctions', options, db ?? null);
  return new ResultAsync(namesOf(db, missingFunctionsSql(schema)));
}

/**
 * The SQL that `migratePostgres` runs, for hosts whose own tool migrates. It contains all steps,
 * one statement each, and then the functions. Existing steps are skipped, and a newer database is
 * refused, with an error of the server. Run it with a tool that stops at the first error: `psql -v
 * ON_ERROR_STOP=1`.
 *
 * @example
 * ```ts
 * import { printPostgresMigrations } from 'dealwright/postgres';
 *
 * const sql = printPostgresMigrations({ schema: 'marketplace_deals' });
 * ```
 */
export function printPostgresMigrations(options: PostgresMigrationOptions = {}): string {
  const { schema, prune } = readOptions('printPostgresMigrations', options);
  const steps = migrations.map((each) => {
    const sql = stepSql(schema, each, migrations.length, 'printed');
    return `-- dealwright, migration ${each.number}: ${each.name}\n${sql}`;
  });
  const functions = `-- dealwright, functions\n${functionsSql(schema)}`;
  const pruning = `-- dealwright, functions of other versions\n${pruneSql(schema)}`;
  return [...steps, functions, ...(prune ? [pruning] : [])].join('\n');
}

function readOptions(
  asked: string,
  options: PostgresMigrationOptions,
  db?: PostgresLike | null,
): Required<PostgresMigrationOptions> {
  const { prune = false }: PostgresMigrationOptions = Object(options);
  const schema = schemaName(asked, options, db, ['schema', 'prune'], {
    'prune is true or false': typeof prune === 'boolean',
  });
  return { schema, prune };
}

/** Runs a statement if `list` finds rows, and returns those that it no longer finds afterwards. */
function change(
  db: PostgresLike,
  list: string,
  text: string,
): ResultAsync<readonly string[], PortFailure> {
  const changed = async (): Promise<Result<readonly string[], PortFailure>> => {
    const before = await namesOf(db, list);
    if (before.isErr() || before.value.length === 0) return before;
    const failure = await run(db, text);
    const after = await namesOf(db, list);
    if (after.isErr()) return err(failure ?? after.error);
    // a failure does not count if nothing is left to do, even by another process
    if (failure !== undefined && after.value.length > 0) return err(failure);
    return ok(before.value.filter((name) => !after.value.includes(name)));
  };
  return new ResultAsync(changed());
}

async function namesOf(
  db: PostgresLike,
  text: string,
): Promise<Result<readonly string[], PortFailure>> {
  try {
    return ok((await textsOf(db, { text })).map(String));
  } catch (cause) {
    return portFailure({ ...failureOf(cause), outcome: 'none' }, false);
  }
}

/** Applies the missing ones of some steps. */
export function applyMigrations(
  db: PostgresLike,
  schema: string,
  all: readonly KnownMigration[],
): ResultAsync<MigrationReport, MigrationRefusal | PortFailure> {
  return new ResultAsync(apply(db, schema, all));
}

interface Applied extends AppliedMigration {
  readonly attempt: string;
}

async function apply(
  db: PostgresLike,
  schema: string,
  all: readonly KnownMigration[],
): Promise<Result<MigrationReport, MigrationRefusal | PortFailure>> {
  // in a row it proves that we wrote it, even if the answer was lost
  const attempt = crypto.randomUUID();
  let before = Number.POSITIVE_INFINITY;
  let failure: PortFailure | undefined;
  for (;;) {
    const applied = await readApplied(db, schema);
    if (applied.isErr()) return err(failure ?? applied.error);
    const pending = pendingMigrations(all, applied.value);
    if (pending.isErr()) return err(pending.error);
    const [next] = pending.value;
    if (next === undefined) return ok(reportOf(applied.value, attempt));
    // a failed step does not count if it exists now, even by another process
    if (pending.value.length >= before) return err(failure ?? unchanged(next));
    before = pending.value.length;
    failure = await run(db, stepSql(schema, next, all.length, attempt));
  }
}

/** With these a server takes the texts of drivers, which are UTF-8, as they are. */
const encodings = ['UTF8', 'SQL_ASCII'];

const foreign = (encoding: string) =>
  new Error(
    `the connection has the client_encoding ${encoding}, and its texts are UTF-8: leave the setting out`,
  );

async function readApplied(
  db: PostgresLike,
  schema: string,
): Promise<Result<readonly Applied[], PortFailure>> {
  try {
    const [text] = await textsOf(db, { text: isMigratedSql(schema) });
    const [isMigrated, encoding] = JSON.parse(text ?? '') as readonly [boolean, string];
    if (!encodings.includes(encoding)) {
      return unavailable({ outcome: 'none', retryable: false, cause: foreign(encoding) });
    }
    if (!isMigrated) return ok([]);
    const found = await textsOf(db, { text: appliedSql(schema) });
    return ok(found.map((text) => JSON.parse(text ?? '') as Applied));
  } catch (cause) {
    return portFailure({ ...failureOf(cause), outcome: 'none' }, false);
  }
}

async function run(db: PostgresLike, text: string): Promise<PortFailure | undefined> {
  try {
    await db.query({ text });
    return undefined;
  } catch (cause) {
    return portFailure(failureOf(cause), false).error;
  }
}

function unchanged({ number }: KnownMigration): PortFailure {
  const cause = new Error(
    `migration ${number} was applied and is not there: another program removes it`,
  );
  return unavailable({ outcome: 'none', cause }).error;
}

function reportOf(applied: readonly Applied[], attempt: string): MigrationReport {
  const own = applied.filter((each) => each.attempt === attempt);
  return {
    applied: own.map(({ number }) => number),
    latest: applied.at(-1)?.number ?? 0,
  };
}
