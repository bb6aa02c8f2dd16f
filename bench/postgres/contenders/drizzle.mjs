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
  id: number('id'),
  api_version: text('api_version'),
  email_freelancer: text('email_freelancer'),
  email_key: text('email_key'),
  title: text('title'),
  description: text('description'),
  subcategory_id: number('subcategory_id'),
  amount: numeric('amount'),
  currency: text('currency'),
  work_days: number('work_days'),
  status: text('status'),
  freelancer_status: text('freelancer_status'),
  created_at: text('created_at'),
  mode: text('mode'),
  employer_fee: numeric('employer_fee'),
  contractor_fee: numeric('contractor_fee'),
  attempt: text('attempt'),
  version: number('version'),
});
const stages = schema.table('stages', {
  tenant: text('tenant'),
  id: number('id'),
  partner_id: text('partner_id'),
  name: text('name'),
  budget: numeric('budget'),
  work_days: number('work_days'),
  status: text('status'),
  attempt: text('attempt'),
});
const events = schema.table('events', {
  tenant: text('tenant'),
  position: number('position'),
  id: text('id'),
  type: text('type'),
  subject: text('subject'),
  sequence: number('sequence'),
  at: text('at'),
  actor: text('actor'),
  data: json('data'),
});

const tenant = 'production:drizzle';

/**
 * The same work with an ORM: a transaction of three inserts into the same tables, without
 * validation, without reading the contractor, and with unordered numbers for events.
 */
export async function createContender(url) {
  const db = drizzle(new pg.Pool({ connectionString: url, max: 20 }));
  let last = 2 ** 40 * (1 + Math.floor(Math.random() * 1000));
  return async (input) => {
    last += 1;
    const id = last;
    const attempt = randomUUID();
    const at = new Date().toISOString();
    await db.transaction(async (transaction) => {
      await transaction.insert(deals).values({
        tenant,
        partner_id: input.partner_id,
        id,
        api_version: '1.0',
        email_freelancer: input.contractor_email,
        email_key: input.contractor_email.toLowerCase(),
        title: input.name,
        description: input.description,
        subcategory_id: input.sub_category_id,
        amount: input.budget,
        currency: input.currency,
        work_days: input.work_days,
        status: 'created',
        freelancer_status: 'new',
        created_at: at,
        mode: 'invoice',
        employer_fee: '0.00',
        contractor_fee: '0.00',
        attempt,
        version: 1,
      });
      await transaction.insert(stages).values({
        tenant,
        id,
        partner_id: input.partner_id,
        name: input.name,
        budget: input.budget,
        work_days: input.work_days,
        status: 'pending',
        attempt,
      });
      await transaction.insert(events).values({
        tenant,
        position: id,
        id: attempt,
        type: 'deal.created',
        subject: `deal:${input.partner_id}`,
        sequence: 1,
        at,
        actor: 'partner',
        data: { api_version: '1.0', ...input },
      });
    });
  };
}
