import type { Tenant } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2 } from '../kit/requests.js';
import { hosts } from './transaction-hosts.js';

/** Connections of the pool. */
const max = 5;
let server: Postgres;
let observer: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  observer = new pg.Pool({ connectionString: server.url, max: 1 });
  (await migratePostgres(observer))._unsafeUnwrap();
  await observer.query('create table orders (id text primary key)');
}, 120_000);
afterAll(async () => {
  await observer?.end();
  await server?.stop();
});

/** One partner, whose transactions take turns, and many, whose transactions overlap. */
const tenants: Readonly<Record<string, (at: number) => Tenant>> = {
  'one partner': () => ({ environment: 'sandbox', partner: 'acme' }),
  'many partners': (at) => ({ environment: 'production', partner: `shop-${at % 20}` }),
};

const orders = Array.from({ length: 100 }, (_, at) => ({ ...dealV2, partner_id: `order-${at}` }));
const cases = Object.entries(hosts).flatMap(([library, open]) =>
  Object.entries(tenants).map(([whose, tenantAt]) => ({ library, open, whose, tenantAt })),
);

describe('a pool of five that the host shares with the store', () => {
  it.each(cases)(
    '$library: 100 transactions of $whose, begun at once, all have their deal',
    async ({ open, tenantAt }) => {
      await observer.query(
        'delete from orders; delete from dealwright.deals; delete from dealwright.answers',
      );
      const { db, place, close } = await open(server.url, max);
      try {
        const store = createPostgresStore(db);
        const deals = { store, marketplace: createDealwright({ store }).marketplace };
        const placed = await Promise.allSettled(
          orders.map((order, at) => place(deals, tenantAt(at), order)),
        );
        expect(placed.filter(({ status }) => status === 'rejected')).toEqual([]);
        const found = await observer.query(
          'select count(*)::int, count(distinct d.id)::int as ids from dealwright.deals d join orders o on o.id = d.partner_id',
        );
        expect(found.rows).toEqual([{ count: 100, ids: 100 }]);
      } finally {
        await close();
      }
    },
  );
});
