import { columnsOf, listed } from './first-tables.js';

/** The columns that migration 4 adds in every database, with their types: frozen once released. */
export const addedColumns: Readonly<Record<string, string>> = {
  deals: 'status_since? alert? alert_at?',
  deliveries: 'failed_at?',
};

/** The indexes that migration 5 makes: of one tenant, and of all tenants of an environment. */
const ofTenant: Readonly<Record<string, readonly string[]>> = {
  deliveries: ['failed_at id'],
};
const ofAll: Readonly<Record<string, readonly string[]>> = {
  deals: [
    'created_at attempt',
    'status status_since attempt',
    'email_key created_at attempt',
    'partner_id attempt',
    'title attempt',
    'alert alert_at attempt',
  ],
  work_files: ['id'],
  employer_payments: ['id', 'reference id'],
  contractor_payments: ['id', 'reference id'],
  consumers: ['failing_since attempt'],
};

/** A row without a value in one of these columns is in no index of them. */
const optional = new Set([
  'reference',
  'failing_since',
  ...Object.values(addedColumns).flatMap((columns) =>
    columnsOf({ columns }).map(({ name }) => name),
  ),
]);

/** The commands that make them; `nameOf` names a table, `own` is the start of its indexes' names. */
export function indexesSql(tableOf: (name: string) => string, own: (name: string) => string) {
  const make = (first: string, infix: string) => (each: readonly [string, readonly string[]]) => {
    const [table, indexes] = each;
    return indexes.map((text) => {
      const columns = text.split(' ');
      const given = columns.filter((column) => optional.has(column));
      const where = given.map((column) => `${column} is not null`).join(' and ');
      const name = `${own(table)}_${infix}_${columns.join('_')}`;
      const list = `${first}, ${listed(text)}`;
      return `create index ${name} on ${tableOf(table)} (${list})${where && ` where ${where}`};`;
    });
  };
  return [
    ...Object.entries(ofTenant).flatMap(make('tenant', 'by')),
    ...Object.entries(ofAll).flatMap(make('substr(tenant, 1, 1)', 'of_all_by')),
  ];
}

const over = "'completed', 'cancelled', 'expired'";

/** Parts of a deal for which it may need the operator, though it is over. */
const waiting: Readonly<Record<string, string>> = {
  intents: "'pending', 'failed'",
  employer_payments: "'requested', 'processing'",
  contractor_payments: "'scheduled', 'processing', 'failed', 'returned'",
};

/** The SQL of the status in the data of an event. */
type StatusIn = (data: string) => string;

/**
 * Sets when each deal got its status: at the first of its last events that all tell of it. It only
 * changes deals that have another time.
 */
export function sinceSql(tableOf: (name: string) => string, statusIn: StatusIn): string {
  const told = `case when e.type = 'deal.created' then 'created' else ${statusIn('e.data')} end`;
  return `update ${tableOf('deals')} as own set status_since = since.at
  from (select tenant, partner_id,
      coalesce(min(case when other is null or sequence > other then told_at end), max(told_at)) as at
    from (select d.tenant, d.partner_id, e.sequence, coalesce(e.at, d.created_at) as told_at,
        max(case when ${told} <> d.status then e.sequence end)
          over (partition by d.tenant, d.partner_id) as other
      from ${tableOf('deals')} d left join ${tableOf('events')} e on e.tenant = d.tenant
        and e.subject = 'deal:' || d.partner_id and e.type like 'deal.%') told
    group by tenant, partner_id) since
  where since.tenant = own.tenant and since.partner_id = own.partner_id
    and (own.status_since is null or own.status_since <> since.at);`;
}

/**
 * What records lack that were written by a version without the columns, also by its processes after
 * the migration: running it again changes nothing but that. `now` is the SQL of the time.
 */
export function fillSql(
  tableOf: (name: string) => string,
  now: string,
  statusIn: StatusIn,
): readonly string[] {
  const hasWaiting = Object.entries(waiting).map(
    ([table, statuses]) => `exists (select 1 from ${tableOf(table)} p where p.tenant = own.tenant
      and p.partner_id = own.partner_id and p.status in (${statuses}))`,
  );
  return [
    sinceSql(tableOf, statusIn),
    // the clock visits it, and finds why it needs the operator
    `update ${tableOf('deals')} as own set due_at = ${now}
  where (own.due_at is null or own.due_at > ${now})
    and (own.status not in (${over}) or own.attention is not null
      or ${hasWaiting.join('\n      or ')});`,
    `update ${tableOf('deliveries')}
  set failed_at = case when status = 'failed' then coalesce(failed_at, created_at) end
  where (status = 'failed') <> (failed_at is not null);`,
    // a webhook that is deleted does not fail any more
    `update ${tableOf('consumers')} set failing_since = null
  where ends_at is not null and failing_since is not null;`,
  ];
}
