import { columnsOf, firstTables, indexesSql, listed, type NewTable } from '../sql/first-tables.js';
import type { Migration } from '../sql/migrations.js';

/** A table of migration 1, with its indexes. */
function tableSql([name, table]: readonly [string, NewTable]): string {
  const column = ({ name, type, isOptional }: ReturnType<typeof columnsOf>[number]) =>
    `  ${name} ${type === 'integer' ? 'integer' : 'text'}${isOptional ? '' : ' not null'},`;
  const columns = columnsOf(table);
  // SQLite reads a row from its beginning, and a list needs no text that may be long
  const isLong = ({ type }: (typeof columns)[number]) => type === 'long';
  const inOrder = [...columns.filter((each) => !isLong(each)), ...columns.filter(isLong)];
  const own = `dealwright_${name}`;
  const made = `create table ${own} (
${inOrder.map(column).join('\n')}
  primary key (${listed(table.primaryKey)})
) strict${table.isNarrow ? ', without rowid' : ''};`;
  return [made, ...indexesSql(own, own, table)].join('\n\n');
}

/**
 * The steps of the schema. One that was released never changes; a test keeps their sum equal to the
 * table of fields.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'records',
    sql: `
create table dealwright_tenants (
  tenant text not null primary key,
  last_position integer not null
) strict, without rowid;

create table dealwright_numbers (
  environment text not null primary key,
  last integer not null check (last between 0 and 9007199254740991)
) strict, without rowid;

insert into dealwright_numbers (environment, last) values ('production', 0), ('sandbox', 0);

${Object.entries(firstTables).map(tableSql).join('\n\n')}
`,
  },
];

/** The statements of a step: drivers prepare one at a time. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
