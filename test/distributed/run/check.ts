import { Client, type Pool } from 'pg';
import type { Load } from './load.js';
import type { ServerNode } from './nodes.js';
import type { Place } from './place.js';

/** The faults after a load: acknowledged records that are missing, and incomplete records. */
export async function wrongAfter(
  { pool, schema }: Place,
  load: Load,
  nodes: readonly ServerNode[],
): Promise<readonly string[]> {
  const wrong = [...load.problems];
  for (const [partner, acknowledged] of load.deals) {
    const { rows } = await pool.query<{ partner_id: string }>(
      `select partner_id from ${schema}.deals where tenant = $1`,
      [`sandbox:${partner}`],
    );
    const found = new Set(rows.map(({ partner_id }) => partner_id));
    const lost = [...acknowledged].filter((name) => !found.has(name));
    if (lost.length > 0) wrong.push(`${lost.length} deals of ${partner} were lost`);
  }
  for (const [what, sql] of Object.entries(parts)) {
    const { rows } = await pool.query(sql.replaceAll('$schema', schema));
    if (rows.length > 0) wrong.push(`${rows.length} ${what}`);
  }
  // each node has its own copy
  for (const { name, url } of nodes) {
    const there = await emailsOn(url, schema);
    const lost = load.contractors.filter((email) => !there.has(email));
    if (lost.length > 0) wrong.push(`${lost.length} contractors were lost on ${name}`);
  }
  return wrong;
}

async function emailsOn(url: string, schema: string): Promise<ReadonlySet<string>> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ email: string }>(`select email from ${schema}.contractors`);
  await client.end();
  return new Set(rows.map(({ email }) => email));
}

const parts: Readonly<Record<string, string>> = {
  'deals without a stage': `select 1 from $schema.deals d where not exists (select 1
    from $schema.stages s where s.tenant = d.tenant and s.partner_id = d.partner_id)`,
  'deals without an event': `select 1 from $schema.deals d where not exists (select 1
    from $schema.events e where e.tenant = d.tenant and e.subject = 'deal:' || d.partner_id)`,
  'tenants whose log has a gap': `select 1 from $schema.tenants t
    left join (select tenant, count(*) as events, max(position) as last from $schema.events group by tenant) e
      on e.tenant = t.tenant
    where t.last_position <> coalesce(e.events, 0) or t.last_position <> coalesce(e.last, 0)`,
};

/** Finishes the prepared transactions of a lost node; the cluster does so once a minute. */
export async function recover(pool: Pool): Promise<void> {
  await pool.query('select recover_prepared_transactions()');
}
