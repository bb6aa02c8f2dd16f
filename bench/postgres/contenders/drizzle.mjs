import { randomUUID } from 'node:crypto';
import pg from 'pg';

// by a name that the compiler does not follow: its declarations do not compile
const load = (entryPoint) => import(`drizzle-orm/${entryPoint}`);
const { drizzle } = await load('node-postgres');
const { bigint, json, numeric, pgSchema, text } = await load('pg-core');

const schema = pgSchema('dealwright');
const number = (name) => bigint(name, { mode: 'number' });
const deals = schema.table('deals', {
  tenant: text('tenant'),
  partner_id: text('partner_id'),
  api_version: text('api_version'),
  id: number('id'),
  created_at: text('created_at'),
  event_id: text('event_id'),
  version: number('version'),
  status: text('status'),
  freelancer_status: text('freelancer_status'),
  email_key: text('email_key'),
  description: text('description'),
  currency: text('currency'),
  contractor_email: text('contractor_email'),
  name: text('name'),
  budget: numeric('budget'),
  work_days: number('work_days'),
  sub_category_id: number('sub_category_id'),
});
const stages = schema.table('stages', {
  tenant: text('tenant'),
  deal_id: number('deal_id'),
  id: number('id'),
  name: text('name'),
  budget: numeric('budget'),
  work_days: number('work_days'),
  status: text('status'),
});
const events = schema.table('events', {
  tenant: text('tenant'),
  position: number('position'),
  id: text('id'),
  type: text('type'),
  subject: text('subject'),
  sequence: number('sequence'),
  at: text('at'),
  data: json('data'),
});

const tenant = 'sandbox:drizzle';

/**
 * What is written by hand with an ORM: a transaction of three inserts into the same tables, without
 * validation, without a look at the contractor, and with numbers for events that nobody orders.
 */
export async function createContender(url) {
  const db = drizzle(new pg.Pool({ connectionString: url, max: 20 }));
  let last = 2 ** 40 * (1 + Math.floor(Math.random() * 1000));
  return async (input) => {
    last += 1;
    const id = last;
    const event_id = randomUUID();
    const at = new Date().toISOString();
    await db.transaction(async (transaction) => {
      await transaction.insert(deals).values({
        ...input,
        tenant,
        api_version: '1.0',
        id,
        created_at: at,
        event_id,
        version: 1,
        status: 'created',
        freelancer_status: 'new',
        email_key: input.contractor_email.toLowerCase(),
      });
      await transaction.insert(stages).values({
        tenant,
        deal_id: id,
        id,
        name: input.name,
        budget: input.budget,
        work_days: input.work_days,
        status: 'pending',
      });
      await transaction.insert(events).values({
        tenant,
        position: id,
        id: event_id,
        type: 'deal.created',
        subject: `deal:${input.partner_id}`,
        sequence: 1,
        at,
        data: { api_version: '1.0', ...input },
      });
    });
  };
}
