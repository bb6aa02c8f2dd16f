import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';
import { createApiOver } from '../postgres/app.mjs';
import { contractor } from '../validation/cases.mjs';
import { created, measure, ownCost } from './work.mjs';

/** The costs of a store in a file by kind of work: for this process and on the disk. */
export async function sqliteCosts() {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
  const file = join(folder, 'deals.db');
  const db = new Database(file);
  try {
    migrateSqlite(db)._unsafeUnwrap();
    const api = createApiOver(createSqliteStore(db));
    (await api.registerContractor(contractor))._unsafeUnwrap();
    const figures = await measure(api, () => {
      const spent = ownCost();
      return () => [spent()];
    });
    db.pragma('wal_checkpoint(truncate)');
    const work = Object.fromEntries(
      Object.entries(figures).map(([name, each]) => [name, each.map(([own]) => own)]),
    );
    return { work, stored: statSync(file).size / created };
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}
