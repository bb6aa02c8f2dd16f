import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme } from '../../../spec/store/subject.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createDeal } from './new-deals.js';
import { createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 4 });
  // this event is the only sign of an idle connection that is lost
  pool.on('error', () => undefined);
  await createTables((sql) => pool.query(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

it('gets over a server that is killed and started again, without losing what it said', async () => {
  const store = createPostgresStore(pool);
  const told: string[] = [];
  let isOver = false;
  let nth = 0;
  const writing = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      nth += 1;
      const partner_id = `deal-${nth}`;
      const answer = await createDeal(store, acme, partner_id);
      if (answer.isOk()) {
        expect(answer.value.outcome).toEqual({ outcome: 'committed' });
        told.push(partner_id);
      } else {
        expect(answer.error).toMatchObject({ retryable: true });
      }
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await server.kill();
  await server.restart();
  const before = told.length;
  while (told.length < before + 20) await new Promise((resolve) => setTimeout(resolve, 20));
  isOver = true;
  await Promise.all(writing);
  const stored = await pool.query<{ partner_id: string }>(
    'select partner_id from dealwright.deals',
  );
  const there = new Set(stored.rows.map(({ partner_id }) => partner_id));
  expect(told.filter((partner_id) => !there.has(partner_id))).toEqual([]);
  const { rows } = await pool.query(`select d.partner_id from dealwright.deals d where 1 <> (
      select count(*) from dealwright.stages s
      where s.tenant = d.tenant and s.partner_id = d.partner_id)
    or 1 <> (select count(*) from dealwright.events e
      where e.tenant = d.tenant and e.subject = 'deal:' || d.partner_id)`);
  expect(rows).toEqual([]);
});
