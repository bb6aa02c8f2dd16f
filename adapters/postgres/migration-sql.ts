import { checksumOf, type Migration } from '../sql/migrations.js';

/** Which of a server's advisory locks keeps the migrations of a schema apart: a signed bigint. */
export function lockOf(schema: string): string {
  const digest = checksumOf(`dealwright.migrations:${schema}`);
  return String(BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)));
}

/** Whether the schema was ever migrated: one row, `'1'` or `'0'`. */
export function isMigratedSql(schema: string): string {
  return `select (to_regclass('"${schema}".migrations') is not null)::int::text as answer`;
}

/** The steps that the schema has, one JSON text each. */
export function appliedSql(schema: string): string {
  return `select json_build_object('number', number, 'checksum', checksum, 'attempt', attempt)::text as answer from "${schema}".migrations order by number`;
}

/**
 * One step, as one statement that is one transaction: it waits for whoever migrates the schema, and
 * does nothing where the step is there by then. It is a DO block, as some drivers send no more than
 * one statement at once, and some poolers keep no more than that together.
 */
export function stepSql(
  schema: string,
  { number, name, sql }: Migration,
  last: number,
  attempt: string,
): string {
  const checksum = checksumOf(sql);
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

/** Each command by itself: a cluster refuses some that come with others. */
function commandsOf(sql: string, schema: string): string {
  const commands = sql.replaceAll('$schema', schema).split(/\n\n/);
  return commands.map((command) => `  execute $step$${command}$step$;`).join('\n');
}
