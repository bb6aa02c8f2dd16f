import { createPostgresStore, migratePostgres, printPostgresMigrations } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { expectFilled } from '../sql/left-out.js';

let server: Postgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
afterAll(() => server?.stop());

it.each(['a migration', 'printed SQL'])(
  'fills in what processes of an older version left out: %s',
  async (way) => {
    const address = await server.createDatabase();
    const pool = new pg.Pool({ connectionString: address.socketUrl, max: 4 });
    (await migratePostgres(pool))._unsafeUnwrap();
    await expectFilled(createPostgresStore(pool), async () => {
      // a function of the older version
      await pool.query(
        "create function dealwright.commit_1() returns int language sql as 'select 1'",
      );
      if (way === 'printed SQL') return pool.query(printPostgresMigrations({ prune: true }));
      const { dropped } = (await migratePostgres(pool, { prune: true }))._unsafeUnwrap();
      return expect(dropped).toEqual(['commit_1']);
    });
    await pool.end();
  },
);
