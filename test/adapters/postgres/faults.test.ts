import { inspect } from 'node:util';
import {
  createPostgresStore,
  fromPostgresJs,
  type PostgresLike,
  type PostgresStore,
  type StatementReport,
} from 'dealwright/postgres';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOf } from '../../../spec/store/changes.js';
import {
  acme,
  addition,
  additionV2,
  fileAddition,
  globex,
  registration,
  workFileOf,
} from '../../../spec/store/subject.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, createTables } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** The statements that take ids. */
const hearTakings = () => {
  const takings: StatementReport[] = [];
  const onStatement = (told: StatementReport) => {
    if (told.statement === 'ids.take') takings.push(told);
  };
  return { takings, hooks: { onStatement } };
};

const poolOf = (settings: pg.PoolConfig = {}) => {
  const made = new pg.Pool({ connectionString: server.socketUrl, max: 4, ...settings });
  // a connection that is lost while it is idle is told here, and nowhere else
  made.on('error', () => undefined);
  return made;
};

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = poolOf();
  await createTables((sql) => pool.query(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});
beforeEach(async () => {
  await clearTables((sql) => pool.query(sql), 'dealwright');
  const registered = await createPostgresStore(pool).contractors.add(acme, registration(acme));
  expect(registered.isOk()).toBe(true);
});

