import {
  createPostgresStore,
  migratePostgres,
  missingFunctions,
  type PostgresLike,
  printPostgresMigrations,
} from 'dealwright/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { dealOf } from './new-deals.js';

const names = Object.values(functions)
  .map(({ name }) => name)
  .sort();
const acme = { environment: 'sandbox', partner: 'acme' } as const;

let postgres: Postgres;
let pool: Pool;
let schemas = 0;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: postgres.socketUrl, max: 10 });
});
afterAll(async () => {
  await pool?.end();
  await postgres?.stop();
});

/** A schema of this version that also has the functions of another version. */
async function ofTwoVersions(): Promise<string> {
  schemas += 1;
  const schema = `schema_${schemas}`;
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  for (const name of ['commit_1', 'commit_one_0123456789', 'commit_node_abcdef0123', 'host_own']) {
    await pool.query(
      `create function "${schema}".${name}() returns int language sql as 'select 7'`,
    );
  }
  return schema;
}

/** The functions of a schema, without those of migration 2, which stay. */
async function functionsIn(schema: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ proname: string }>(
    `select proname from pg_proc where pronamespace = '${schema}'::regnamespace
      and proname !~ '_ids_2$'`,
  );
  return rows.map(({ proname }) => proname).sort();
}

async function drop(schema: string, which: readonly string[]): Promise<void> {
  for (const name of which) await pool.query(`drop function "${schema}".${name}`);
}

const others = ['commit_1', 'commit_node_abcdef0123', 'commit_one_0123456789'];

describe('functions of several versions', () => {
  it('lie side by side, until those of others are dropped', async () => {
    const schema = await ofTwoVersions();
    const kept = (await migratePostgres(pool, { schema }))._unsafeUnwrap();
    expect(kept).toMatchObject({ created: [], dropped: [] });
    expect(await functionsIn(schema)).toEqual([...names, ...others, 'host_own'].sort());
    const pruned = (await migratePostgres(pool, { schema, prune: true }))._unsafeUnwrap();
    expect(pruned).toMatchObject({ applied: [], created: [], dropped: others });
    expect(await functionsIn(schema)).toEqual([...names, 'host_own'].sort());
    const again = (await migratePostgres(pool, { schema, prune: true }))._unsafeUnwrap();
    expect(again.dropped).toEqual([]);
  });

  it('are made if they are missing, once, also for concurrent starts', async () => {
    const schema = await ofTwoVersions();
    const one = functions.one.name;
    await drop(schema, [one]);
    expect((await missingFunctions(pool, { schema }))._unsafeUnwrap()).toEqual([one]);
    const store = createPostgresStore(pool, { schema, gather: false });
    const failed = (await store.commit(acme, dealOf('early')))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ retryable: false, outcome: 'none' });
    expect(Object(failed.cause).message).toContain('run "dealwright migrate"');
    const all = await Promise.all(
      Array.from({ length: 8 }, () => migratePostgres(pool, { schema })),
    );
    for (const each of all) expect(each._unsafeUnwrap().applied).toEqual([]);
    expect(await functionsIn(schema)).toEqual([...names, ...others, 'host_own'].sort());
    expect((await missingFunctions(pool, { schema }))._unsafeUnwrap()).toEqual([]);
    expect((await store.commit(acme, dealOf('later')))._unsafeUnwrap()).toEqual({
      outcome: 'committed',
    });
  });

  it('are printed, and those of others dropped by what is printed', async () => {
    const schema = await ofTwoVersions();
    await drop(schema, names);
    await postgres.psql(printPostgresMigrations({ schema }));
    expect(await functionsIn(schema)).toEqual([...names, ...others, 'host_own'].sort());
    const printed = printPostgresMigrations({ schema, prune: true });
    await postgres.psql(printed);
    await postgres.psql(printed);
    expect(await functionsIn(schema)).toEqual([...names, 'host_own'].sort());
  });

  it('are all missing if nothing was migrated, and not asked for if there is no database', async () => {
    const missing = (await missingFunctions(pool, { schema: 'nowhere' }))._unsafeUnwrap();
    expect([...missing].sort()).toEqual(names);
    const unasked = await missingFunctions({ query: () => Promise.reject(new Error('gone')) });
    expect(unasked._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
    expect(() => missingFunctions(pool, { schema: 'a"b' })).toThrow(TypeError);
  });

  it('count as made if only the answer was lost', async () => {
    const schema = await ofTwoVersions();
    await drop(schema, names);
    const deaf: PostgresLike = {
      query: async ({ text }) => {
        const answer = await pool.query(text);
        if (text.startsWith('do ')) throw new Error('connection lost');
        return answer;
      },
    };
    const made = (await migratePostgres(deaf, { schema, prune: true }))._unsafeUnwrap();
    expect([...made.created].sort()).toEqual(names);
    expect(made.dropped).toEqual(others);
  });
});

describe('a role that may not create functions', () => {
  it('is told which step needs it, and needs nothing if they are there', async () => {
    const schema = await ofTwoVersions();
    await pool.query(`create role clerk login; grant usage on schema "${schema}" to clerk;
      grant select, insert, update on all tables in schema "${schema}" to clerk`);
    const clerk = new Pool({
      connectionString: postgres.socketUrl.replace('user=postgres', 'user=clerk'),
    });
    const there = await migratePostgres(clerk, { schema });
    await drop(schema, names);
    const refused = (await migratePostgres(clerk, { schema }))._unsafeUnwrapErr();
    const unpruned = (await migratePostgres(clerk, { schema, prune: true }))._unsafeUnwrapErr();
    // made by another role, they are for every user of the schema
    (await migratePostgres(pool, { schema }))._unsafeUnwrap();
    const store = createPostgresStore(clerk, { schema, gather: false });
    const committed = await store.commit(acme, dealOf('clerk'));
    const notOwned = (await migratePostgres(clerk, { schema, prune: true }))._unsafeUnwrapErr();
    await clerk.end();
    expect(there._unsafeUnwrap()).toMatchObject({ applied: [], created: [] });
    const cause = {
      code: '42501',
      message: `dealwright: step "functions": the role "clerk" may not create functions in the schema "${schema}": run "dealwright migrate" as a role that may`,
    };
    expect(refused).toMatchObject({ code: 'unavailable', retryable: false, cause });
    expect(unpruned).toMatchObject({ cause });
    expect(committed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
    expect(notOwned).toMatchObject({ cause: { code: '42501' } });
    expect(await functionsIn(schema)).toEqual([...names, ...others, 'host_own'].sort());
  });
});
