import type { DealFilter, DealRange } from 'dealwright/ports';
import {
  createPostgresStore,
  type PostgresLike,
  type PostgresStatement,
  type PostgresStore,
  type StatementReport,
} from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acme, nextId, recordByKey } from '../../../spec/store/subject.js';
import { registration, upload } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createDeal, dealOf } from './new-deals.js';
import { manyDeals, plansOf } from './plans.js';
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** A stage and an intent of each deal. */
const parts = `insert into dealwright.stages
  select tenant, 1000000 + id, partner_id, 'n', 1, 1, 'pending', null, null, attempt from dealwright.deals;
  insert into dealwright.intents
  select tenant, attempt, partner_id, 'k', 'p', 1, 1, 'done', 0, 't', null, attempt from dealwright.deals;
  analyze dealwright.stages; analyze dealwright.intents;`;

/** The cost of a statement as the planner expects it. */
const costOf = (plan: string) => Number(plan.match(/cost=[\d.]+\.\.([\d.]+)/)?.[1]);

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 2 });
  await createTables((sql) => pool.query(sql), 'dealwright');
  await pool.query(manyDeals);
  await pool.query(parts);
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

/** Every combination of the filters of a list. */
function filters(): DealFilter[] {
  let all: DealFilter[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap((each) =>
      values.map((value) => (value === undefined ? each : { ...each, [name]: value })),
    );
  }
  return [...all, { partner_id: 'deal-100' }, { partner_id: 'deal-100', status: 'created' }];
}

const from = { created_at: '2026-01-10T00:00:00.000Z', attempt: 'event-000012960' };
const ranges: readonly DealRange[] = (['older', 'newer'] as const).flatMap((direction) => [
  { direction, from: undefined, limit: 21 },
  { direction, from, limit: 21 },
]);

const listAll = async ({ deals }: PostgresStore) => {
  for (const filter of filters()) {
    for (const range of ranges) await deals.list(acme, filter, range);
  }
};

