import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../../adapters/postgres/functions/index.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, recording, schemaSql } from './tables.js';
import { catalogueFaults, statementFaults, tenantTables } from './tenant-rules.js';

const partitions = 2;
const schema = 'dealwright';
const cut = 'cut_by_tenant';

let postgres: Postgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: postgres.socketUrl, max: 10 });
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  await pool.query(`create schema ${cut}; ${cutByTenant(schemaSql)}`);
});
afterAll(async () => {
  await pool?.end();
  await postgres?.stop();
});

/** The same tables, but those of tenants are partitioned by a hash of the tenant. */
function cutByTenant(sql: string): string {
  const pieces = tenantTables.flatMap((name) =>
    Array.from(
      { length: partitions },
      (_, at) => `create table ${cut}.${name}_${at} partition of ${cut}.${name}
        for values with (modulus ${partitions}, remainder ${at});`,
    ),
  );
  const tables = new RegExp(
    `(create table "\\$schema"\\.(?:${tenantTables.join('|')}) \\([^;]*\\n\\))(?: with \\([^;]*\\))?;`,
    'g',
  );
  const text = sql.replace(tables, '$1 partition by hash (tenant);');
  expect(text.match(/partition by hash/g)).toHaveLength(tenantTables.length);
  return `${text.replaceAll('$schema', cut)}\n${pieces.join('\n')}`;
}

async function faultsIn(name: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ fault: string }>(catalogueFaults(name));
  return rows.map(({ fault }) => fault);
}

describe('the schema', () => {
  it('has the tenant first in every key and index of a table of tenants', async () => {
    expect(await faultsIn(schema)).toEqual([]);
  });

  it.each([
    ['create unique index planted on planted.deals (id)', 'index planted.planted'],
    ['create index planted on planted.deals (status, tenant)', 'index planted.planted'],
    ['alter table planted.stages add constraint planted unique (id)', 'constraint planted'],
    [
      `create unique index on planted.deals (id);
       alter table planted.stages add constraint planted
         foreign key (id) references planted.deals (id)`,
      'constraint planted',
    ],
    ['create table planted.notes (tenant text primary key)', 'table notes'],
  ])('would not have %s', async (sql, fault) => {
    await migratePostgres(pool, { schema: 'planted' });
    expect(await faultsIn('planted')).toEqual([]);
    await pool.query(sql);
    expect(await faultsIn('planted')).toContain(fault);
    await pool.query('drop schema planted cascade');
  });

  it('is one that PostgreSQL itself can cut by tenant, as it refuses others', async () => {
    const { rows } = await pool.query<{ count: string }>(
      `select count(*) from pg_class where relispartition and relkind = 'r'
        and relnamespace = '${cut}'::regnamespace`,
    );
    expect(Number(rows[0]?.count)).toBe(tenantTables.length * partitions);
    const planted = pool.query(`create unique index on ${cut}.deals (id)`);
    await expect(planted).rejects.toMatchObject({ code: '0A000' });
  });
});

const texts = new Set<string>();
// as a cluster needs it: each statement is of one tenant
const gathered = { gather: { by: 'node' } } as const;
const alone = { gather: false } as const;
let stores = 0;

describe('a store whose tables are cut by tenant', () => {
  storeContract({ describe, it }, async () => {
    await clearTables((text) => pool.query(text), cut);
    stores += 1;
    const options = { schema: cut, ...(stores % 2 === 0 ? gathered : alone) };
    return {
      ...createPostgresStore(recording(pool, texts), options),
      analysed: async () => void (await pool.query('analyze')),
      close: async () => undefined,
    };
  });

  it('says of which tenant in every statement', () => {
    expect(texts.size).toBeGreaterThan(20);
    for (const text of texts) {
      // these statements ask every node for its tenants, or for ended records
      if (/^(select json_build_array\(t\.tenant, |with (ended|due as) )/.test(text)) continue;
      expect(statementFaults(text), text).toEqual([]);
    }
    const calls = [...texts].filter((text) => text.includes('.commit'));
    const names = new Set(calls.map((text) => /commit\w+\(\$1::text,/.exec(text)?.[0]));
    const { node, one } = functions;
    expect([...names].sort()).toEqual([node, one].map(({ name }) => `${name}($1::text,`));
  });

  it('says so in every statement of the functions that a cluster has beside its tenants', () => {
    const bodies = schemaSql
      .split(/^create function /m)
      .filter((each) => each.includes('p_tenant text'));
    expect(bodies).toHaveLength(3);
    const statements = bodies.flatMap((body) => body.split(/;\n/));
    const seen = statements.filter((each) => each.includes('"$schema".'));
    expect(seen.length).toBeGreaterThan(20);
    for (const each of seen) expect(statementFaults(each), each).toEqual([]);
  });
});

describe('the rule for statements', () => {
  it.each([
    ['select from "s".deals d where d.id = $1', ['from deals']],
    ['select from "s".deals where id = $1 for update', ['from deals']],
    ['select from "s".deals d where d.id = $1 and e.tenant = $2', ['from deals']],
    ['select from "s".deals d where exists (select where d.tenant = $1)', ['from deals']],
    [
      'select from "s".deals d join "s".stages t on t.id = d.id where d.tenant = $1',
      ['join stages'],
    ],
    ['with a as (update "s".deals set tenant_name = $1 where id = $2) select', ['update deals']],
    ['delete from "s".events', ['from events']],
    ['insert into "s".events (position, tenant) values ($1, $2)', ['insert into events']],
    ['insert into "s".events as e (position) values ($1)', ['insert into events']],
    [
      'insert into "s".deals (tenant, id) values ($1, $2) on conflict (id) do nothing',
      ['conflict of deals'],
    ],
    ['select from "s".deals d where $1 = d.tenant', []],
    ['update "s".stages t set status = $1 from moved where t.tenant = $2', []],
    ['insert into "s".deals (tenant) values ($1) on conflict (tenant) do nothing', []],
  ])('judges %s', (sql, faults) => {
    expect(statementFaults(sql)).toEqual(faults);
  });
});
