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
  consumers: ['failing_since name'],
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

/** The events that give a deal another status. */
const changing = [
  ...['created', 'accepted', 'declined', 'cancelled', 'expired', 'disputed', 'dispute_resolved'],
  ...['delivered', 'changes_requested', 'approved', 'completed'],
].map((name) => `'deal.${name}'`);

/**
 * A deal has had its status since the last of these events at the latest, and a delivery that has
 * failed was made before. The clock visits each deal that is not over, and finds why it needs the
 * operator. `now` is the SQL of the time.
 */
export const fillSql = (tableOf: (name: string) => string, now: string): readonly string[] => [
  `update ${tableOf('deals')} as own set
  status_since = coalesce(since.at, own.created_at),
  due_at = case when own.status in ('completed', 'cancelled', 'expired') or own.due_at <= ${now}
    then own.due_at else ${now} end
  from (select d.tenant, d.partner_id, max(e.at) as at from ${tableOf('deals')} d
    left join ${tableOf('events')} e on e.tenant = d.tenant
      and e.subject = 'deal:' || d.partner_id and e.type in (${changing.join(', ')})
    group by d.tenant, d.partner_id) since
  where since.tenant = own.tenant and since.partner_id = own.partner_id;`,
  `update ${tableOf('deliveries')} set failed_at = created_at where status = 'failed';`,
];