/** Carries out the first statements that match, and then loses the connection that they went by. */
function losing(db: PostgresLike, words: string, times = 1): PostgresLike {
  let left = times;
  return {
    async query(statement) {
      const answer = await db.query(statement);
      if (left === 0 || !statement.text.includes(words)) return answer;
      left -= 1;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
}

const dealsOf = async () =>
  (await pool.query('select partner_id from dealwright.deals order by 1')).rows.map(
    (row: { readonly partner_id: string }) => row.partner_id,
  );

async function created(store: PostgresStore, partner_id = 'deal') {
  const outcome = (await store.deals.add(acme, addition(acme, partner_id)))._unsafeUnwrap();
  if (outcome.outcome !== 'created') throw new Error('it is created');
  return outcome;
}

describe('a connection that is lost behind a commit', () => {
  it('costs no create its answer', async () => {
    const alone = createPostgresStore(losing(pool, 'into "dealwright".deals'), { gather: false });
    const { id } = await created(alone);
    expect((await alone.deals.byId(acme, id))._unsafeUnwrap()?.value.partner_id).toBe('deal');
    const gathered = createPostgresStore(losing(pool, 'with input'));
    const given = Array.from({ length: 9 }, (_, at) => additionV2(acme, `two-${at}`));
    const outcomes = await Promise.all(given.map((each) => gathered.dealsV2.add(acme, each)));
    for (const each of outcomes) expect(each._unsafeUnwrap()).toEqual({ outcome: 'created' });
    expect(await dealsOf()).toHaveLength(10);
    const { rows } = await pool.query('select last_position from dealwright.tenants');
    expect(rows).toEqual([{ last_position: '11' }]);
  });

  it('costs no registration and no work file its answer', async () => {
    const store = createPostgresStore(losing(pool, 'into "dealwright".contractors'));
    const key = { register: 'own', email_key: 'other@example.com' };
    const again = await store.contractors.add(acme, registration(acme, key));
    expect(again._unsafeUnwrap()).toEqual({ outcome: 'created' });
    const { id, stage_ids } = await created(store);
    const file = workFileOf(stage_ids[0] ?? 0);
    const files = createPostgresStore(losing(pool, 'into "dealwright".work_files'));
    const stored = await files.deals.addWorkFile(acme, fileAddition(acme, id, 1, file));
    expect(stored._unsafeUnwrap()).toEqual({ outcome: 'stored' });
    const read = (await store.deals.byId(acme, id))._unsafeUnwrap();
    expect([read?.version, read?.value.stages[0]?.work_files]).toEqual([2, [file]]);
  });

  it('costs no read its answer', async () => {
    await created(createPostgresStore(pool));
    const store = createPostgresStore(losing(pool, 'd.partner_id = $2', 2));
    const read = await store.dealIndex.byPartnerId(acme, 'deal');
    expect(read._unsafeUnwrap()?.value.partner_id).toBe('deal');
  });

  it('leaves it open what became of a save, which is not sent again', async () => {
    const { id } = await created(createPostgresStore(pool));
    const store = createPostgresStore(losing(pool, 'update "dealwright".deals'));
    const deal = (await store.deals.byId(acme, id))._unsafeUnwrap()?.value;
    if (deal === undefined) throw new Error('the deal is there');
    const saved = await store.deals.save(acme, changeOf(acme, deal, 1));
    expect(saved._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', retryable: true });
    expect((await store.deals.byId(acme, id))._unsafeUnwrap()?.version).toBe(2);
  });

  it('throws the rest of the ids away', async () => {
    const store = createPostgresStore(losing(pool, 'into "dealwright".deals'), { gather: false });
    await created(store);
    const next = await created(store, 'next');
    // the first block is gone: its last numbers were not given
    const { rows } = await pool.query('select min(id) as first from dealwright.deals');
    expect(next.id - Number(rows[0].first)).toBeGreaterThan(900);
  });
});

describe('what fails', () => {
  it('does not fail its neighbours', async () => {
    const failed: string[] = [];
    const hooks = {
      onStatement: ({ code = '' }: { readonly code?: string }) => void failed.push(code),
    };
    const store = createPostgresStore(pool, { hooks });
    const given = Array.from({ length: 5 }, (_, at) => additionV2(acme, `deal-${at}`));
    const bad = additionV2(acme, 'bad');
    const mixed = [...given, { ...bad, deal: { ...bad.deal, title: 'no\0text' } }];
    const outcomes = await Promise.all(mixed.map((each) => store.dealsV2.add(acme, each)));
    expect(outcomes.map((each) => each.isOk())).toEqual([true, true, true, true, true, false]);
    expect(outcomes.at(-1)?._unsafeUnwrapErr()).toMatchObject({
      outcome: 'none',
      retryable: false,
    });
    expect(await dealsOf()).toEqual(given.map(({ deal }) => deal.partner_id));
    expect(failed.filter((code) => code.startsWith('22'))).toHaveLength(2);
  });

  it('says so where there are no tables', async () => {
    const store = createPostgresStore(pool, { schema: 'nowhere' });
    for (const answer of [
      await store.deals.add(acme, addition(acme, 'deal')),
      await store.dealsV2.add(acme, additionV2(acme, 'deal')),
      await store.dealIndex.byPartnerId(acme, 'deal'),
    ]) {
      const failure = answer._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'none', retryable: false });
      expect(String(failure.cause)).toContain('dealwright migrate');
    }
  });

  it('keeps a payment token out of the cause, where the server refuses its row', async () => {
    const sql = postgres(server.url, { max: 1 });
    const given = additionV2(acme, 'refused');
    await pool.query(
      "alter table dealwright.deals add constraint no_such check (partner_id <> 'refused')",
    );
    try {
      for (const db of [pool, fromPostgresJs(sql)]) {
        const added = await createPostgresStore(db).dealsV2.add(acme, given);
        const failure = added._unsafeUnwrapErr();
        expect(failure).toMatchObject({
          outcome: 'none',
          retryable: false,
          cause: { code: '23514' },
        });
        const shown = inspect(failure, { depth: 10, showHidden: true });
        expect(shown).toContain('violates check constraint "no_such"');
        expect(shown).not.toContain(given.deal.payment_token);
      }
    } finally {
      await pool.query('alter table dealwright.deals drop constraint no_such');
      await sql.end();
    }
  });

  it('gives no id beyond 2^53-1', async () => {
    await pool.query('update dealwright.ids set next = 9007199254740991');
    const failed = await createPostgresStore(pool).deals.add(acme, addition(acme, 'deal'));
    const { takings, hooks } = hearTakings();
    const together = createPostgresStore(pool, { hooks });
    const names = ['one', 'two', 'three', 'four'];
    const all = await Promise.all(
      names.map((name) => together.deals.add(acme, addition(acme, name))),
    );
    // three ids, which is fewer than a block
    await pool.query('update dealwright.ids set next = 9007199254740989');
    const last = await createPostgresStore(pool).deals.add(acme, addition(acme, 'last'));
    const none = await createPostgresStore(pool).deals.add(acme, addition(acme, 'none'));
    await pool.query('update dealwright.ids set next = 1');
    for (const answer of [failed, none, ...all]) {
      const refused = answer._unsafeUnwrapErr();
      expect(refused).toMatchObject({ outcome: 'none', retryable: false });
      expect(String(refused.cause)).toContain('all ids are given out');
    }
    // a block, and what the batch needs: none of it by itself
    expect(takings).toHaveLength(2);
    expect(last.isOk()).toBe(true);
  });

  it('is told when no connection is free in time, and works again when one is', async () => {
    const small = poolOf({ max: 1, connectionTimeoutMillis: 100 });
    const { takings, hooks } = hearTakings();
    const store = createPostgresStore(small, { hooks });
    expect((await store.deals.add(acme, addition(acme, 'first'))).isOk()).toBe(true);
    const held = await small.connect();
    const waiting = store.dealsV2.add(acme, additionV2(acme, 'deal'));
    const read = await store.dealIndex.byPartnerId(acme, 'deal');
    expect(read._unsafeUnwrapErr()).toMatchObject({
      outcome: 'none',
      retryable: true,
      retryAfter: 1,
    });
    const failure = (await waiting)._unsafeUnwrapErr();
    expect(failure).toMatchObject({ outcome: 'none', retryable: true, retryAfter: 1 });
    held.release();
    expect((await store.deals.add(acme, addition(acme, 'deal'))).isOk()).toBe(true);
    // of its ids none was lost
    expect(takings).toHaveLength(1);
    await small.end();
  });

  it('is unavailable where a lock does not come in time', async () => {
    const holder = await pool.connect();
    await holder.query('begin; update dealwright.tenants set last_position = last_position');
    const hasty = poolOf({ options: '-c lock_timeout=20' });
    const store = createPostgresStore(hasty);
    const failed = await store.dealsV2.add(acme, additionV2(acme, 'deal'));
    expect(failed._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: true });
    const elsewhere = await store.dealsV2.add(globex, additionV2(globex, 'deal'));
    expect(elsewhere.isOk()).toBe(true);
    await holder.query('rollback');
    holder.release();
    expect((await store.dealsV2.add(acme, additionV2(acme, 'deal'))).isOk()).toBe(true);
    await hasty.end();
  });

  it('is sent again where transactions of the host are serializable', async () => {
    const strict = poolOf({ options: '-c default_transaction_isolation=serializable', max: 8 });
    const stores = [0, 1].map(() => createPostgresStore(strict, { gather: false }));
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        (stores[at % 2] as PostgresStore).dealsV2.add(acme, additionV2(acme, `deal-${at % 6}`)),
      ),
    );
    const winners = outcomes.filter((each) => each.isOk() && each.value.outcome === 'created');
    const ended = outcomes.filter((each) => each.isErr());
    for (const each of ended) expect(each._unsafeUnwrapErr().outcome).toBe('none');
    expect(winners).toHaveLength((await dealsOf()).length);
    await strict.end();
  });
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
      const answer = await store.deals.add(acme, addition(acme, partner_id));
      if (answer.isOk()) {
        expect(answer.value.outcome).toBe('created');
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
  const there = new Set(await dealsOf());
  expect(told.filter((partner_id) => !there.has(partner_id))).toEqual([]);
  const { rows } = await pool.query(`select d.partner_id from dealwright.deals d where 2 <> (
      select count(*) from dealwright.stages s where s.tenant = d.tenant and s.deal_id = d.id)
    or 1 <> (select count(*) from dealwright.events e where e.tenant = d.tenant and e.id = d.event_id)`);
  expect(rows).toEqual([]);
}, 60_000);
