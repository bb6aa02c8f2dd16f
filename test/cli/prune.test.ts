import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from 'dealwright/ports';
import { createPostgresStore } from 'dealwright/postgres';
import { createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countKeysSql, writeKeys } from '../kit/ended-keys.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { run } from './dealwright.js';

let folder = '';
let postgres: Postgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dealwright-'));
  postgres = await startPostgres({ fsync: false });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes keys into a database, most of which have ended. */
async function fill(store: Store): Promise<void> {
  await writeKeys(store, 1_250, '2026-01-01T00:00:00.000Z');
  await writeKeys(store, 3, '9998-01-01T00:00:00.000Z');
}

const deleted = { code: 0, stderr: '', stdout: 'Deleted 1250 records that had ended\n' };
const nothing = { ...deleted, stdout: 'Deleted 0 records that had ended\n' };

describe('dealwright prune', () => {
  it('deletes all that has ended in SQLite, in batches', async () => {
    const environment = { DEALWRIGHT_DATA: join(folder, 'data') };
    expect((await run(['migrate'], environment).ended).code).toBe(0);
    const db = new Database(join(folder, 'data', 'deals.db'));
    await fill(createSqliteStore(db));
    expect(await run(['prune'], environment).ended).toEqual(deleted);
    expect(await run(['prune'], environment).ended).toEqual(nothing);
    const count = db.prepare(`select count(*) as n from dealwright_answers ${countKeysSql}`);
    expect(count.get()).toMatchObject({ n: 3 });
    db.close();
  });

  it('deletes all that has ended in PostgreSQL, in batches', async () => {
    const { url } = await postgres.createDatabase();
    const environment = { DEALWRIGHT_DATA: join(folder, 'files'), DATABASE_URL: url };
    expect((await run(['migrate'], environment).ended).code).toBe(0);
    const pool = new Pool({ connectionString: url });
    await fill(createPostgresStore(pool));
    expect(await run(['prune'], environment).ended).toEqual(deleted);
    expect(await run(['prune'], environment).ended).toEqual(nothing);
    const { rows } = await pool.query(
      `select count(*)::int as n from dealwright.answers ${countKeysSql}`,
    );
    expect(rows).toEqual([{ n: 3 }]);
    await pool.end();
  });

  it('of a migration fills in what processes of an older version left out', async () => {
    const environment = { DEALWRIGHT_DATA: join(folder, 'upgraded') };
    expect((await run(['migrate'], environment).ended).code).toBe(0);
    const db = new Database(join(folder, 'upgraded', 'deals.db'));
    db.exec(`insert into dealwright_consumers (tenant, name, held, failing_since, ends_at, attempt)
      values ('sandbox:acme', 'webhook:gone', '{}', '2026-01-01', '2026-02-01', 'a')`);
    const failing = db.prepare('select failing_since from dealwright_consumers');
    expect(failing.get()).toMatchObject({ failing_since: '2026-01-01' });
    const pruned = await run(['migrate', '--prune'], environment).ended;
    expect(pruned).toMatchObject({ code: 0, stderr: '' });
    expect(pruned.stdout).toMatch(/^Nothing is left of other versions$/m);
    expect(failing.get()).toMatchObject({ failing_since: null });
    db.close();
    const { stdout } = await run(['migrate', '--print', '--prune'], environment).ended;
    expect(stdout).toContain('update dealwright_consumers set failing_since = null');
  });

  it('says what is wrong if there are no deals', async () => {
    const ended = await run(['prune'], { DEALWRIGHT_DATA: join(folder, 'none') }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('dealwright migrate');
  });
});
