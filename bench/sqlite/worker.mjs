// Creates deals in a file of its own, a number of them in flight, gathered or each in a
// transaction.
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
let last = 0;

serveContender(async ({ inFlight, count }) => {
  let left = count;
  const begin = performance.now();
  const keepCreating = async () => {
    while (left > 0) {
      left -= 1;
      last += 1;
      (await api.createDeal({ ...deal, partner_id: `deal-${last}` }))._unsafeUnwrap();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCreating));
  return ((performance.now() - begin) * 1000) / count;
});
