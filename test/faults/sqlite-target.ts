import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteArchive, createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';
import { createService } from './service.js';
import type { Target } from './target.js';

/** A service over a database of SQLite in a folder of its own. */
export function createSqliteTarget(): Target & { readonly database: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-faults-'));
  const database = join(folder, 'deals.db');
  const service = createService({ folder });
  return {
    database,
    ...service,
    async open() {
      const [db, whole] = [new Database(database), new Database(database)];
      return {
        ports: createSqliteStore(db),
        records: () => createSqliteArchive(whole).dump(),
        remains: async () => remainsIn(db),
        async close() {
          db.close();
          whole.close();
        },
      };
    },
    async stop() {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Rows that belong to a row which is not there. */
const orphans = {
  'stages without their deal': `
    select count(*) count from dealwright_stages s where not exists (
      select 1 from dealwright_deals d where d.tenant = s.tenant and d.id = s.deal_id)`,
  'work files without their stage': `
    select count(*) count from dealwright_work_files f where not exists (
      select 1 from dealwright_stages s
      where s.tenant = f.tenant and s.deal_id = f.deal_id and s.id = f.stage_id)`,
  'half of an idempotency record': `
    select count(*) count from (
      select idempotency_key, fingerprint from dealwright_contractors
      union all select idempotency_key, fingerprint from dealwright_deals
      union all select idempotency_key, fingerprint from dealwright_work_files)
    where (idempotency_key is null) <> (fingerprint is null)`,
  'tenants whose last position is not that of their last event': `
    select count(*) count from dealwright_tenants t where last_position <> (
      select count(*) from dealwright_events e where e.tenant = t.tenant)`,
  'numbers that were given out and are to be given out again': `
    select count(*) count from dealwright_stages, dealwright_ids where id >= next`,
};

function remainsIn(db: Database.Database): readonly string[] {
  const found = Object.entries(orphans).flatMap(([what, sql]) => {
    const { count } = db.prepare(sql).get() as { readonly count: number };
    return count === 0 ? [] : [`${count} ${what}`];
  });
  // libsql adds what it measured to a row that it gives alone
  const rows = db.prepare('pragma integrity_check').all() as { readonly integrity_check: string }[];
  const torn = rows.map((row) => row.integrity_check).filter((said) => said !== 'ok');
  return [...found, ...torn];
}
