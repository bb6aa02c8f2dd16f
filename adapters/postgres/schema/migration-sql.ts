import { checksumOf, checksumOfStep, type KnownMigration } from '../../sql/migrations.js';
import { functionNames, functions } from '../functions/index.js';
import { fill } from './steps.js';

/** The advisory lock for the migrations of a schema: a signed bigint. */
export function lockOf(schema: string): string {
  const digest = checksumOf(`dealwright.migrations:${schema}`);
  return String(BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)));
}

/** Whether the schema was ever migrated, and the encoding of the connection, as a list in JSON. */
export function isMigratedSql(schema: string): string {
  return `select json_build_array(to_regclass('"${schema}".migrations') is not null, pg_client_encoding())::text as answer`;
}

/** The steps that the schema has, one JSON text each. */
export function appliedSql(schema: string): string {
  return `select json_build_object('number', number, 'checksum', checksum, 'attempt', attempt)::text as answer from "${schema}".migrations order by number`;
}

/**
 * One step, as one statement that is one transaction: it waits for another migration of the schema,
 * and does nothing if the step exists by then. A new schema needs a database that can keep every
 * text; an older one goes on as it is. It is a DO block, as some drivers send only one
 * statement at once, and some poolers keep only one together.
 */
export function stepSql(
  schema: string,
  step: KnownMigration,
  last: number,
  attempt: string,
): string {
  const { number, name, sql } = step;
  const checksum = checksumOfStep(step);
  return `do $dealwright$
declare
  found text;
  latest bigint;
begin
  perform pg_advisory_xact_lock(${lockOf(schema)}::bigint);
  if not exists (select from pg_catalog.pg_namespace where nspname = '${schema}') then
    create schema "${schema}";
  end if;
  create table if not exists "${schema}".migrations (
    number bigint primary key,
    name text not null,
    checksum text not null,
    attempt text not null,
    applied_at timestamptz not null default now()
  );
  select max(number) into latest from "${schema}".migrations;
  if latest is null and getdatabaseencoding() <> 'UTF8' then
    raise exception 'dealwright: the database has the encoding %, which cannot keep every text: create one with "encoding ''UTF8'' template template0", and migrate that', getdatabaseencoding();
  end if;
  if latest > ${last} then
    raise exception 'dealwright: the database has migration %, and these end with ${last}: use a newer version', latest;
  end if;
  select checksum into found from "${schema}".migrations where number = ${number};
  if found = '${checksum}' then
    return;
  elsif found is not null then
    raise exception 'dealwright: migration ${number} of the database is another than this one';
  end if;
${commandsOf(sql, schema)}
  insert into "${schema}".migrations (number, name, checksum, attempt)
    values (${number}, '${name}', '${checksum}', '${attempt}');
end
$dealwright$;
`;
}

/** Each command by itself: a cluster refuses some together with others. */
function commandsOf(sql: string, schema: string): string {
  return sql
    .split(/\n\n/)
    .map((command) => execution(command, schema))
    .join('\n');
}

function execution(command: string, schema: string): string {
  return `  execute $step$${command.replaceAll('$schema', schema)}$step$;`;
}

const own = Object.values(functions);
const ownNames = own.map(({ name }) => `'${name}'`).join(', ');

/** A condition of functions `p` of the schema, if it exists. */
const inSchema = (schema: string) => `p.pronamespace = to_regnamespace('"${schema}"')`;

/** The functions of this version that the schema lacks: a row with the name of each. */
export function missingFunctionsSql(schema: string): string {
  return `select f.name as answer from unnest(array[${ownNames}]) as f(name)
    where not exists (select 1 from pg_catalog.pg_proc p where p.proname = f.name and ${inSchema(schema)})`;
}

/** The functions that are of other versions: a row with the name of each. */
export function otherFunctionsSql(schema: string): string {
  return `select p.proname::text as answer from pg_catalog.pg_proc p
    where ${inSchema(schema)} and p.proname ~ '${functionNames}' and p.proname not in (${ownNames}) order by 1`;
}

/** A change of functions, as one statement that is one transaction, like a step. */
const functionsStep = (schema: string, block: string) => `do $dealwright$
declare
  found text;
begin
  perform pg_advisory_xact_lock(${lockOf(schema)}::bigint);
${block}
end
$dealwright$;
`;

/** The step "functions", after all others: it makes those of this version that the schema lacks. */
export function functionsSql(schema: string): string {
  const made = own.map(
    ({ name, sql }) => `    if found = '${name}' then\n    ${execution(sql, schema)}\n    end if;`,
  );
  return functionsStep(
    schema,
    `  for found in ${missingFunctionsSql(schema)} loop
    if not has_schema_privilege('${schema}', 'create') then
      raise exception 'dealwright: step "functions": the role "%" may not create functions in the schema "${schema}": run "dealwright migrate" as a role that may', current_user
        using errcode = 'insufficient_privilege';
    end if;
${made.join('\n')}
  end loop;`,
  );
}

/** Drops the functions that are of other versions, and fills in what their processes left out. */
export function pruneSql(schema: string): string {
  return functionsStep(
    schema,
    `  for found in ${otherFunctionsSql(schema)} loop
    execute format('drop function "${schema}".%I', found);
  end loop;
${commandsOf(fill, schema)}`,
  );
}
