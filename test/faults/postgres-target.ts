import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresArchive, createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { tenants } from './intents.js';
import { ask } from './send.js';
import { createService } from './service.js';
import type { Target } from './target.js';

/** A service over a PostgreSQL of its own: both are killed in turn. */
export async function createPostgresTarget(): Promise<Target> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-faults-'));
  const service = createService({ folder, url: postgres.url });
  let kills = 0;
  return {
    async start() {
      if (postgres.pid() === undefined) {
        // sometimes it is gone for longer than the store tries again, so that creates fail
        if (kills === 2) await sleep(4_500);
        await postgres.restart();
      }
      const baseUrl = await service.start();
      await untilItAnswers(baseUrl, service.complaints);
      return baseUrl;
    },
    async kill() {
      kills += 1;
      if (kills % 2 === 0) return postgres.kill();
      await service.kill();
      await untilNobodyIsConnected(postgres);
    },
    async open() {
      const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
      const client = new pg.Client(postgres.url);
      await client.connect();
      return {
        ports: createPostgresStore(pool),
        records: () => createPostgresArchive(client).dump(),
        remains: async () => remainsIn(pool),
        async close() {
          await pool.end();
          await client.end();
        },
      };
    },
    effects: service.effects,
    async stop() {
      await service.kill();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A service whose database is back finds it again by itself. */
async function untilItAnswers(baseUrl: string, complaints: () => string): Promise<void> {
  const [tenant] = tenants;
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) {
    const heard = tenant && (await ask({ baseUrl }, tenant, '/api/2.0/deal/?page_size=1'));
    if (heard?.status === 200) return;
  }
  throw new Error(`the service does not find its database again: ${complaints()}`);
}

/** A statement that was sent goes on after its client is killed. */
async function untilNobodyIsConnected(postgres: Postgres): Promise<void> {
  const others = `select count(*) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await postgres.psql(others)).trim() !== '0') await sleep(10);
}

/** Rows whose parent row does not exist. */
const orphans = {
  'stages without their deal': `
    select count(*)::int count from dealwright.stages s where not exists (
      select from dealwright.deals d where d.tenant = s.tenant and d.partner_id = s.partner_id)`,
  'work files without their stage': `
    select count(*)::int count from dealwright.work_files f where not exists (
      select from dealwright.stages s
      where s.tenant = f.tenant and s.partner_id = f.partner_id and s.id = f.stage_id)`,
  'answers to what is not stored': `
    select count(*)::int count from dealwright.answers a
    where a.answer_key !~ '^(command|attempt|state) ' and not exists (
      select attempt from dealwright.contractors c where c.tenant = a.tenant and c.attempt = a.attempt
      union all select attempt from dealwright.deals d
        where d.tenant = a.tenant and d.attempt = a.attempt
      union all select attempt from dealwright.work_files f
        where f.tenant = a.tenant and f.attempt = a.attempt)`,
  'tenants whose last position is not that of their last event': `
    select count(*)::int count from dealwright.tenants t where last_position <> (
      select count(*) from dealwright.events e where e.tenant = t.tenant)`,
};

async function remainsIn(pool: pg.Pool): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(orphans)) {
    const { rows } = await pool.query<{ readonly count: number }>(sql);
    if (rows[0]?.count !== 0) found.push(`${rows[0]?.count} ${what}`);
  }
  return found;
}