describe('lists', () => {
  it.each(['force_custom_plan', 'force_generic_plan'])(
    'read an index in its order: %s',
    async (mode) => {
      const plans = await plansOf(pool, mode, listAll);
      expect(plans.length).toBe(filters().length * ranges.length);
      for (const plan of plans) {
        expect(plan).toContain('Index Scan');
        expect(plan).not.toContain('Seq Scan');
        // if only a handful passes the filter, it may be read whole
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
      // a driver would take the names for those of earlier statements
      const asked: PostgresStatement[] = [];
      const { deals } = createPostgresStore({
        async query(statement) {
          asked.push(statement);
          return { rows: [] };
        },
      });
      await deals.list(acme, filter, { direction: 'older', from, limit });
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
    const { deals } = createPostgresStore(pool);
    const range: DealRange = { direction: 'older', from: undefined, limit };
    const listed = (await deals.list(acme, {}, range))._unsafeUnwrap();
    expect(listed).toHaveLength(limit);
    const times = listed.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe('what is due, and a deal of a payment token', () => {
  it.each(['force_custom_plan', 'force_generic_plan'])(
    'are read by an index that has them: %s',
    async (mode) => {
      const [due = '', early = '', token = ''] = await plansOf(pool, mode, async (store) => {
        await store.due(acme, 'deal', '2026-02-20T00:00:00.000Z', 100);
        await store.due(acme, 'deal', '2026-01-20T00:00:00.000Z', 100);
        await store.deals.byPaymentToken(acme, 'token-100', ['stage']);
      });
      for (const plan of [due, early]) {
        expect(plan).toMatch(/Index Scan using \w*due_at\w* /);
        expect(plan).not.toMatch(/Seq Scan|Bitmap/);
      }
      // only deals with the same due time are sorted, not all due deals
      expect(due).toMatch(/Incremental Sort/);
      expect(token).toMatch(/Index Scan using \w*payment_token\w* /);
      expect(token).not.toMatch(/Seq Scan|Sort .*deals/);
    },
  );

  it.each(['force_custom_plan', 'force_generic_plan'])(
    'and many deals that are read together: %s',
    async (mode) => {
      const [together = '', ...others] = await plansOf(pool, mode, ({ deals }) =>
        Promise.all(
          [1, 2, 3].map((n) => deals.byPartnerId(acme, `deal-${n}`, ['stage', 'intent'])),
        ),
      );
      expect(others).toEqual([]);
      expect(together).toMatch(/Index Scan using deals_pkey/);
      expect(together).toMatch(/Index Scan using stages_by_partner_id_id/);
      expect(together).not.toMatch(/Seq Scan/);
      // a plan with a cost of 100,000 is compiled first, which takes a second
      expect(costOf(together)).toBeLessThan(2_000);
    },
  );

  it('are as many as are asked for, the longest overdue first', async () => {
    const store = createPostgresStore(pool);
    const due = (await store.due(acme, 'deal', '2026-02-03T00:00:00.000Z', 500))._unsafeUnwrap();
    expect(due).toHaveLength(500);
    const places = due.map(({ due_at, partner_id }) => `${due_at} ${partner_id}`);
    expect(places).toEqual([...places].sort());
    const found = (await store.deals.byPaymentToken(acme, 'token-100', []))._unsafeUnwrap();
    expect(found?.deal.partner_id).toBe('deal-100');
  });
});

describe('statements', () => {
  it('have names of their own, as many as there are texts, which fit', async () => {
    const sent: PostgresStatement[] = [];
    const reports: StatementReport[] = [];
    for (const schema of ['dealwright', 's'.repeat(63)]) {
      if (schema !== 'dealwright') await createTables((sql) => pool.query(sql), schema);
      const recorded: PostgresLike = {
        query(statement) {
          sent.push(statement);
          return pool.query(statement);
        },
      };
      const hooks = { onStatement: (report: StatementReport) => void reports.push(report) };
      const options = { schema, hooks };
      const store = createPostgresStore(recorded, options);
      await store.commit(acme, registration());
      const first = (await createDeal(store, acme, 'one'))._unsafeUnwrap();
      await Promise.all(['two', 'three'].map((name) => store.commit(acme, dealOf(name))));
      await store.deals.byId(acme, first.id, []);
      await store.deals.byPartnerId(acme, 'one', ['stage', 'work_file']);
      await store.deals.byPaymentToken(acme, 'token', []);
      await Promise.all(['one', 'two'].map((name) => store.deals.byPartnerId(acme, name, [])));
      await store.due(acme, 'deal', '2026', 10);
      await store.due(acme, 'intent', '2026', 10);
      await store.commit(acme, upload('one', first.id + 1));
      await store.workFiles.recorded(acme, [nextId()]);
      await store.deals.list(acme, {}, { direction: 'older', from: undefined, limit: 2 });
      await store.events.after(acme, undefined, 10);
      await store.events.of(acme, 'deal:one', 0, 10);
      for (const kind of ['webhook', 'consumer', 'delivery'] as const) {
        await recordByKey(store, acme, kind, 'key');
        for (const direction of ['ascending', 'descending'] as const) {
          await store.records.list(acme, kind, { direction, limit: 10 });
          await store.records.list(acme, kind, { direction, after: 'key', limit: 10 });
          await store.records.list(acme, kind, { direction, under: 'key', limit: 10 });
          const range = { direction, under: 'key', after: 'key', limit: 10 };
          await store.records.list(acme, kind, range);
        }
      }
      await store.tenants(undefined, 10);
    }
    const names = new Set(sent.map(({ name }) => name));
    const texts = new Set(sent.map(({ text }) => text));
    expect(names.size).toBe(texts.size);
    for (const name of names) expect(name).toMatch(/^dealwright_\w{5,52}$/);
    // all other calls: each of them was one statement, one round trip
    expect(new Set(reports.map(({ statement }) => statement))).toEqual(
      new Set([
        ...['commit', 'reserve', 'deals.byId', 'deals.byPartnerId', 'deals.byPaymentToken'],
        ...['deals.list', 'workFiles.recorded', 'events.after', 'events.of', 'due', 'tenants'],
        ...['records.byKey', 'records.list'],
      ]),
    );
    expect(reports.every(({ outcome, retries }) => outcome === 'ok' && retries === 0)).toBe(true);
    expect(new Set(reports.map(({ rows }) => rows))).toEqual(new Set([1, 2]));
    expect(reports.every(({ milliseconds }) => milliseconds > 0)).toBe(true);
  });
});
