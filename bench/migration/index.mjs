// Step 5: writes wait for it. It reads the events of all deals, changes every deal, and makes the
// indexes of all tenants.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres, printPostgresMigrations } from 'dealwright/postgres';
import { migrateSqlite, sqliteMigrations } from 'dealwright/sqlite';
import Database from 'libsql';
import { fillPostgres, fillSqlite } from '../operator/fill.mjs';
import { createPool } from '../postgres/app.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table } from '../report.mjs';
import { median } from '../statistics.mjs';

const size = 200_000;
const rounds = 3;
/** The last step before it. */
const before = 4;

async function run() {
  const figures = { PostgreSQL: { step: [], again: [] }, SQLite: { step: [], again: [] } };
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB' } });
  try {
    for (let round = 0; round < rounds; round += 1) {
      await migrateOnPostgres(postgres, size, figures.PostgreSQL);
      await migrateOnSqlite(size, figures.SQLite);
    }
  } finally {
    await postgres.stop();
  }
  return report(figures);
}

const timed = async (work) => {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
};

/** Migrates a database that has deals, and then fills in again what other processes left out. */
export async function migrateOnPostgres(postgres, deals, { step, again }) {
  const address = await postgres.createDatabase();
  const steps = printPostgresMigrations().split(/^(?=-- dealwright, )/m);
  await postgres.psql(steps.slice(0, before).join('\n'), address);
  await postgres.psql(fillPostgres(deals, 'before alerts'), address);
  const pool = createPool(address.socketUrl);
  try {
    step.push(await timed(async () => (await migratePostgres(pool))._unsafeUnwrap()));
    // there is something to fill in if there are functions of another version
    await pool.query(
      "create function dealwright.commit_1() returns int language sql as 'select 1'",
    );
    const pruned = async () => (await migratePostgres(pool, { prune: true }))._unsafeUnwrap();
    again.push(await timed(pruned));
  } finally {
    await pool.end();
  }
}

/** The same in a file of SQLite. */
export async function migrateOnSqlite(deals, { step, again }) {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
  const db = new Database(join(folder, 'deals.db'));
  try {
    for (const { sql } of sqliteMigrations.slice(0, before)) db.exec(sql);
    fillSqlite(db, deals, 'before alerts');
    step.push(await timed(() => migrateSqlite(db)._unsafeUnwrap()));
    again.push(await timed(() => migrateSqlite(db, { prune: true })._unsafeUnwrap()));
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(figures) {
  const seconds = (values) => `${median(values).toFixed(1)} s`;
  const rows = Object.entries(figures).map(([database, { step, again }]) => [
    ...[database, seconds(step), seconds(again)],
  ]);
  return `${size.toLocaleString('en')} deals with three events and a payment each, of ten partners. Writes wait for the step, and for
\`migrate --prune\`, which fills in again what processes of the version before left out. ${rounds} rounds.

${table(['', 'step 5', '`migrate --prune`'], rows)}
`;
}

export const migration = {
  name: 'migration',
  title: 'The migration to the lists of the operator',
  run,
};
