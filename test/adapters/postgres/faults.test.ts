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
import { acme, globex, nextId } from '../../../spec/store/subject.js';
import { insertOf, move, newDeal, registration, upload } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createDeal, dealOf } from './new-deals.js';
import { clearTables, createTables, lastIdSql } from './tables.js';

let server: Postgres;
let pool: pg.Pool;

/** The statements that take integers. */
const hearTakings = () => {
  const takings: StatementReport[] = [];
  const onStatement = (told: StatementReport) => {
    if (told.statement === 'reserve') takings.push(told);
  };
  return { takings, hooks: { onStatement } };
};

const poolOf = (settings: pg.PoolConfig = {}) => {
  const made = new pg.Pool({ connectionString: server.socketUrl, max: 4, ...settings });
  // this event is the only sign of an idle connection that is lost
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
  const registered = await createPostgresStore(pool).commit(acme, registration());
  expect(registered.isOk()).toBe(true);
});

/** Executes the first statements that match, and then loses their connection. */
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

const committed = { outcome: 'committed' };

async function created(store: PostgresStore, partner_id = 'deal') {
  const { id, outcome } = (await createDeal(store, acme, partner_id))._unsafeUnwrap();
  expect(outcome).toEqual(committed);
  return { id, stage_id: id + 1 };
}

