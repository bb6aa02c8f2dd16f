import type { PortFailure } from 'dealwright/ports';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { tables } from '../../sql/tables.js';
import { textsOf } from '../connection/answers.js';
import { failureOf, portFailure } from '../connection/failures.js';
import { type SchemaChoice, schemaName } from '../connection/options.js';
import type { PostgresLike } from '../connection/postgres-like.js';
import { functions } from '../functions/index.js';
import { lockOf } from '../schema/migration-sql.js';

/** The result of a distribution. */
export interface DistributionReport {
  /** The tables and functions that are distributed now, and were not before. */
  readonly distributed: readonly string[];
}

/** Why nothing is distributed: the database is not a cluster of Citus. */
export interface DistributionRefusal {
  readonly code: 'no_cluster';
  readonly message: string;
}

/** Tables of which every node has a full copy: those that the tenants of an environment share. */
const referenceTables = [
  ...Object.values(tables).flatMap(({ name, owner }) => (owner === 'environment' ? [name] : [])),
  'migrations',
];

/**
 * Tables that are divided by tenant, all in the same way; the others are colocated with the first.
 * The tables in neither list stay where they are made: `ids` and `store` on the coordinator, which
 * every call needs anyway, so no other failed node can prevent the reservation of integers.
 */
const tenantTables = [
  'tenants',
  ...Object.values(tables).flatMap(({ name, owner }) => (owner === 'tenant' ? [name] : [])),
];

/**
 * One write, many, and reads: each call of these functions is sent whole to the node of its tenant.
 */
const alone = functions.one.name;
const tenantFunctions = [alone, functions.node.name, functions.read.name];

/**
 * Whether the server is a coordinator of Citus. Over such a cluster a store gathers by node, so
 * that each statement goes to one. It needs no migrated database, and changes nothing.
 * `unavailable`, with the driver's error as `cause`, if the database could not be asked. Throws a
 * `TypeError` if it has no `query()`.
 *
 * @example
 * ```ts no-run
 * import { createPostgresStore, hasCitus } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * const isCluster = await hasCitus(pool);
 * if (isCluster.isErr()) throw new Error('not asked', { cause: isCluster.error });
 * export const store = createPostgresStore(pool, isCluster.value ? { gather: { by: 'node' } } : {});
 * ```
 */
export function hasCitus(db: PostgresLike): ResultAsync<boolean, PortFailure> {
  // its catalogue has a table of this name
  const text = `select (to_regclass('pg_dist_partition') is not null)::int::text as answer`;
  // there is no schema to choose: this only checks the database
  schemaName('hasCitus', {}, db ?? null);
  const asked = async (): Promise<Result<boolean, PortFailure>> => {
    try {
      const [found] = await textsOf(db, { text });
      return ok(found === '1');
    } catch (error) {
      return portFailure({ ...failureOf(error), outcome: 'none' }, false);
    }
  };
  return new ResultAsync(asked());
}

/**
 * Distributes the tables of a migrated database over a cluster of Citus, each once. Tables divided
 * by `tenant` lie together on one node for each tenant, with the functions that write them;
 * contractors, which tenants share, are on every node; the coordinator assigns integers. Tables
 * that are distributed already are left: after an upgrade only the functions of the new version and
 * new tables are distributed. Existing data is moved; other calls wait meanwhile. Two calls at once
 * wait for each other.
 *
 * Refuses with `no_cluster` if the server has no Citus. `unavailable`, with the driver's error as
 * `cause`, if the database could not be asked or refused a step: call it again, it goes on from
 * there. Throws a `TypeError` if `schema` is not a valid name.
 *
 * @example
 * ```ts no-run
 * import { distributePostgres, migratePostgres } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * await migratePostgres(pool);
 * const distributed = await distributePostgres(pool);
 * if (distributed.isErr()) throw new Error('not distributed', { cause: distributed.error });
 * ```
 */
export function distributePostgres(
  db: PostgresLike,
  options: SchemaChoice = {},
): ResultAsync<DistributionReport, DistributionRefusal | PortFailure> {
  const schema = schemaName('distributePostgres', options, db ?? null);
  return new ResultAsync(distribute(db, schema));
}

