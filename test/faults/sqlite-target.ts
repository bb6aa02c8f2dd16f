import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteArchive, createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';
import { createService, effectsIn } from './service.js';
import type { Target } from './target.js';

/** A service over a database of SQLite in a folder of its own. */
export function createSqliteTarget(): Target & {
  readonly database: string;
  readonly effectsFile: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-faults-'));
  const database = join(folder, 'deals.db');
  const service = createService({ folder });
  return {
    database,
    effectsFile: effectsIn({ folder }),
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

/** Rows that belong to a row which does not exist. */
const orphans = {
  'stages without their deal': `
    select count(*) count from dealwright_stages s where not exists (
      select 1 from dealwright_deals d where d.tenant = s.tenant and d.partner_id = s.partner_id)`,
  'work files without their stage': `
    select count(*) count from dealwright_work_files f where not exists (
      select 1 from dealwright_stages s
      where s.tenant = f.tenant and s.id = f.stage_id and s.partner_id = f.partner_id)`,
  'tenants whose last position is not that of their last event': `
    select count(*) count from dealwright_tenants t where last_position <> (
      select count(*) from dealwright_events e where e.tenant = t.tenant)`,
  'numbers that were given out and are to be given out again': `
    select count(*) count from dealwright_stages s, dealwright_numbers n
    where s.id > n.last and s.tenant like n.environment || ':%'`,
};

function remainsIn(db: Database.Database): readonly string[] {
  const found = Object.entries(orphans).flatMap(([what, sql]) => {
    const { count } = db.prepare(sql).get() as { readonly count: number };
    return count === 0 ? [] : [`${count} ${what}`];
  });
  // libsql adds its measurements to a single row
  const rows = db.prepare('pragma integrity_check').all() as { readonly integrity_check: string }[];
  const torn = rows.map((row) => row.integrity_check).filter((said) => said !== 'ok');
  return [...found, ...torn];
}