describe('a connection that is lost after a commit', () => {
  it('costs no create its answer', async () => {
    const alone = createPostgresStore(losing(pool, '.commit_one_'), { gather: false });
    const { id } = await created(alone);
    expect((await alone.deals.byId(acme, id, []))._unsafeUnwrap()?.deal.partner_id).toBe('deal');
    for (const by of ['all', 'node'] as const) {
      const gathered = createPostgresStore(losing(pool, '.commit_'), { gather: { by } });
      const names = Array.from({ length: 9 }, (_, at) => `${by}-${at}`);
      const outcomes = await Promise.all(names.map((name) => createDeal(gathered, acme, name)));
      for (const each of outcomes) expect(each._unsafeUnwrap().outcome).toEqual(committed);
    }
    expect(await dealsOf()).toHaveLength(19);
    const { rows } = await pool.query('select last_position from dealwright.tenants');
    expect(rows).toEqual([{ last_position: '20' }]);
  });

  it('costs no registration and no work file its answer', async () => {
    const store = createPostgresStore(losing(pool, '.commit_one_'));
    const again = await store.commit(acme, registration('other@example.com'));
    expect(again._unsafeUnwrap()).toEqual(committed);
    const { id, stage_id } = await created(store);
    const file = nextId();
    const files = createPostgresStore(losing(pool, '.commit_one_'));
    const stored = await files.commit(acme, upload('deal', stage_id, { id: file }));
    expect(stored._unsafeUnwrap()).toEqual(committed);
    const read = (await store.deals.byId(acme, id, ['work_file']))._unsafeUnwrap();
    expect(read?.deal.version).toBe(2);
    expect(read?.work_file.map((each) => each.id)).toEqual([file]);
  });

  it('costs no read its answer', async () => {
    await created(createPostgresStore(pool));
    const store = createPostgresStore(losing(pool, 'd.partner_id >= $2', 2));
    const read = await store.deals.byPartnerId(acme, 'deal', []);
    expect(read._unsafeUnwrap()?.deal.partner_id).toBe('deal');
  });

  it('leaves it open what became of a change, which is not sent again', async () => {
    await created(createPostgresStore(pool));
    const store = createPostgresStore(losing(pool, '.commit_one_'));
    const changed = await store.commit(acme, move('deal', 1, { status: 'accepted' }));
    expect(changed._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', retryable: true });
    const read = (await store.deals.byPartnerId(acme, 'deal', []))._unsafeUnwrap();
    expect(read?.deal).toMatchObject({ version: 2, status: 'accepted' });
  });

  it('discards the rest of the integers', async () => {
    const store = createPostgresStore(losing(pool, '.commit_one_'), { gather: false });
    const first = await created(store);
    // the first block is lost: its last numbers were not given
    const next = await created(store, 'next');
    expect(next.id - first.id).toBeGreaterThan(900);
  });
});

describe('what fails', () => {
  it('does not fail its neighbours', async () => {
    const failed: string[] = [];
    const hooks = {
      onStatement: ({ code = '' }: { readonly code?: string }) => void failed.push(code),
    };
    const store = createPostgresStore(pool, { hooks });
    const given = Array.from({ length: 5 }, (_, at) => dealOf(`deal-${at}`));
    const bad = dealOf('bad');
    const row = { ...newDeal, partner_id: 'bad', id: 900_000, title: 'no\0text' };
    const mixed = [...given, { ...bad, insert: [insertOf('deal', row)] }];
    const outcomes = await Promise.all(mixed.map((each) => store.commit(acme, each)));
    expect(outcomes.map((each) => each.isOk())).toEqual([true, true, true, true, true, false]);
    expect(outcomes.at(-1)?._unsafeUnwrapErr()).toMatchObject({
      outcome: 'none',
      retryable: false,
    });
    expect(await dealsOf()).toEqual(given.map((_, at) => `deal-${at}`));
    expect(failed.filter((code) => code.startsWith('22'))).toHaveLength(2);
  });

  it('says so if there are no tables or functions', async () => {
    const store = createPostgresStore(pool, { schema: 'nowhere' });
    await pool.query('create schema lacking');
    const lacking = createPostgresStore(pool, { schema: 'lacking' });
    for (const answer of [
      await store.reserve('sandbox', 1),
      await store.commit(acme, dealOf('deal')),
      await lacking.commit(acme, dealOf('deal')),
      await store.deals.byPartnerId(acme, 'deal', []),
    ]) {
      const failure = answer._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'none', retryable: false });
      expect(String(failure.cause)).toContain('dealwright migrate');
    }
    await pool.query('drop schema lacking');
  });

  it('keeps a payment token out of the cause, if the server refuses its row', async () => {
    const sql = postgres(server.url, { max: 1 });
    const payment_token = 'a-secret-token';
    const refusedDeal = () => {
      const row = { ...newDeal, partner_id: 'refused', id: 900_001, payment_token };
      return { ...dealOf('refused'), insert: [insertOf('deal', row)] };
    };
    await pool.query(
      "alter table dealwright.deals add constraint no_such check (partner_id <> 'refused')",
    );
    try {
      for (const db of [pool, fromPostgresJs(sql)]) {
        const store = createPostgresStore(db);
        const [alone] = [await store.commit(acme, refusedDeal())];
        const both = [refusedDeal(), dealOf('other')].map((each) => store.commit(acme, each));
        for (const refused of [alone, await both[0]]) {
          const failure = refused?._unsafeUnwrapErr();
          expect(failure).toMatchObject({
            outcome: 'none',
            retryable: false,
            cause: { code: '23514' },
          });
          const shown = inspect(failure, { depth: 10, showHidden: true });
          expect(shown).toContain('violates check constraint "no_such"');
          expect(shown).not.toContain(payment_token);
        }
        await both[1];
      }
    } finally {
      await pool.query('alter table dealwright.deals drop constraint no_such');
      await sql.end();
    }
  });

  it('gives no integer beyond 2^53-1, and those of each environment apart', async () => {
    const set = (last: string) => pool.query(lastIdSql('dealwright', 'sandbox', last).join('\n'));
    await set('9007199254740990');
    const failed = await createPostgresStore(pool).reserve('sandbox', 2);
    const { takings, hooks } = hearTakings();
    const together = createPostgresStore(pool, { hooks });
    const all = await Promise.all([2, 3, 4, 5].map((count) => together.reserve('sandbox', count)));
    expect((await together.reserve('production', 2)).isOk()).toBe(true);
    // three, fewer than a block
    await set('9007199254740988');
    const last = await createPostgresStore(pool).reserve('sandbox', 3);
    const none = await createPostgresStore(pool).reserve('sandbox', 1);
    await set('0');
    for (const answer of [failed, none, ...all]) {
      const refused = answer._unsafeUnwrapErr();
      expect(refused).toMatchObject({ outcome: 'none', retryable: false });
      expect(String(refused.cause)).toContain('all ids are given out');
    }
    expect(takings.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1);
    expect(last._unsafeUnwrap()).toBe(9007199254740989);
  });

  it('is told when no connection is free in time, and works again when one is', async () => {
    const small = poolOf({ max: 1, connectionTimeoutMillis: 1_000 });
    const { takings, hooks } = hearTakings();
    const store = createPostgresStore(small, { hooks });
    expect((await createDeal(store, acme, 'first')).isOk()).toBe(true);
    const held = await small.connect();
    const waiting = store.commit(acme, dealOf('deal'));
    const read = await store.deals.byPartnerId(acme, 'deal', []);
    expect(read._unsafeUnwrapErr()).toMatchObject({
      outcome: 'none',
      retryable: true,
      retryAfter: 1,
    });
    const failure = (await waiting)._unsafeUnwrapErr();
    expect(failure).toMatchObject({ outcome: 'none', retryable: true, retryAfter: 1 });
    held.release();
    expect((await createDeal(store, acme, 'deal')).isOk()).toBe(true);
    // none of its integers was lost
    expect(takings).toHaveLength(1);
    await small.end();
  });

  it('is unavailable if a lock does not come in time', async () => {
    const holder = await pool.connect();
    await holder.query('begin; update dealwright.tenants set last_position = last_position');
    const hasty = poolOf({ options: '-c lock_timeout=20' });
    const store = createPostgresStore(hasty);
    const failed = await store.commit(acme, dealOf('deal'));
    expect(failed._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: true });
    const elsewhere = await store.commit(globex, dealOf('deal'));
    expect(elsewhere.isOk()).toBe(true);
    await holder.query('rollback');
    holder.release();
    expect((await store.commit(acme, dealOf('deal'))).isOk()).toBe(true);
    await hasty.end();
  });

  it('is sent again if transactions of the host are serializable', async () => {
    const strict = poolOf({ options: '-c default_transaction_isolation=serializable', max: 8 });
    const stores = [0, 1].map(() => createPostgresStore(strict, { gather: false }));
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        (stores[at % 2] as PostgresStore).commit(acme, dealOf(`deal-${at % 6}`)),
      ),
    );
    const winners = outcomes.filter((each) => each.isOk() && each.value.outcome === 'committed');
    const ended = outcomes.filter((each) => each.isErr());
    for (const each of ended) expect(each._unsafeUnwrapErr().outcome).toBe('none');
    expect(winners).toHaveLength((await dealsOf()).length);
    await strict.end();
  });
});
