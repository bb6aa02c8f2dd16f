import type { DealFilter, DealStretch } from 'dealwright/ports';
import {
  createPostgresStore,
  type PostgresStatement,
  type StatementReport,
} from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOf } from '../../../spec/store/changes.js';
import {
  acme,
  addition,
  additionV2,
  fileAddition,
  registration,
  workFileOf,
} from '../../../spec/store/subject.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** 20,000 deals of one tenant and as many of others, with statuses and addresses rare and common. */
const many = `insert into dealwright.deals (tenant, partner_id, api_version, created_at, event_id,
    version, status, freelancer_status, email_key, description, currency, email_freelancer, title,
    amount, subcategory_id, copyright_transfer, freelancer_language, payment_token)
  select case when n % 2 = 0 then 'sandbox:acme' else 'sandbox:p' || n % 40 end, 'deal-' || n, '2.0',
    to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'event-' || lpad(n::text, 9, '0'), 1,
    case when n % 1000 = 0 then 'cancelled' when n % 3 = 0 then 'accepted' else 'created' end,
    case when n % 500 = 0 then 'removed' else 'new' end,
    case when n % 10 = 0 then 'often@example.com' else 'user-' || n % 5000 || '@example.com' end,
    'd', 'EUR', 'user@example.com', 't', 1, 75, 'none', 'pl', 'token'
  from generate_series(1, 40000) n; analyze dealwright.deals;`;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 1 });
  await createTables((sql) => pool.query(sql), 'dealwright');
  await pool.query(many);
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

const choices = {
  status: [undefined, 'created', 'cancelled'],
  freelancer_status: [undefined, 'new', 'removed'],
  email_key: [undefined, 'often@example.com', 'user-42@example.com'],
  created_from: [undefined, '2026-01-03T00:00:00.000Z'],
  created_to: [undefined, '2026-01-20T00:00:00.000Z'],
} as const;

/** Every combination of what a list can be asked for. */
function filters(): DealFilter[] {
  let all: DealFilter[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap((each) =>
      values.map((value) => (value === undefined ? each : { ...each, [name]: value })),
    );
  }
  return [...all, { partner_id: 'deal-100' }, { partner_id: 'deal-100', status: 'created' }];
}

const from = { created_at: '2026-01-10T00:00:00.000Z', event_id: 'event-000012960' };
const stretches: readonly DealStretch[] = (['older', 'newer'] as const).flatMap((direction) => [
  { direction, from: undefined, limit: 21 },
  { direction, from, limit: 21 },
]);

