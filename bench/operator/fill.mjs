// Deals of ten partners, a second apart, with a payment each, written by SQL: a million in seconds.

/** The partner of a deal. */
export const partnerOf = (number) => `p${number % 10}`;

const columns = `tenant, partner_id, api_version, id, created_at, attempt, version, status,
  freelancer_status, email_key, description, currency, email_freelancer, title, amount, work_days,
  subcategory_id, mode, employer_fee, contractor_fee, status_since, alert, alert_at`;
const paymentColumns =
  'tenant, id, partner_id, amount, status, reference, requested_at, updated_at, attempt';

const eventColumns = 'tenant, position, id, type, subject, sequence, at, actor, data';

/**
 * The rows, whichever number of them there is: each page that is asked for is full. Those of before
 * alerts have none, and no time of their status.
 */
function rows({ at, padded, money, isOld }) {
  const tenant = `'production:p' || (n % 10)`;
  const ulid = `'01KDVE' || ${padded}`;
  const email = `'user-' || (n % 40) || '@example.com'`;
  const isDisputed = 'n % 5 = 0';
  const ifDisputed = (value) => `case when ${isDisputed} then ${value} end`;
  return {
    deals: `select ${tenant}, 'deal-' || n, '1.0', n, ${at}, ${ulid}, 1,
      case when ${isDisputed} then 'disputed' when n % 2 = 0 then 'accepted' else 'created' end,
      'new', ${email}, 'Deal description', 'EUR', ${email},
      'Deal ' || (n % 40) || ' of ' || n, ${money}, 30, 75, 'invoice', ${money}, ${money},
      ${isOld ? 'null, null, null' : `${at}, ${ifDisputed("'disputed'")}, ${ifDisputed(at)}`}`,
    payments: `select ${tenant}, ${ulid}, 'deal-' || n, ${money}, 'requested', 'wire-' || n, ${at},
      ${at}, ${ulid}`,
    // three of each deal, in the log of its partner
    events: `select ${tenant}, 3 * n + e, ${ulid} || e,
      case e when 0 then 'deal.created' when 1 then 'deal.accepted' else 'deal.disputed' end,
      'deal:deal-' || n, e + 1, ${at}, 'partner', case e when 0 then '{}'
        when 1 then '{"status":"accepted"}' else '{"status":"disputed"}' end`,
  };
}

/** The SQL that fills a database of PostgreSQL. */
export function fillPostgres(size, kind) {
  const { deals, payments, events } = rows({
    isOld: kind === 'before alerts',
    at: `to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
    padded: `lpad(n::text, 20, '0')`,
    money: '1000',
  });
  const numbers = `generate_series(1, ${size}) n`;
  return `
    set synchronous_commit = off;
    insert into dealwright.deals (${columns}) ${deals} from ${numbers};
    insert into dealwright.employer_payments (${paymentColumns}) ${payments} from ${numbers};
    insert into dealwright.events (${eventColumns})
      select tenant, position, id, type, subject, sequence, at, actor, data::json
      from (${events} from ${numbers}, generate_series(0, 2) e)
        as told(${eventColumns});
    vacuum analyze dealwright.deals, dealwright.employer_payments, dealwright.events;
    checkpoint;`;
}

/** Fills a database of SQLite. */
export function fillSqlite(db, size, kind) {
  const { deals, payments, events } = rows({
    isOld: kind === 'before alerts',
    at: `strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-01-01', '+' || n || ' seconds')`,
    padded: `substr('00000000000000000000' || n, -20)`,
    money: `'1000.00'`,
  });
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${size})`;
  db.prepare('pragma synchronous = off').run();
  db.prepare('pragma cache_size = -500000').run();
  db.prepare('begin').run();
  db.prepare(`${numbers} insert into dealwright_deals (${columns}) ${deals} from numbers`).run();
  db.prepare(
    `${numbers} insert into dealwright_employer_payments (${paymentColumns}) ${payments} from numbers`,
  ).run();
  db.prepare(
    `${numbers} insert into dealwright_events (${eventColumns}) ${events}
      from numbers, (select 0 as e union all select 1 union all select 2)`,
  ).run();
  db.prepare('commit').run();
}
