import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migratePostgres } from 'dealwright/postgres';
import { migrateSqlite } from 'dealwright/sqlite';
import { build } from 'esbuild';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../kit/children.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { isLong } from '../tiers.js';
import { hosts } from './transaction-hosts.js';

mkdirSync('reports', { recursive: true });
// within the package, so that the program imports it by its name
const folder = mkdtempSync('reports/killed-order-');
const program = join(folder, 'killed-order.mjs');
beforeAll(async () => {
  await build({
    entryPoints: ['test/docs/killed-order.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // so that a library is loaded by those alone that use it
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Places the order of this name in another process, which is killed before a step, or ends. */
const placeOrder = (library: string, place: string, name: string, killAt = 0) =>
  run(process.execPath, [program, library, place, name, String(killAt)]);

/** How many rows of the host, and how many deals, there are of an order. */
type Counts = readonly [orders: unknown, deals: unknown];

/** Kills the program before some of its steps, of an order each, and runs it again. A long run tries all. */
async function killAtEachStep(
  library: string,
  placeOf: (name: string) => string,
  countsOf: (name: string) => Counts | Promise<Counts>,
): Promise<void> {
  const { stdout, stderr } = await placeOrder(library, placeOf('whole'), 'whole');
  expect(stderr).toBe('');
  const steps = Number(/^steps: (\d+)$/m.exec(stdout)?.[1]);
  expect(steps).toBeGreaterThan(4);
  // the first commits nothing, the others are before and after the last one
  const few = [steps >> 1, steps - 1, steps];
  const waiting = (isLong ? Array.from({ length: steps }, (_, at) => at + 1) : few).values();
  const worker = async () => {
    for (const at of waiting) {
      const name = `killed-at-${at}`;
      const place = placeOf(name);
      const killed = await placeOrder(library, place, name, at);
      expect([at, killed.signal, killed.stderr]).toEqual([at, 'SIGKILL', '']);
      const again = await placeOrder(library, place, name);
      expect([at, again.signal, again.stderr]).toEqual([at, null, '']);
      expect([at, await countsOf(name)]).toEqual([at, [1, 1]]);
    }
  };
  await Promise.all([worker(), worker()]);
}

const slow = isLong ? 600_000 : 120_000;
// a long run tries the others: they differ in one line
const libraries = isLong ? Object.keys(hosts) : ['node-postgres'];

describe('over PostgreSQL, an order that is placed again after a kill is one row and one deal', () => {
  let server: Postgres;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    pool = new pg.Pool({ connectionString: server.url, max: 2 });
    (await migratePostgres(pool))._unsafeUnwrap();
    await pool.query('create table orders (id text primary key)');
  }, slow);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  it.each(libraries)('%s', { timeout: slow }, async (library) => {
    await pool.query(
      'delete from orders; delete from dealwright.deals; delete from dealwright.answers',
    );
    await killAtEachStep(
      library,
      () => server.url,
      async (name) => {
        const sql =
          'select (select count(*)::int from orders where id = $1) as orders, (select count(*)::int from dealwright.deals where partner_id = $1) as deals';
        const { rows } = await pool.query(sql, [name]);
        return [rows[0]?.orders, rows[0]?.deals];
      },
    );
  });
});

describe('over a file of SQLite, too', () => {
  it.each(['SQLite', 'by key'])('%s', { timeout: slow }, async (library) => {
    const placeOf = (name: string) => join(folder, `${library} ${name}.db`);
    await killAtEachStep(
      library,
      (name) => {
        const db = new Database(placeOf(name));
        migrateSqlite(db)._unsafeUnwrap();
        if (library === 'SQLite') db.exec('create table orders (id text primary key)');
        db.close();
        return placeOf(name);
      },
      (name) => {
        const db = new Database(placeOf(name));
        const isDone = library === 'SQLite' ? '' : "where state = 'created'";
        const countOf = (sql: string) => Object(db.prepare(sql).get()).count;
        const counts: Counts = [
          countOf(`select count(*) as count from orders ${isDone}`),
          countOf('select count(*) as count from dealwright_deals'),
        ];
        db.close();
        return counts;
      },
    );
  });
});
