import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore } from 'dealwright/memory';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createSystemPorts } from 'dealwright/system';
import Database from 'libsql';
import { paymentTokens } from '../create/payment-tokens.mjs';
import { createPool } from '../postgres/app.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { fillPostgres, fillSqlite, partnerOf } from './fill.mjs';

const sizes = [1_000, 1_000_000];
const rounds = 41;
const calls = 20;
const target = 1.2;
const since = '2026-06-01T00:00:00.000Z';

/** What the console asks, of a deal somewhere in the table. */
export const questions = {
  'the summary': (operator) => operator.summarize(),
  'page 1 of all deals': (operator) => operator.listDeals(),
  'page 1 of a status': (operator) => operator.listDeals({ status: 'accepted' }),
  'page 1 of those stuck since a time': (operator) =>
    operator.listDeals({ status: 'accepted', stuck_since: since }),
  'page 1 of disputes': (operator) => operator.listDeals({ alert: 'disputed' }),
  'page 1 of one partner': (operator, at) => operator.listDeals({ partner: partnerOf(at) }),
  'a search by partner_id': (operator, at) => operator.searchDeals({ text: `deal-${at}` }),
  'a search by e-mail': (operator, at) =>
    operator.searchDeals({ text: `user-${at % 40}@example.com` }),
  'a search by a title': (operator, at) => operator.searchDeals({ text: `Deal ${at % 40} of` }),
  'a search by a reference': (operator, at) => operator.searchDeals({ text: `wire-${at}` }),
};

/** The operator of the deals of a store. */
export function createOperator(store) {
  const marketplace = createMarketplace({
    ...createSystemPorts(),
    store,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
    files: createMemoryFileStore(),
  });
  return marketplace.operator('production');
}

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
  const postgres = await startPostgres({ settings: { shared_buffers: '2GB' } });
  const closing = [];
  try {
    const [onPostgres, onSqlite] = [[], []];
    for (const size of sizes) {
      const address = await postgres.createDatabase();
      const pool = createPool(address.socketUrl);
      closing.push(() => pool.end());
      (await migratePostgres(pool))._unsafeUnwrap();
      await postgres.psql(fillPostgres(size), address);
      onPostgres.push(createOperator(createPostgresStore(pool)));

      const db = new Database(join(folder, `${size}.db`));
      closing.push(() => db.close());
      migrateSqlite(db)._unsafeUnwrap();
      fillSqlite(db, size);
      onSqlite.push(createOperator(createSqliteStore(db)));
    }
    return report([
      ['PostgreSQL', await measure(onPostgres)],
      ['SQLite', await measure(onSqlite)],
    ]);
  } finally {
    for (const close of closing) await close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(operators) {
  const figures = Object.fromEntries(Object.keys(questions).map((name) => [name, [[], []]]));
  let seed = 1;
  // numbers that are the same in each run
  const draw = (size) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 1 + (seed % size);
  };
  // round 0 warms up
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, ask] of Object.entries(questions)) {
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const begin = performance.now();
        for (let call = 0; call < calls; call += 1) {
          const answer = await ask(operators[index], draw(sizes[index]));
          if (answer.isErr()) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
        }
        const microseconds = ((performance.now() - begin) * 1000) / calls;
        if (round > 0) figures[name][index].push(microseconds);
      }
    }
  }
  return figures;
}

function report(all) {
  const ratios = all.flatMap(([database, figures]) =>
    Object.entries(figures).map(([name, [few, many]]) => ({
      ...{ database, name, few, many, ratio: medianRatio(many, few) },
    })),
  );
  const rows = ratios.map(({ database, name, few, many, ratio }) => [
    name,
    database,
    `${median(few).toFixed(0)} us`,
    `${median(many).toFixed(0)} us`,
    `${ratio.toFixed(2)}x`,
  ]);
  const worst = Math.max(...ratios.map(({ ratio }) => ratio));
  return `In process, one call after the other, about other deals each time: of ten partners, a fifth of them disputed,
so that all pages are full. ${rounds} rounds of ${calls} calls each, in turns. All tables fit into memory.

${table(['', '', '1,000 deals', '1,000,000 deals', 'against 1,000'], rows)}

- The worst: ${worst.toFixed(2)}x (target: ${target}; ${verdict(worst <= target)}).
`;
}

export const operatorLists = {
  name: 'operator',
  title: 'What the operator asks, by the size of the table',
  run,
};
