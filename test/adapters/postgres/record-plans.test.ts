import { shapeOf } from 'dealwright/ports';
import { createPostgresStore, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { manyDeals, plansOf } from './plans.js';
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** Consumers of each tenant, deliveries under five of them, and an event of each delivery. */
const deliveries = `insert into dealwright.consumers (tenant, name, held, attempt)
  select tenant, 'consumer-' || n, '[]', 'a' from
    (select distinct tenant from dealwright.deals) t, generate_series(0, 499) n;
  insert into dealwright.deliveries (tenant, id, consumer, event_id, type, subject, sequence, status,
    attempts, tries, created_at, due_at, attempt)
  select tenant, 'id-' || lpad(id::text, 9, '0'), 'consumer-' || id % 5, 'e', 't', 'deal:' || id % 500, 1, 'pending',
    '[]', 0, 'c', due_at, attempt from dealwright.deals;
  insert into dealwright.events (tenant, position, id, type, subject, sequence, at, actor, data)
  select tenant, id, 'e-' || id, 't', 'deal:' || id % 100, id, 't', 'partner', '{}'
  from dealwright.deals;
  insert into dealwright.tenants select distinct tenant, 40000 from dealwright.deals;
  analyze dealwright.consumers; analyze dealwright.deliveries; analyze dealwright.events;`;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 2 });
  await createTables((sql) => pool.query(sql), 'dealwright');
  await createTables((sql) => pool.query(sql), 'blank');
  await pool.query(manyDeals);
  await pool.query(deliveries);
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
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
      [
        'deliveries_by_consumer_due_at',
        (store) => store.due(acme, 'delivery', '2026-02-20', 20, 'consumer-1'),
      ],
    ];
    for (const [index, ask] of asked) {
      const [plan = '', ...more] = await plansOf(
        pool,
        mode ?? '',
        async (store) => ask(store),
        schema,
      );
      expect(more).toEqual([]);
      expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${index} `));
      // records with the same due time are sorted, and a record that is found by its key
      expect(plan).not.toMatch(/Seq Scan|Bitmap/);
      if (index !== 'deliveries_by_consumer_due_at') expect(plan).not.toMatch(/Sort/);
      // a search begins at its first row: no row is read and then skipped
      expect(plan).not.toMatch(/Filter/);
    }
  });

  it.each(modes)('of all partners are sought in the index of their order: %s', async (mode) => {
    const equal: Readonly<Record<string, readonly string[]>> = {
      status: ['accepted'],
      email_key: ['often@example.com'],
      partner_id: ['deal-4'],
      alert: ['disputed'],
    };
    for (const index of shapeOf('deal').across ?? []) {
      const own = equal[index[0] ?? ''] ?? [];
      const next = index[own.length] === 'title' ? { from: 't', to: 'u' } : {};
      for (const direction of ['ascending', 'descending'] as const) {
        for (const after of [undefined, index.slice(own.length)]) {
          const range = { index, equal: own, ...next, direction, limit: 20 };
          const [plan = '', ...more] = await plansOf(pool, mode, async ({ records }) =>
            records.byIndex({ environment: 'sandbox' }, 'deal', {
              ...range,
              ...(after && { after }),
            }),
          );
          expect(more).toEqual([]);
          const name = `deals_of_all_by_${index.join('_')}`;
          expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${name} `));
          expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort|Filter/);
        }
      }
    }
  });

  it.each(modes)('of one subject, or waiting, are sought in their own index: %s', async (mode) => {
    for (const [owner, kind, index, equal, name] of [
      [acme, 'delivery', ['subject', 'id'], ['deal:7'], 'deliveries_by_subject_id'],
      [
        { environment: 'sandbox' },
        'unmatched_report',
        ['waiting_since', 'attempt'],
        [],
        'unmatched_reports_of_all_by_waiting_since_attempt',
      ],
    ] as const) {
      for (const direction of ['ascending', 'descending'] as const) {
        for (const after of [undefined, index.slice(equal.length)]) {
          const range = { index, equal, direction, ...(after && { after }), limit: 20 };
          const [plan = '', ...more] = await plansOf(pool, mode, async ({ records }) =>
            records.byIndex(owner, kind, range),
          );
          expect(more).toEqual([]);
          expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${name} `));
          expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort|Filter/);
        }
      }
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

  it('of all with something due are found, whether there is little or much', async () => {
    const store = createPostgresStore(pool);
    const due = async (before: string) => {
      const found: string[] = [];
      for (;;) {
        const last = found.at(-1);
        const after = last === undefined ? undefined : ({ ...acme, partner: last } as const);
        const page = (await store.tenants(after, 7, before))._unsafeUnwrap();
        found.push(...page.map(({ tenant }) => tenant.partner));
        if (page.length < 7) return found;
      }
    };
    for (const before of ['2026-01-31', '2026-02-01T00:00:00.000Z', '2026-02-20', '2026-03-01']) {
      const { rows } = await pool.query(
        `select distinct substr(tenant, 9) as name from dealwright.deals where due_at <= $1`,
        [before],
      );
      expect((await due(before)).sort()).toEqual(rows.map(({ name }) => name).sort());
    }
  });

  it.each(modes)('who has something due is found by that alone: %s', async (mode) => {
    for (const before of ['2026-01-01', '2026-02-20']) {
      const ask = async (store: PostgresStore) => store.tenants(undefined, 1_000, before);
      const [plan = '', ...more] = await plansOf(pool, mode, ask);
      expect(more).toEqual([]);
      // the tables of intents and clocks are empty here: a scan is as quick as an index
      expect(plan).toMatch(/Index (Only )?Scan using deals_of_all_by_due_at /);
      expect(plan).not.toMatch(/(Seq|Bitmap \w+) Scan on deals/);
    }
  });
});
