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
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** 20,000 deals of one tenant and as many of others, with statuses and addresses rare and common. */
const many = `insert into dealwright.deals (tenant, partner_id, id, api_version, created_at, attempt,
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

/** A stage and an intent of each of them. */
const parts = `insert into dealwright.stages
  select tenant, 1000000 + id, partner_id, 'n', 1, 1, 'pending', null, null, attempt from dealwright.deals;
  insert into dealwright.intents
  select tenant, attempt, partner_id, 'k', 'p', 1, 1, 'done', 0, 't', null, attempt from dealwright.deals;
  analyze dealwright.stages; analyze dealwright.intents;`;

/** Consumers of each tenant, deliveries under five of them, and an event of each delivery. */
const deliveries = `insert into dealwright.consumers (tenant, name, held, attempt)
  select tenant, 'consumer-' || n, '[]', 'a' from
    (select distinct tenant from dealwright.deals) t, generate_series(0, 499) n;
  insert into dealwright.deliveries (tenant, id, consumer, event_id, type, subject, sequence, status,
    attempts, tries, created_at, due_at, attempt)
  select tenant, 'id-' || lpad(id::text, 9, '0'), 'consumer-' || id % 5, 'e', 't', 's', 1, 'pending',
    '[]', 0, 'c', due_at, attempt from dealwright.deals;
  insert into dealwright.events (tenant, position, id, type, subject, sequence, at, actor, data)
  select tenant, id, 'e-' || id, 't', 'deal:' || id % 100, id, 't', 'partner', '{}'
  from dealwright.deals;
  insert into dealwright.tenants select distinct tenant, 40000 from dealwright.deals;
  analyze dealwright.consumers; analyze dealwright.deliveries; analyze dealwright.events;`;

/** What the planner expects a statement to cost. */
const costOf = (plan: string) => Number(plan.match(/cost=[\d.]+\.\.([\d.]+)/)?.[1]);

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 2 });
  await createTables((sql) => pool.query(sql), 'dealwright');
  await pool.query(many);
  await pool.query(parts);
  await pool.query(deliveries);
  await createTables((sql) => pool.query(sql), 'blank');
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

/** How the database goes about what a store is asked. */
async function plansOf(
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

describe('lists', () => {
  it.each(['force_custom_plan', 'force_generic_plan'])(
    'read an index in its order: %s',
    async (mode) => {
      const plans = await plansOf(mode, listAll);
      expect(plans.length).toBe(filters().length * ranges.length);
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
      const [due = '', early = '', token = ''] = await plansOf(mode, async (store) => {
        await store.due(acme, 'deal', '2026-02-20T00:00:00.000Z', 100);
        await store.due(acme, 'deal', '2026-01-20T00:00:00.000Z', 100);
        await store.deals.byPaymentToken(acme, 'token-100', ['stage']);
      });
      for (const plan of [due, early]) {
        expect(plan).toMatch(/Index Scan using \w*due_at\w* /);
        expect(plan).not.toMatch(/Seq Scan|Bitmap/);
      }
      // of many those of one time are sorted, and not all that is due
      expect(due).toMatch(/Incremental Sort/);
      expect(token).toMatch(/Index Scan using \w*payment_token\w* /);
      expect(token).not.toMatch(/Seq Scan|Sort .*deals/);
    },
  );

  it.each(['force_custom_plan', 'force_generic_plan'])(
    'and many deals that are read together: %s',
    async (mode) => {
      const [together = '', ...others] = await plansOf(mode, ({ deals }) =>
        Promise.all(
          [1, 2, 3].map((n) => deals.byPartnerId(acme, `deal-${n}`, ['stage', 'intent'])),
        ),
      );
      expect(others).toEqual([]);
      expect(together).toMatch(/Index Scan using deals_pkey/);
      expect(together).toMatch(/Index Scan using stages_by_partner_id_id/);
      expect(together).not.toMatch(/Seq Scan/);
      // what seems to cost 100,000 is compiled first, which takes a second
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

describe('records by their keys, and events of a subject', () => {
  const modes = ['force_custom_plan', 'force_generic_plan'];
  const cases = modes.flatMap((mode) => ['dealwright', 'blank'].map((schema) => [mode, schema]));
  it.each(cases)('are sought in the index that has their order: %s, %s', async (mode, schema) => {
    const after = 'id-000020000';
    const asked: [index: string, ask: (store: PostgresStore) => unknown][] = [
      ['events_by_subject_sequence', ({ events }) => events.of(acme, 'deal:4', 2_000, 20)],
      ['webhooks_pkey', ({ records }) => records.byKey(acme, 'webhook', 'w')],
      ['consumers_pkey', ({ records }) => records.byKey(acme, 'consumer', 'consumer-1')],
      ['deliveries_pkey', ({ records }) => records.byKey(acme, 'delivery', after)],
      ...(['ascending', 'descending'] as const).flatMap((direction): typeof asked => {
        const range = { direction, limit: 20 };
        const under = { ...range, under: 'consumer-1' };
        return [
          ['webhooks_pkey', ({ records }) => records.list(acme, 'webhook', range)],
          ['consumers_pkey', ({ records }) => records.list(acme, 'consumer', { ...range, after })],
          ['deliveries_pkey', ({ records }) => records.list(acme, 'delivery', range)],
          ['deliveries_pkey', ({ records }) => records.list(acme, 'delivery', { ...range, after })],
          ['deliveries_by_consumer_id', ({ records }) => records.list(acme, 'delivery', under)],
          [
            'deliveries_by_consumer_id',
            ({ records }) => records.list(acme, 'delivery', { ...under, after }),
          ],
        ];
      }),
      ['deliveries_by_due_at', (store) => store.due(acme, 'delivery', '2026-02-20', 20)],
    ];
    for (const [index, ask] of asked) {
      const [plan = '', ...more] = await plansOf(mode ?? '', async (store) => ask(store), schema);
      expect(more).toEqual([]);
      expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${index} `));
      // what is due at one time is sorted, and a record that is found by its key
      expect(plan).not.toMatch(/Seq Scan|Bitmap/);
      if (index !== 'deliveries_by_due_at') expect(plan).not.toMatch(/Sort/);
      // what is sought is sought from its first row on: nothing is read to be passed over
      expect(plan).not.toMatch(/Filter/);
    }
  });

  it('are as many as are asked for', async () => {
    const { records, events } = createPostgresStore(pool);
    const range = { direction: 'ascending', under: 'consumer-1', after: 'id-000020000' } as const;
    const found = await records.list(acme, 'delivery', { ...range, limit: 3 });
    const ids = found._unsafeUnwrap().map(({ id }) => id);
    expect(ids).toEqual(['id-000020006', 'id-000020016', 'id-000020026']);
    const own = (await events.of(acme, 'deal:4', 2_000, 2))._unsafeUnwrap();
    expect(own.map(({ sequence }) => sequence)).toEqual([2_004, 2_104]);
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
      const tenantStore = createPostgresStore(recorded, { ...options, gather: { by: 'tenant' } });
      await Promise.all(['four', 'five'].map((name) => tenantStore.commit(acme, dealOf(name))));
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
    // what is left to explain: each of them was one statement, one round trip
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
