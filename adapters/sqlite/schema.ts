import { columnsOf, firstTables, indexesSql, listed, type NewTable } from '../sql/first-tables.js';
import * as fourth from '../sql/fourth-step.js';
import type { KnownMigration } from '../sql/migrations.js';
import { type AddedIndex, addedColumns, addedIndexes, addedTables } from '../sql/second-step.js';
import * as seventh from '../sql/seventh-step.js';
import * as sixth from '../sql/sixth-step.js';
import * as third from '../sql/third-step.js';

const typeOf = ({ type }: ReturnType<typeof columnsOf>[number]) =>
  type === 'integer' ? 'integer' : 'text';

/** A table of a migration, with its indexes. */
function tableSql([name, table]: readonly [string, NewTable]): string {
  const column = (each: ReturnType<typeof columnsOf>[number]) =>
    `  ${each.name} ${typeOf(each)}${each.isOptional ? '' : ' not null'},`;
  const columns = columnsOf(table);
  // SQLite reads a row from its beginning, and a list needs no long text
  const isLong = ({ type }: (typeof columns)[number]) => type === 'long';
  const inOrder = [...columns.filter((each) => !isLong(each)), ...columns.filter(isLong)];
  const own = `dealwright_${name}`;
  const made = `create table ${own} (
${inOrder.map(column).join('\n')}
  primary key (${listed(table.primaryKey)})
) strict${table.isNarrow ? ', without rowid' : ''};`;
  return [made, ...indexesSql(own, own, table)].join('\n\n');
}

/** The name of a table of a migration. */
function prefixed(table: string): string {
  return `dealwright_${table}`;
}

/** The time of the step, as records have it. */
const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

const statusIn = (data: string) => `json_extract(${data}, '$.status')`;

/** Sets when each deal of an older archive got its status. */
export const sinceSql = fourth.sinceSql(prefixed, statusIn);

/** What processes of versions before step 4 leave out: a part of step 5, and done again at the end. */
export const fill = fourth.fillSql(prefixed, now, statusIn).join('\n\n');

/**
 * The steps of the schema. A released one never changes; a test asserts that their sum is equal to
 * the table of fields.
 */
export const migrations: readonly KnownMigration[] = [
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
    abandoned: 'aace2d9b4f53b562ee064b17ade2cf2fe585d84e3681765de7631cfe681faad2',
  },
  {
    number: 2,
    name: 'fairness',
    sql: `
${Object.entries(addedColumns).flatMap(columnsSql).join('\n\n')}

${Object.entries(addedTables).map(tableSql).join('\n\n')}

${addedIndexes.map(indexSql).join('\n\n')}

create table dealwright_store (
  only integer not null primary key check (only = 1),
  id text not null
) strict;
`,
  },
  {
    number: 3,
    name: 'terms',
    sql: `
${Object.entries(third.addedColumns).flatMap(typedColumnsSql).join('\n\n')}

${Object.entries(third.addedTables).map(tableSql).join('\n\n')}

${third.visitSql(prefixed('deals'), now)}
`,
  },
  {
    number: 4,
    name: 'alerts',
    sql: `
${Object.entries(fourth.addedColumns).flatMap(typedColumnsSql).join('\n\n')}
`,
  },
  {
    number: 5,
    name: 'across',
    sql: `
${fill}

${fourth.indexesSql(prefixed, prefixed).join('\n\n')}
`,
  },
  {
    number: 6,
    name: 'reports',
    sql: `
${Object.entries(sixth.addedTables).map(tableSql).join('\n\n')}

${[...sixth.addedIndexes, sixth.bySubject].map(indexSql).join('\n\n')}
`,
  },
  {
    number: 7,
    name: 'outcomes',
    sql: `
${Object.entries(seventh.addedColumns).flatMap(typedColumnsSql).join('\n\n')}
`,
  },
];

function typedColumnsSql([name, columns]: readonly [string, string]): string[] {
  return columnsOf({ columns }).map(
    (each) => `alter table dealwright_${name} add column ${each.name} ${typeOf(each)};`,
  );
}

function columnsSql([name, columns]: readonly [string, readonly string[]]): string[] {
  return columns.map((column) => `alter table dealwright_${name} add column ${column} text;`);
}

function indexSql(index: Omit<AddedIndex, 'column'> & Partial<AddedIndex>): string {
  const { table, name, columns, column } = index;
  const own = `dealwright_${table}`;
  const where = column === undefined ? '' : ` where ${column} is not null`;
  return `create index ${own}_${name} on ${own} (${listed(columns)})${where};`;
}

/** The statements of a step: drivers prepare one at a time. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
