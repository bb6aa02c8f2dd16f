import {
  columnsOf,
  firstTables,
  indexesSql,
  listed,
  type NewTable,
} from '../../sql/first-tables.js';
import * as fourth from '../../sql/fourth-step.js';
import type { KnownMigration } from '../../sql/migrations.js';
import { type AddedIndex, addedColumns, addedIndexes, addedTables } from '../../sql/second-step.js';
import * as seventh from '../../sql/seventh-step.js';
import * as sixth from '../../sql/sixth-step.js';
import * as third from '../../sql/third-step.js';
import { idSequences } from './id-sequences.js';

/** The type of every text column: compared by code point, with any collation of the database. */
const text = 'text collate "C"';

const columnTypes = { text, long: text, integer: 'bigint', money: 'numeric(20, 2)', json: 'json' };
/** Since migration 2 a sum of amounts fits, too. */
const widerTypes: typeof columnTypes = { ...columnTypes, money: 'numeric(26, 2)' };

/**
 * A table of a migration. The primary key comes last: of indexes that seem equal, as all do on a
 * table that was never analysed, the planner takes the newest.
 */
function tableSql(types: typeof columnTypes, [name, table]: readonly [string, NewTable]): string {
  const own = `"$schema".${name}`;
  const columns = columnsOf(table).map(
    (column) => `  ${column.name} ${types[column.type]}${column.isOptional ? '' : ' not null'}`,
  );
  return [
    `create table ${own} (\n${columns.join(',\n')}\n);`,
    ...indexesSql(own, name, table),
    `alter table ${own} add primary key (${listed(table.primaryKey)});`,
  ].join('\n\n');
}

function indexSql({ table, name, columns, column }: AddedIndex): string {
  const own = `"$schema".${table}`;
  return `create index ${table}_${name} on ${own} (${listed(columns)}) where ${column} is not null;`;
}

/** A change of migration 2 to a table of migration 1: it rewrites none. */
const alter = (table: string, command: string) => `alter table "$schema".${table} ${command};`;

const addedColumnsSql = Object.entries(addedColumns).flatMap(([table, columns]) =>
  columns.map((column) => alter(table, `add column ${column} ${text}`)),
);

const widerMoneySql = Object.entries(firstTables).flatMap(([table, own]) =>
  columnsOf(own)
    .filter(({ type }) => type === 'money')
    .map(({ name }) => alter(table, `alter column ${name} type numeric(26, 2)`)),
);

const isOfAddedColumn = ({ table, column }: AddedIndex) =>
  table in addedTables || addedColumns[table]?.includes(column) === true;

/**
 * Readers go on while an index is made, and wait once a column is added or widened, which is done
 * as late as possible. Writers wait from the first command on, at the table that each of them uses
 * first: a writer that waited later could cause a deadlock.
 */
const secondStep = [
  'lock table "$schema".tenants in share mode;',
  ...addedIndexes.filter((index) => !isOfAddedColumn(index)).map(indexSql),
  ...Object.entries(addedTables).map((each) => tableSql(columnTypes, each)),
  `create table "$schema".store (
  number int not null check (number = 1),
  id ${text} not null,
  primary key (number)
);`,
  ...addedColumnsSql,
  ...addedIndexes.filter(isOfAddedColumn).map(indexSql),
  ...widerMoneySql,
  ...idSequences,
];

/** The time of the transaction, as records have it. */
const now = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The same order as in the second step, for the same reasons: readers go on while deals are made
 * due.
 */
const thirdStep = [
  'lock table "$schema".tenants in share mode;',
  ...Object.entries(third.addedTables).map((each) => tableSql(widerTypes, each)),
  third.visitSql('"$schema".deals', now),
  ...Object.entries(third.addedColumns).flatMap(([table, columns]) =>
    columnsOf({ columns }).map(({ name, type }) =>
      alter(table, `add column ${name} ${widerTypes[type]}`),
    ),
  ),
];

const inSchema = (table: string) => `"$schema".${table}`;

const typedColumnsSql = (added: Readonly<Record<string, string>>) => [
  'lock table "$schema".tenants in share mode;',
  ...Object.entries(added).flatMap(([table, columns]) =>
    columnsOf({ columns }).map(({ name, type }) =>
      alter(table, `add column ${name} ${widerTypes[type]}`),
    ),
  ),
];

const fourthStep = typedColumnsSql(fourth.addedColumns);
const seventhStep = typedColumnsSql(seventh.addedColumns);

const statusIn = (data: string) => `(${data} ->> 'status')`;

/** Sets when each deal of an older archive got its status. */
export const sinceSql = fourth.sinceSql(inSchema, statusIn);

/**
 * What processes of versions before step 4 leave out, with a placeholder for the name of the
 * schema: a part of step 5, and of what is done when none of them is left.
 */
export const fill = [
  'lock table "$schema".tenants in share mode;',
  ...fourth.fillSql(inSchema, now, statusIn),
].join('\n\n');

/** A step of its own: a reader would wait for a column that was added in it. */
const fifthStep = [fill, ...fourth.indexesSql(inSchema, (table) => table)];

const sixthStep = [
  'lock table "$schema".tenants in share mode;',
  ...Object.entries(sixth.addedTables).map((each) => tableSql(widerTypes, each)),
  ...sixth.addedIndexes.map(indexSql),
  // every row has a subject: the condition only keeps the planner from using it in place of the key
  indexSql({ ...sixth.bySubject, column: 'subject' }),
];

/**
 * The steps of the schema, with a placeholder for its name. A released step never changes; `tenant`
 * leads every key of every table that belongs to a tenant, so that a cluster can distribute it by
 * that column. A blank line ends each command of a step: a cluster accepts one at a time.
 */
export const migrations: readonly KnownMigration[] = [
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

${Object.entries(firstTables)
  .map((each) => tableSql(columnTypes, each))
  .join('\n\n')}`,
    // it also made functions once, which are not part of a step now
    checksum: 'b6646b0fa1fe59a669517604e1901762189a53afa8eb44f03d4847d04f687343',
    abandoned: '0044f0de49eb2e73d54e450ab3a18cd8c18be674a6768c7f8549ecbdd429a020',
  },
  { number: 2, name: 'fairness', sql: secondStep.join('\n\n') },
  { number: 3, name: 'terms', sql: thirdStep.join('\n\n') },
  { number: 4, name: 'alerts', sql: fourthStep.join('\n\n') },
  { number: 5, name: 'across', sql: fifthStep.join('\n\n') },
  { number: 6, name: 'reports', sql: sixthStep.join('\n\n') },
  { number: 7, name: 'outcomes', sql: seventhStep.join('\n\n') },
];
