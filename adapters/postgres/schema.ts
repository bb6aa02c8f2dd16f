import { columnsOf, firstTables, indexesSql, listed, type NewTable } from '../sql/first-tables.js';
import type { Migration } from '../sql/migrations.js';
import { commitOne } from './functions-1.js';
import { commitMany } from './functions-1-many.js';
import { commitNode } from './functions-1-node.js';
import { writing } from './functions-1-writing.js';
import { ids } from './functions-2-ids.js';

/** What every text column is: compared by code point, whatever the database's own collation. */
const text = 'text collate "C"';

const columnTypes = { text, long: text, integer: 'bigint', money: 'numeric(20, 2)', json: 'json' };

/**
 * A table of migration 1. The primary key comes last: of indexes that seem equal, as all do on a
 * table that was never analysed, the planner takes the newest.
 */
function tableSql([name, table]: readonly [string, NewTable]): string {
  const own = `"$schema".${name}`;
  const columns = columnsOf(table).map(
    (column) =>
      `  ${column.name} ${columnTypes[column.type]}${column.isOptional ? '' : ' not null'}`,
  );
  return [
    `create table ${own} (\n${columns.join(',\n')}\n);`,
    ...indexesSql(own, name, table),
    `alter table ${own} add primary key (${listed(table.primaryKey)});`,
  ].join('\n\n');
}

/**
 * The steps of the schema, whose name stands for itself in them. A step that was released never
 * changes; `tenant` leads every key of every table that belongs to a tenant, so that a cluster can
 * distribute it by that column. A blank line ends each command of a step: a cluster takes one at a
 * time.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'deals',
    sql: `create table "$schema".tenants (
  tenant ${text} not null,
  last_position bigint not null,
  primary key (tenant)
) with (fillfactor = 50);

create table "$schema".ids (
  environment ${text} not null,
  next bigint not null check (next between 1 and 9007199254740992),
  server_started timestamptz,
  primary key (environment)
);

insert into "$schema".ids (environment, next) values ('production', 1), ('sandbox', 1);

${Object.entries(firstTables).map(tableSql).join('\n\n')}

${[commitOne, commitMany + writing, commitNode + writing].join('\n\n')}`,
  },
  { number: 2, name: 'ids', sql: ids },
];

/** The migration that made the functions of this version: their names end with it. */
export const functionsVersion = 1;
