import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import {
  type AppliedMigration,
  type Migration,
  type MigrationRefusal,
  type MigrationReport,
  pendingMigrations,
} from '../sql/migrations.js';
import { failureOf, portFailure } from './failures.js';
import { appliedSql, isMigratedSql, stepSql } from './migration-sql.js';
import { type SchemaChoice, schemaName } from './options.js';
import type { PostgresLike } from './postgres-like.js';
import { migrations } from './schema.js';

/** Which schema of a database is meant. */
export type PostgresMigrationOptions = SchemaChoice;

/**
 * Brings a database to the schema that this version of the store needs: each step that is missing,
 * in a transaction of its own, under an advisory lock of the server. Of several that start at once
 * one migrates, and the others wait and find nothing to do. Where nothing is missing it only reads.
 *
 * It needs a role that may create a schema, or the schema and a role that may create tables in it.
 * Every step is one statement, so that poolers in transaction mode may be between.
 *
 * Refusals: `newer`, where a later version of this library migrated the database; `changed`, where
 * a step that it has is another than this version's. Nothing is touched then. `unavailable`, with
 * the driver's error as `cause`, where the database could not be asked or a step failed: steps before
 * it stay, and of it nothing does. Calling it again goes on from there. It throws a `TypeError` where
 * `schema` is no such name, an option is none that there is, or the database has no `query()`.
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
): ResultAsync<MigrationReport, MigrationRefusal | PortFailure> {
  return applyMigrations(db, schemaName('migratePostgres', options, db ?? null), migrations);
}

/**
 * The SQL that `migratePostgres` runs, for hosts whose own tool migrates. All steps are in it, one
 * statement each; those that a database has are passed over, and one that is newer is refused, with an
 * error of the server. Run it with whatever stops at the first error: `psql -v ON_ERROR_STOP=1`.
 *
 * @example
 * ```ts
 * import { printPostgresMigrations } from 'dealwright/postgres';
 *
 * const sql = printPostgresMigrations({ schema: 'marketplace_deals' });
 * ```
 */
export function printPostgresMigrations(options: PostgresMigrationOptions = {}): string {
  const schema = schemaName('printPostgresMigrations', options);
  return migrations
    .map((each) => {
      const sql = stepSql(schema, each, migrations.length, 'printed');
      return `-- dealwright, migration ${each.number}: ${each.name}\n${sql}`;
    })
    .join('\n');
}

/** Applies what is missing of some steps. */
export function applyMigrations(
  db: PostgresLike,
  schema: string,
  all: readonly Migration[],
): ResultAsync<MigrationReport, MigrationRefusal | PortFailure> {
  return new ResultAsync(apply(db, schema, all));
}

interface Applied extends AppliedMigration {
  readonly attempt: string;
}

async function apply(
  db: PostgresLike,
  schema: string,
  all: readonly Migration[],
): Promise<Result<MigrationReport, MigrationRefusal | PortFailure>> {
  // in a row of ours it says that we wrote it, even where the answer was lost on its way
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
    // a step that failed is no failure where it is there now, by whomever
    if (pending.value.length >= before) return err(failure ?? unchanged(next));
    before = pending.value.length;
    failure = await applyStep(db, stepSql(schema, next, all.length, attempt));
  }
}

async function readApplied(
  db: PostgresLike,
  schema: string,
): Promise<Result<readonly Applied[], PortFailure>> {
  try {
    const { rows } = await db.query({ text: isMigratedSql(schema) });
    if (rows[0]?.['answer'] !== '1') return ok([]);
    const found = await db.query({ text: appliedSql(schema) });
    return ok(found.rows.map(({ answer }) => JSON.parse(String(answer)) as Applied));
  } catch (cause) {
    return portFailure({ ...failureOf(cause), outcome: 'none' }, false);
  }
}

async function applyStep(db: PostgresLike, text: string): Promise<PortFailure | undefined> {
  try {
    await db.query({ text });
    return undefined;
  } catch (cause) {
    return portFailure(failureOf(cause), false).error;
  }
}

function unchanged({ number }: Migration): PortFailure {
  const cause = new Error(`migration ${number} was applied and is not there: somebody removes it`);
  return unavailable({ outcome: 'none', cause }).error;
}

function reportOf(applied: readonly Applied[], attempt: string): MigrationReport {
  const own = applied.filter((each) => each.attempt === attempt);
  return {
    applied: own.map(({ number }) => number),
    latest: applied.at(-1)?.number ?? 0,
  };
}