/**
 * The SQL that `distributePostgres` runs, one statement for each table and function, to be run after
 * the migrations. Distributed tables and functions are skipped.
 *
 * @example
 * ```ts
 * import { printDistribution } from 'dealwright/postgres';
 *
 * const sql = printDistribution({ schema: 'marketplace_deals' });
 * ```
 */
export function printDistribution(options: SchemaChoice = {}): string {
  const schema = schemaName('printDistribution', options);
  return stepsOf(schema).join('\n');
}

async function distribute(
  db: PostgresLike,
  schema: string,
): Promise<Result<DistributionReport, DistributionRefusal | PortFailure>> {
  const isCluster = await hasCitus(db);
  if (isCluster.isErr()) return err(isCluster.error);
  if (!isCluster.value) {
    return err({ code: 'no_cluster', message: 'the server has no Citus: nothing is distributed' });
  }
  let done = 0;
  try {
    const before = await inOnePlace(db, schema);
    for (const text of stepsOf(schema)) {
      await db.query({ text });
      done += 1;
    }
    const after = new Set(await inOnePlace(db, schema));
    return ok({ distributed: before.filter((name) => !after.has(name)) });
  } catch (error) {
    // each step is its own transaction, and the earlier ones stay
    return portFailure(failureOf(error), done > 0);
  }
}

/** The tables and functions that are not distributed. */
async function inOnePlace(db: PostgresLike, schema: string): Promise<readonly string[]> {
  const names = [...referenceTables, ...tenantTables];
  const listed = (all: readonly string[], type: string) =>
    all.map((name) => `('${name}', '"${schema}".${name}'::${type})`).join(', ');
  const found = await textsOf(db, {
    text: `select name as answer from (values ${listed(names, 'regclass')}) as t(name, relation)
      where not exists (select 1 from pg_dist_partition p
        where p.logicalrelid = t.relation and ${isDistributed})
      union all select name from (values ${listed(tenantFunctions, 'regproc')}) as f(name, function)
      where not exists (${distributedFunction('f.function')})`,
  });
  return found.map(String);
}

/** Citus lists local tables of the coordinator there too: those are not colocated. */
const isDistributed = 'p.colocationid <> 0';

const distributedFunction = (
  which: string,
) => `select 1 from pg_dist_object o where o.classid = 'pg_proc'::regclass
        and o.objid = ${which} and o.distribution_argument_index is not null`;

/**
 * Reference tables come first, and each table has its own transaction: Citus makes no reference
 * table after work that was spread over connections in the same transaction.
 */
function stepsOf(schema: string): readonly string[] {
  const place = (name: string) => `'"${schema}".${name}'`;
  const table = (name: string, call: string) =>
    step(
      schema,
      `select 1 from pg_dist_partition p where p.logicalrelid = ${place(name)}::regclass and ${isDistributed}`,
      `perform ${call};`,
    );
  const [first = '', ...others] = tenantTables;
  const tenants = (name: string, beside: string) =>
    table(name, `create_distributed_table(${place(name)}, 'tenant', colocate_with => ${beside})`);
  return [
    ...referenceTables.map((name) => table(name, `create_reference_table(${place(name)})`)),
    tenants(first, "'none'"),
    ...others.map((name) => tenants(name, place(first))),
    ...tenantFunctions.map((name) =>
      step(
        schema,
        distributedFunction(`${place(name)}::regproc`),
        `perform create_distributed_function(${place(name)}::regproc::oid::regprocedure, 'p_tenant', colocate_with => ${place(first)});`,
      ),
    ),
    step(
      schema,
      `select 1 from pg_proc p where p.oid = ${place(alone)}::regproc and '${custom}' = any(p.proconfig)`,
      `alter function "${schema}".${alone} set ${custom};`,
    ),
  ];
}

/**
 * A cached plan leaks memory in some versions, with each call. The function that only clusters call
 * has this setting from the start.
 */
const custom = 'plan_cache_mode=force_custom_plan';

function step(schema: string, isDone: string, commands: string): string {
  return `do $dealwright$
begin
  perform pg_advisory_xact_lock(${lockOf(schema)}::bigint);
  if not exists (${isDone}) then
    ${commands}
  end if;
end
$dealwright$;
`;
}
