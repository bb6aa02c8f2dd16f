import {
  createPostgresStore,
  type PostgresLike,
  type PostgresStatement,
  type PostgresStore,
} from 'dealwright/postgres';
import type pg from 'pg';

/** 20,000 deals of one tenant and as many of others, with rare and common statuses and addresses. */
export const manyDeals = `insert into dealwright.deals (tenant, partner_id, id, api_version, created_at, attempt,
    version, status, freelancer_status, email_key, description, currency, email_freelancer, title,
    amount, subcategory_id, copyright_transfer, freelancer_language, payment_token, mode,
    employer_fee, contractor_fee, due_at)
  select case when n % 2 = 0 then 'sandbox:acme' else 'sandbox:p' || n % 40 end, 'deal-' || n, n, '2.0',
    to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'event-' || lpad(n::text, 9, '0'), 1,
    case when n % 1000 = 0 then 'cancelled' when n % 3 = 0 then 'accepted' else 'created' end,
    case when n % 500 = 0 then 'removed' else 'new' end,
    case when n % 10 = 0 then 'often@example.com' else 'user-' || n % 5000 || '@example.com' end,
    'd', 'EUR', 'user@example.com', 't', 1, 75, 'none', 'pl', 'token-' || n, 'invoice', 0, 0,
    case when n % 4 = 0 then '2026-02-' || lpad((n % 28 + 1)::text, 2, '0') || 'T00:00:00.000Z' end
  from generate_series(1, 40000) n; analyze dealwright.deals;`;

/** The plans of the database for the calls of a store. */
export async function plansOf(
  pool: pg.Pool,
  mode: string,
  ask: (store: PostgresStore) => Promise<unknown>,
  schema = 'dealwright',
): Promise<string[]> {
  const sent: PostgresStatement[] = [];
  const recorded: PostgresLike = {
    async query(statement) {
      sent.push(statement);
      return { rows: [] };
    },
  };
  await ask(createPostgresStore(recorded, { schema }));
  await pool.query(`set plan_cache_mode = ${mode}`);
  const plans: string[] = [];
  for (const { text, values = [] } of sent) {
    const quoted = values.map((value) =>
      typeof value === 'number' ? String(value) : `'${value}'`,
    );
    await pool.query(`prepare asked as ${text}`);
    const { rows } = await pool.query(`explain execute asked(${quoted.join(', ')})`);
    await pool.query('deallocate asked');
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}
