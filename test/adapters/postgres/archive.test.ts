import { toNdjson } from 'dealwright/archive';
import { createMemoryStore } from 'dealwright/memory';
import type { ArchiveRecord } from 'dealwright/ports';
import {
  createPostgresArchive,
  createPostgresStore,
  fromPostgresJs,
  migratePostgres,
  type PostgresLike,
} from 'dealwright/postgres';
import { type StoreArchiveSubject, storeArchiveContract } from 'dealwright/spec';
import { Pool, type PoolClient } from 'pg';
import postgresJs from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fill } from '../../../spec/archive/filled.js';
import {
  absent,
  committed,
  creation,
  insertOf,
  present,
  writeOf,
} from '../../../spec/store/writes.js';
import { runGroups } from '../../kit/groups.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createHastyStore } from '../sqlite/database.js';
import { dealRecords, stageRecords } from './new-records.js';
import { clearTables } from './tables.js';

let postgres: Postgres;
let pool: Pool;
let schemas = 0;
beforeAll(async () => {
  postgres = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: postgres.socketUrl, max: 20 });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

async function freshSchema(): Promise<string> {
  schemas += 1;
  const schema = `archive_${schemas}`;
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  return schema;
}

/** Schemas whose tables are empty. */
const cleared: string[] = [];

async function makePostgres(): Promise<StoreArchiveSubject> {
  const schema = cleared.pop() ?? (await freshSchema());
  const client = await pool.connect();
  return {
    ...createPostgresStore(pool, { schema }),
    archive: createPostgresArchive(client, { schema }),
    async close() {
      client.release();
      await clearTables((sql) => pool.query(sql), schema);
      cleared.push(schema);
    },
  };
}

function makeMemory(): StoreArchiveSubject {
  return { ...createMemoryStore(), close: async () => undefined };
}

describe('from memory to PostgreSQL', () => {
  storeArchiveContract({ describe, it }, makeMemory, makePostgres);
});
// the refusals of a store do not depend on the source of the records
describe('from PostgreSQL to memory', () => {
  runGroups(['archive: round trip', 'archive: dump', 'archive: id'], (runner) =>
    storeArchiveContract(runner, makePostgres, makeMemory),
  );
});
// each of the two runs the whole contract with memory, too
describe('from SQLite to PostgreSQL', () => {
  runGroups(['archive: dump'], (runner) =>
    storeArchiveContract(runner, createHastyStore, makePostgres),
  );
});
describe('from PostgreSQL to SQLite', () => {
  runGroups(['archive: dump'], (runner) =>
    storeArchiveContract(runner, makePostgres, createHastyStore),
  );
});

