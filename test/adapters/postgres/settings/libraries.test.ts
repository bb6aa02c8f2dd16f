import type { Tenant } from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../../../kit/postgres.js';
import { exercise } from '../../sql/exercise.js';
import { librarySettings } from './libraries.js';

let server: Postgres;
let pool: pg.Pool;
let sound: unknown;

const tenantOf = (partner: string): Tenant => ({ environment: 'sandbox', partner });
const settings = librarySettings.map((each) => [`${each.library}, ${each.setting}`, each] as const);
const undone = settings.filter(([, { isRefused }]) => isRefused !== true);
const refused = settings.filter(([, { isRefused }]) => isRefused === true);
const says = /^the answer of a statement is .+, and not the text that the database sent: .+/;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl });
  (await migratePostgres(pool))._unsafeUnwrap();
  await exercise(createPostgresStore(pool), tenantOf('first'));
  sound = await exercise(createPostgresStore(pool, { gather: false }), tenantOf('sound'));
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

describe('what a host has set on its library', () => {
  it.each(undone)('%s: changes no answer', async (name, { over, isPool }) => {
    const answer = await over(server.url, async (db) => {
      if (isPool !== true) return exercise(createPostgresStore(pool).within(db), tenantOf(name));
      (await migratePostgres(db))._unsafeUnwrap();
      return exercise(createPostgresStore(db), tenantOf(name));
    });
    expect(answer).toEqual(sound);
  });

  it.each(refused)('%s: is refused in words', async (name, { over, isPool }) => {
    const failure = await over(server.url, async (db) => {
      if (isPool === true) return (await migratePostgres(db))._unsafeUnwrapErr();
      const store = createPostgresStore(pool).within(db);
      return (await store.deals.byPartnerId(tenantOf('sound'), 'deal 0', []))._unsafeUnwrapErr();
    });
    expect(failure).toMatchObject({ code: 'unavailable', retryable: false });
    expect(Object(Object(failure).cause).message).toMatch(says);
    const kept = await pool.query('select 1 from dealwright.deals where tenant = $1', [
      `sandbox:${name}`,
    ]);
    expect(kept.rows).toEqual([]);
  });
});