/** How the database goes about each of these lists. */
async function plansOf(mode: string): Promise<string[]> {
  const sent: PostgresStatement[] = [];
  const { dealIndex } = createPostgresStore({
    async query(statement) {
      sent.push(statement);
      return { rows: [] };
    },
  });
  for (const filter of filters()) {
    for (const stretch of stretches) await dealIndex.list(acme, filter, stretch);
  }
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

describe('lists', () => {
  it.each(['force_custom_plan', 'force_generic_plan'])(
    'read an index in its order: %s',
    async (mode) => {
      const plans = await plansOf(mode);
      expect(plans.length).toBe(filters().length * stretches.length);
      for (const plan of plans) {
        expect(plan).toContain('Index Scan');
        expect(plan).not.toContain('Seq Scan');
        // where all that passes the filter is a handful, it may be read whole
        const sorted = /Sort .*rows=(\d+)/.exec(plan)?.[1] ?? '0';
        expect(Number(sorted), plan).toBeLessThan(50);
      }
    },
  );

  it.each([11, 21])('keep a plan, which takes longer to make than %d deals', async (limit) => {
    await pool.query('set plan_cache_mode = auto');
    await pool.query('deallocate all');
    const lists = filters().filter(({ partner_id }) => partner_id === undefined);
    const planned: string[] = [];
    for (const filter of lists) {
      // a driver would take the names for those of before
      const asked: PostgresStatement[] = [];
      const { dealIndex } = createPostgresStore({
        async query(statement) {
          asked.push(statement);
          return { rows: [] };
        },
      });
      await dealIndex.list(acme, filter, { direction: 'older', from, limit });
      const [{ text, values = [] }] = asked as [PostgresStatement];
      const quoted = values.map((value) => (typeof value === 'number' ? value : `'${value}'`));
      await pool.query(`prepare asked as ${text}`);
      for (let time = 0; time < 7; time += 1)
        await pool.query(`execute asked(${quoted.join(',')})`);
      const { rows } = await pool.query(
        `select generic_plans::int as kept from pg_prepared_statements where name = 'asked'`,
      );
      await pool.query('deallocate asked');
      if (rows[0].kept < 1) planned.push(JSON.stringify(filter));
    }
    expect(planned).toEqual([]);
  });

  it.each([1, 2, 128, 129, 500])('have as many deals as are asked for: %d', async (limit) => {
    const { dealIndex } = createPostgresStore(pool);
    const stretch: DealStretch = { direction: 'older', from: undefined, limit };
    const listed = (await dealIndex.list(acme, {}, stretch))._unsafeUnwrap();
    expect(listed).toHaveLength(limit);
    const times = listed.map(({ position }) => position.created_at);
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe('statements', () => {
  it('have names of their own, as many as there are texts, which fit', async () => {
    const sent: PostgresStatement[] = [];
    const reports: StatementReport[] = [];
    for (const schema of ['dealwright', 's'.repeat(63)]) {
      if (schema !== 'dealwright') await createTables((sql) => pool.query(sql), schema);
      const store = createPostgresStore(
        {
          query(statement) {
            sent.push(statement);
            return pool.query(statement);
          },
        },
        { schema, hooks: { onStatement: (report) => void reports.push(report) } },
      );
      await store.contractors.add(acme, registration(acme));
      const given = [addition(acme, 'one'), addition(acme, 'two')];
      const outcomes = await Promise.all(given.map((each) => store.deals.add(acme, each)));
      await store.dealsV2.add(acme, additionV2(acme, 'three'));
      const first = outcomes[0]?._unsafeUnwrap();
      if (first?.outcome !== 'created') throw new Error('it is created');
      const deal = (await store.deals.byId(acme, first.id))._unsafeUnwrap()?.value;
      if (deal === undefined) throw new Error('the deal is there');
      await store.deals.save(acme, changeOf(acme, deal, 1));
      const file = workFileOf(first.stage_ids[0] ?? 0);
      await store.deals.addWorkFile(acme, fileAddition(acme, first.id, 2, file));
      await store.deals.recordedWorkFiles(acme, [file.id]);
      await store.dealIndex.list(acme, {}, { direction: 'older', from: undefined, limit: 2 });
      await store.events.after(acme, undefined, 10);
    }
    const names = new Set(sent.map(({ name }) => name));
    const texts = new Set(sent.map(({ text }) => text));
    expect(names.size).toBe(texts.size);
    for (const name of names) expect(name).toMatch(/^dealwright_\w{5,52}$/);
    // what is left to explain: each of them was one statement, one round trip
    expect(new Set(reports.map(({ statement }) => statement))).toEqual(
      new Set([
        ...[
          'contractors.add',
          'ids.take',
          'deals.addMany',
          'dealsV2.add',
          'deals.byId',
          'deals.save',
        ],
        ...['deals.addWorkFile', 'deals.recordedWorkFiles', 'dealIndex.list', 'events.after'],
      ]),
    );
    expect(reports.every(({ outcome, retries }) => outcome === 'ok' && retries === 0)).toBe(true);
    expect(reports.find(({ statement }) => statement === 'deals.addMany')?.rows).toBe(2);
    expect(reports.every(({ milliseconds }) => milliseconds > 0)).toBe(true);
  });
});
