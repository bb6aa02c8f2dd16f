// Creates deals in a file of its own, or gives each of them a command, a number of them in flight,
// gathered or each in a transaction.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import { serveContender } from '../contender.mjs';
import { createApiOver } from '../postgres/app.mjs';
import { contractor, deal } from '../validation/cases.mjs';

const gather = process.argv[2] === 'gathered';
const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
process.on('SIGTERM', () => process.exit());
const db = new Database(join(folder, 'deals.db'));
migrateSqlite(db)._unsafeUnwrap();
const api = createApiOver(createSqliteStore(db, { gather }));
(await api.registerContractor(contractor))._unsafeUnwrap();
const done = { create: 0, command: 0 };
const work = {
  create: (partner_id) => api.createDeal({ ...deal, partner_id }),
  command: (partner_id) => api.invite(partner_id),
};

serveContender(async ({ what = 'create', inFlight, count }) => {
  let left = count;
  const begin = performance.now();
  const keepWorking = async () => {
    while (left > 0) {
      left -= 1;
      done[what] += 1;
      (await work[what](`deal-${done[what]}`))._unsafeUnwrap();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepWorking));
  return ((performance.now() - begin) * 1000) / count;
});
