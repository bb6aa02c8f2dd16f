import type { Store } from 'dealwright/ports';
import { createPostgresArchive, createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startContender } from '../../bench/contender.mjs';
import { works } from '../../bench/costs/work.mjs';
import { runWrk } from '../../bench/http/wrk.mjs';
import { migrateOnPostgres, migrateOnSqlite } from '../../bench/migration/index.mjs';
import { fillPostgres, fillSqlite } from '../../bench/operator/fill.mjs';
import { createOperator, questions as operatorQuestions } from '../../bench/operator/index.mjs';
import { createApi, createPool } from '../../bench/postgres/app.mjs';
import { records } from '../../bench/postgres/bulk.mjs';
import { fill, questions } from '../../bench/postgres/list.mjs';
import { pgbenchOfLoneCreate } from '../../bench/postgres/lone-create.mjs';
import { contractor } from '../../bench/validation/cases.mjs';
import { ensurePackages } from '../kit/debian.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
});
afterAll(() => postgres?.stop());

const start = (file: string, ...args: readonly string[]) =>
  startContender(new URL(`../../bench/${file}`, import.meta.url), [...args]);

/** Runs a contender until it has created records: on a busy machine a short time is not enough. */
async function speedOf(contender: ReturnType<typeof start>, question: object): Promise<number> {
  try {
    for (;;) {
      const { perSecond } = (await contender.ask(question)) as { readonly perSecond: number };
      if (perSecond !== 0) return perSecond;
    }
  } finally {
    contender.stop();
  }
}

/** Works over an empty, migrated database. */
async function overDatabase(work: (pool: Pool, psql: (sql: string) => Promise<string>) => unknown) {
  const address = await postgres.createDatabase();
  const pool = createPool(address.socketUrl);
  try {
    (await migratePostgres(pool))._unsafeUnwrap();
    await work(pool, (sql) => postgres.psql(sql, address));
  } finally {
    await pool.end();
  }
}

describe('what the benchmarks of databases compare', () => {
  it.each(['gathered', 'alone'])('creates deals in a file of SQLite: %s', async (name) => {
    const worker = start('sqlite/worker.mjs', name);
    const microseconds = await worker.ask({ inFlight: 4, count: 8 });
    worker.stop();
    expect(microseconds).toBeGreaterThan(0);
  });

  it('creates deals in PostgreSQL, by every contender', async () => {
    const pgbench = await pgbenchOfLoneCreate(postgres);
    try {
      const question = { inFlight: 2, milliseconds: 50 };
      const creators = [['dealwright'], ['dealwright', 'alone'], ['driver'], ['drizzle']];
      const speeds = creators.map(([name = '', ...given]) =>
        speedOf(start('postgres/create-worker.mjs', name, postgres.socketUrl, ...given), question),
      );
      for (const speed of await Promise.all([...speeds, pgbench.run(2, 1)])) {
        expect(speed).toBeGreaterThan(0);
      }
    } finally {
      pgbench.remove();
    }
    const counted = await postgres.psql(
      'select tenant, count(*) > 1 from dealwright.deals group by 1 order by 1',
    );
    // pgbench uses one partner for each of its clients
    expect(counted.trim().split('\n')).toEqual([
      'production:0|t',
      'production:1|t',
      'production:acme|t',
      'production:drizzle|t',
    ]);
  });

  it('creates deals in PostgreSQL over HTTP', async () => {
    ensurePackages('wrk');
    const token = 'token-of-a-benchmark';
    const { socketUrl } = await postgres.createDatabase();
    const pool = createPool(socketUrl);
    (await migratePostgres(pool))._unsafeUnwrap();
    (await createApi(pool).registerContractor(contractor))._unsafeUnwrap();
    await pool.end();
    const server = start('postgres/http-server.mjs', socketUrl, token);
    try {
      const { port } = (await server.ask({})) as { readonly port: number };
      const { perSecond } = await runWrk({ port, token, connections: 2, seconds: 3 });
      expect(perSecond).toBeGreaterThan(0);
    } finally {
      server.stop();
    }
  });

  it('asks every question of a list that is there', () =>
    overDatabase(async (pool, psql) => {
      await psql(fill(1_000));
      const api = createApi(pool);
      for (const [name, ask] of Object.entries(questions)) {
        const answer = (await ask(api, 600))._unsafeUnwrap();
        if (name.startsWith('a page')) expect(answer.results).toHaveLength(20);
        else expect(answer.partner_id).toBe('deal-600');
      }
    }));

  it('asks every question of an operator about deals that are there', async () => {
    const expectFull = async (store: Store) => {
      const operator = createOperator(store);
      for (const [name, ask] of Object.entries(operatorQuestions)) {
        const { results } = (await ask(operator, 601))._unsafeUnwrap();
        const isOne = name.endsWith('partner_id') || name.endsWith('reference');
        expect(results.length, name).toBe(isOne ? 1 : name === 'the summary' ? 14 : 20);
      }
    };
    await overDatabase(async (pool, psql) => {
      await psql(fillPostgres(1_000));
      await expectFull(createPostgresStore(pool));
    });
    const db = new Database(':memory:');
    migrateSqlite(db)._unsafeUnwrap();
    fillSqlite(db, 1_000);
    await expectFull(createSqliteStore(db));
  });

  it('migrates deals of before alerts', async () => {
    const figures = { step: [] as number[], again: [] as number[] };
    await migrateOnPostgres(postgres, 20, figures);
    await migrateOnSqlite(20, figures);
    expect(figures.step).toHaveLength(2);
    expect(figures.again).toHaveLength(2);
  });

  it('restores records in bulk, and counts what a call costs', () =>
    overDatabase(async (pool, psql) => {
      const client = await pool.connect();
      const restored = await createPostgresArchive(client).restore(records(10));
      // else the end of the pool would wait for it
      client.release();
      expect(restored).toBe(40);
      expect(await psql('select count(*) from dealwright.stages')).toBe('20\n');

      const api = createApi(pool);
      (await api.registerContractor(contractor))._unsafeUnwrap();
      for (const [at, { call }] of Object.values(works).entries()) {
        // each creates a deal of its own, and those that read find an earlier one
        const number = 8_001 + at;
        expect((await call(api, number)).isOk()).toBe(true);
      }
    }));
});