describe('createPostgresArchive', () => {
  const clients: PoolClient[] = [];
  const connect = async () => {
    const client = await pool.connect();
    client.on('error', () => {});
    clients.push(client);
    return client;
  };
  afterEach(() => {
    for (const client of clients.splice(0)) client.release(true);
  });
  const dumpOf = (client: PostgresLike, schema: string) =>
    collect(createPostgresArchive(client, { schema }).dump());

  it('keeps sums of 24 digits before the decimal point', async () => {
    const [largest, least] = [`${'9'.repeat(24)}.99`, `-${'9'.repeat(24)}.99`];
    const amounts = [largest, least, `1${'0'.repeat(18)}.00`];
    const schema = await freshSchema();
    const store = createPostgresStore(pool, { schema });
    const acme = { environment: 'sandbox', partner: 'acme' } as const;
    (await store.commit(acme, creation('deal', [1, 2])))._unsafeUnwrap();
    for (const amount of amounts) {
      const id = `posting ${amount}`;
      const posted = writeOf({
        expect: [absent('posting', id), present('deal', 'deal')],
        insert: [insertOf('posting', { id, partner_id: 'deal', amount })],
      });
      expect((await store.commit(acme, posted))._unsafeUnwrap()).toEqual(committed);
    }
    const dumped = await dumpOf(await connect(), schema);
    const restored = await freshSchema();
    const archive = createPostgresArchive(await connect(), { schema: restored });
    await archive.restore(each(dumped));
    expect(await collect(archive.dump())).toEqual(dumped);
    const other = createPostgresStore(pool, { schema: restored });
    const read = (await other.deals.byPartnerId(acme, 'deal', ['posting']))._unsafeUnwrap();
    expect(read?.posting.map(({ amount }) => amount).sort()).toEqual([...amounts].sort());
  });

  it('refuses a pool, whose statements would go several ways', async () => {
    const schema = await freshSchema();
    expect(() => createPostgresArchive(pool, { schema })).toThrow(TypeError);
    const sql = postgresJs(postgres.url, { max: 3 });
    const archive = createPostgresArchive(fromPostgresJs(sql), { schema });
    await Promise.all([sql`select 1`, sql`select 1`, sql`select 1`]);
    await expect(archive.restore(dealRecords(3))).rejects.toThrow('one connection');
    await expect(collect(archive.dump())).rejects.toThrow('one connection');
    // the reserved connection counts as one
    const reserved = await sql.reserve();
    const own = createPostgresArchive(fromPostgresJs(reserved), { schema });
    expect(await own.restore(dealRecords(3))).toBe(3);
    expect(await collect(own.dump())).toEqual(await collect(dealRecords(3)));
    reserved.release();
    await sql.end();
  });

  it.each(['insert into', 'update', 'commit'])(
    'writes nothing if a driver connects again before %s',
    async (before) => {
      const [one, other] = [await connect(), await connect()];
      const schema = await freshSchema();
      let now = one;
      const again: PostgresLike = {
        async query(statement) {
          if (now === one && statement.text.startsWith(before)) {
            await one.query('rollback');
            now = other;
          }
          return now.query(statement);
        },
      };
      const memory = makeMemory();
      await fill(memory);
      const archive = createPostgresArchive(again, { schema });
      await expect(archive.restore(memory.archive.dump())).rejects.toThrow('one connection');
      expect(now).toBe(other);
      expect(await dumpOf(one, schema)).toEqual([]);
      const { rows } = await one.query(`select from "${schema}".tenants`);
      expect(rows).toEqual([]);
      // the restore can be tried again: no integer counts as taken
      const ids = await one.query(`select next::text from "${schema}".ids`);
      expect(ids.rows).toEqual([{ next: '1' }, { next: '1' }]);
    },
  );

  it('gives the same text as SQLite, and the same lines as memory', async () => {
    const memory = makeMemory();
    await fill(memory);
    const all = await collect(memory.archive.dump());
    const linesOf = async ({ archive }: Pick<StoreArchiveSubject, 'archive'>) => {
      const chunks = await collect(toNdjson(archive.dump()));
      return Buffer.concat(chunks).toString('utf8').split('\n');
    };
    const sqlite = createHastyStore();
    const archive = createPostgresArchive(await connect(), { schema: await freshSchema() });
    await sqlite.archive.restore(memory.archive.dump());
    await archive.restore(sqlite.archive.dump());
    const lines = await linesOf(sqlite);
    expect(lines.length).toBe(all.length + 3);
    expect(await linesOf({ archive })).toEqual(lines);
    // memory keeps tenants and contractors in another order
    expect((await linesOf(memory)).sort()).toEqual(lines.sort());
    await sqlite.close();
  });

  it('refuses what it cannot take in the words of the other stores', async () => {
    const [first] = await collect(dealRecords(1));
    const [stage] = await collect(stageRecords(1));
    if (first?.kind !== 'deal' || stage?.kind !== 'stage') throw new Error('they are records');
    const { tenant } = first;
    const other = { ...tenant, partner: 'globex' };
    const wrong: readonly (readonly [unknown[], string])[] = [
      [[first, { ...first, tenant: other }], 'twice'],
      [[first, stage, { ...stage, tenant: other }], 'twice'],
      [[stage], 'is under a deal that did not come'],
      [[{ ...first, tenant: { ...tenant, environment: 'x' } }], 'is not of a tenant'],
      [[{ ...first, kind: 'x' }], 'not a record'],
    ];
    const sqlite = createHastyStore();
    const own = createPostgresArchive(await connect(), { schema: await freshSchema() });
    for (const [given, says] of wrong) {
      for (const archive of [own, sqlite.archive, makeMemory().archive]) {
        const restored = archive.restore(each(given as readonly ArchiveRecord[]));
        await expect(restored).rejects.toThrow(says);
        expect(await collect(archive.dump())).toEqual([]);
      }
    }
    await sqlite.close();
  });

  it('does one thing at a time', async () => {
    const schema = await freshSchema();
    const archive = createPostgresArchive(await connect(), { schema });
    expect(await archive.restore(dealRecords(3))).toBe(3);
    const dump = archive.dump()[Symbol.asyncIterator]();
    await dump.next();
    await expect(archive.restore(dealRecords(3))).rejects.toThrow('at work already');
    await dump.return?.();
    expect(await collect(archive.dump())).toEqual(await collect(dealRecords(3)));
  });

  it('restores nothing under a server that would give the same integers again', async () => {
    const schema = await freshSchema();
    (await createPostgresStore(pool, { schema }).reserve('production', 1))._unsafeUnwrap();
    const archive = createPostgresArchive(await connect(), { schema });
    await expect(archive.restore(dealRecords(3))).rejects.toThrow('has taken integers');
  });

  it('has every index afterwards that it did without', async () => {
    const indexes = async (schema: string) => {
      const sql = 'select indexdef from pg_indexes where schemaname = $1 order by indexname';
      const { rows } = await pool.query(sql, [schema]);
      return rows.map(({ indexdef }) => String(indexdef).replaceAll(schema, '<schema>'));
    };
    const [schema, other] = [await freshSchema(), await freshSchema()];
    const archive = createPostgresArchive(await connect(), { schema });
    expect(await archive.restore(createMemoryStore().archive.dump())).toBe(0);
    const found = await indexes(schema);
    expect(found.length).toBeGreaterThan(10);
    expect(found).toEqual(await indexes(other));
  });

  it.each(['no more', 'a record that is refused'])(
    'sends nothing after the rollback, if its source fails while it writes: %s',
    async (last) => {
      const schema = await freshSchema();
      const client = await connect();
      const sent: string[] = [];
      const heard: PostgresLike = {
        query(statement) {
          sent.push(statement.text.trim());
          return client.query(statement);
        },
      };
      // deals and stages are one statement each, and the first of them is under way
      const failing = async function* () {
        yield* dealRecords(2_000);
        yield* stageRecords(2_000);
        if (last === 'no more') throw new Error('the archive holds no more');
        yield* dealRecords(1);
      };
      const restored = createPostgresArchive(heard, { schema }).restore(failing());
      await expect(restored).rejects.toThrow('the archive holds');
      // on the same connection, so it comes after all statements before it
      await client.query('select 1');
      expect(sent.filter((text) => text.startsWith('insert into'))).toHaveLength(2);
      expect(sent.at(-1)).toBe('rollback');
      expect(await dumpOf(client, schema)).toEqual([]);
    },
  );

  it('leaves nothing if the connection is lost', async () => {
    const schema = await freshSchema();
    const [one, other] = [await connect(), await connect()];
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    const archive = createPostgresArchive(one, { schema });
    const cut = async function* () {
      yield* dealRecords(400);
      await other.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      yield* stageRecords(400);
    };
    await expect(archive.restore(cut())).rejects.toThrow();
    expect(await dumpOf(other, schema)).toEqual([]);
  });

  it('knows no schema of that name', async () => {
    const client = await connect();
    expect(() => createPostgresArchive(client, { schema: 'a"b' })).toThrow(TypeError);
    const archive = createPostgresArchive(client, { schema: 'none' });
    await expect(archive.restore(dealRecords(1))).rejects.toThrow('dealwright migrate');
    await expect(collect(archive.dump())).rejects.toThrow('dealwright migrate');
  });
});

async function* each<T>(given: Iterable<T>): AsyncGenerator<T> {
  yield* given;
}

async function collect<T>(given: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of given) all.push(each);
  return all;
}
