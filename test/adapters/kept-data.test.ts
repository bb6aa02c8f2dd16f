import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromNdjson, toNdjson } from 'dealwright/archive';
import { createFolderFileStore } from 'dealwright/files';
import { createKeyValueStore } from 'dealwright/key-value';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { FileStore, Store } from 'dealwright/ports';
import {
  createPostgresArchive,
  createPostgresStore,
  migratePostgres,
  printPostgresMigrations,
} from 'dealwright/postgres';
import {
  createSqliteArchive,
  createSqliteStore,
  migrateSqlite,
  sqliteMigrations,
} from 'dealwright/sqlite';
import { createSha256 } from 'dealwright/system';
import Database from 'libsql';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKeptCaller,
  createKeptMarketplace,
  differences,
  type KeptAnswers,
  kept,
  keptAnswers,
  keptFile,
  keptFolder,
} from '../kit/kept-data.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { createSortedMap } from './key-value/sorted-map.js';

/**
 * Changes by later decisions: how an answer may differ from the answer of then, in any of the listed
 * members. Nothing else may differ.
 */
const reworded: readonly {
  readonly decision: string;
  readonly isAbout: (answer: KeptAnswers['reads'][number]) => boolean;
  readonly differences: readonly string[];
}[] = [
  // 6.5: `amount` is what the freelancer gets, also after a dispute was resolved
  {
    decision: '6.5',
    isAbout: ({ method }) => method === 'view',
    differences: [
      'amount: "1000.00" -> "400.00"',
      'amount: "1000.00" -> "0.00"',
      'amount: "900.00" -> "150.00"',
    ],
  },
  // 6.3 and 6.7 (d) of Money: a charge-back counts in full, `loss` is a balance beside it, and is requested
  ...[
    ['charged back after the payout', '300.00'],
    ['charged back before payout is told', '1000.00'],
    ['lost', '700.00'],
  ].map(([deal = '', amount]) => ({
    decision: '6.3',
    isAbout: ({ args }: KeptAnswers['reads'][number]) => args.includes(deal),
    differences: [
      `billing.charged_back: "0.00" -> "${amount}"`,
      `billing.outstanding: "0.00" -> "${amount}"`,
    ],
  })),
];

const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
const answers = keptAnswers();
let folder: string;
let postgres: Postgres;
let pool: Pool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-kept-'));
  postgres = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: postgres.socketUrl });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Repeats all reads of then, and all calls under a key. */
async function asThen(
  store: Parameters<typeof createKeptCaller>[0],
  then: KeptAnswers = answers.sqlite,
  files?: FileStore,
): Promise<void> {
  const call = createKeptCaller(store, then, files);
  expect(then.reads.length).toBeGreaterThan(400);
  expect(then.repeats).toHaveLength(10);
  const found: string[] = [];
  // the repeats change nothing: reads after them return the same as reads before
  for (const each of [...then.reads, ...then.repeats, ...then.reads]) {
    const allowed = reworded.filter(({ isAbout }) => isAbout(each));
    for (const difference of differences(each.answer, await call(each))) {
      const isAllowed = allowed.some(({ differences: known }) => known.includes(difference));
      if (!isAllowed) found.push(`${each.method} ${JSON.stringify(each.args)} ${difference}`);
    }
  }
  expect(found).toEqual([]);
}

/** Continues the work that was unfinished then. */
async function goesOn(
  store: Parameters<typeof createKeptCaller>[0],
  then: KeptAnswers = answers.sqlite,
): Promise<void> {
  const call = createKeptCaller(store, then);
  const who = { as: 'partner', environment: 'production', partner: 'acme' } as const;
  const approved = await call({ who, method: 'approve', args: ['delivered'], answer: undefined });
  expect(approved).toMatchObject({ status: 'approved', billing: { outstanding: '1000.00' } });
}

/** The database of then, in a file that may change. */
function copyOfSqlite(name: string) {
  const path = join(folder, name);
  writeFileSync(path, kept('deals.sqlite'));
  const db = new Database(path);
  migrateSqlite(db)._unsafeUnwrap();
  return db;
}

function emptySqlite() {
  const db = new Database(':memory:');
  migrateSqlite(db)._unsafeUnwrap();
  return db;
}

const records = (files: FileStore) =>
  fromNdjson(oneChunk(kept('archive.ndjson')), { contents: { files, sha256: createSha256() } });

async function* oneChunk(bytes: Uint8Array) {
  yield bytes;
}

/** The contents of all work files in the answers. */
async function readContents(files: FileStore): Promise<void> {
  let count = 0;
  for (const { who, method, answer } of answers.sqlite.reads) {
    const { environment, partner = '' } = who;
    if (method !== 'listWorkFiles') continue;
    for (const { id, sha256: digest } of answer as readonly Record<'id' | 'sha256', string>[]) {
      const found = (await files.get({ environment, partner }, id))._unsafeUnwrap();
      const pieces: Uint8Array[] = [];
      for await (const piece of found ?? []) pieces.push(Uint8Array.from(piece));
      expect(sha256(Buffer.concat(pieces)), id).toBe(digest);
      count += 1;
    }
  }
  expect(count).toBe(53);
}

/** A deal in a database. */
interface DueDeal {
  readonly tenant: string;
  readonly partner_id: string;
  readonly status: string;
  readonly due_at: string | null;
  /** Whether its money may need the operator. */
  readonly is_waiting: unknown;
}

const waiting = {
  intents: "'pending', 'failed'",
  employer_payments: "'requested', 'processing'",
  contractor_payments: "'scheduled', 'processing', 'failed', 'returned'",
};
const dealsSql = (prefix: string) => {
  const has = Object.entries(waiting).map(
    ([table, statuses]) => `exists (select 1 from ${prefix}${table} p where p.tenant = d.tenant
      and p.partner_id = d.partner_id and p.status in (${statuses}))`,
  );
  return `select tenant, partner_id, status, due_at, (${has.join(' or ')}) as is_waiting
    from ${prefix}deals d order by tenant, partner_id`;
};
/** Two of them get a time of their own: one long before the migration, and one after it. */
const moveSql = (table: string) => `update ${table} set due_at = case
  when partner_id = 'accepted' then '2000-01-01T00:00:00.000Z' else '9999-01-01T00:00:00.000Z' end
  where partner_id in ('accepted', 'changes requested') and tenant = 'production:acme'`;

const isOver = (status: string) => /^(completed|cancelled|expired)$/.test(status);

/** Judges the deals before and after a migration that began at this time. */
function areVisited(then: readonly DueDeal[], now: readonly DueDeal[], began: number): void {
  const start = new Date(began).toISOString();
  const end = new Date().toISOString();
  const open = then.filter(({ status, is_waiting }) => !isOver(status) || Boolean(is_waiting));
  expect(open.filter(({ status }) => isOver(status)).length).toBeGreaterThan(2);
  expect(then.length).toBeGreaterThan(open.length);
  const isLate = ({ due_at }: DueDeal) => due_at === null || due_at > start;
  expect(open.filter(isLate).map(({ due_at }) => due_at)).toEqual(
    expect.arrayContaining([null, '9999-01-01T00:00:00.000Z']),
  );
  expect(open.every(isLate)).toBe(false);
  const expected = then.map((deal) =>
    open.includes(deal) && isLate(deal)
      ? { ...deal, due_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) }
      : deal,
  );
  expect(now).toEqual(expected);
  for (const [at, { due_at }] of now.entries()) {
    if (due_at === then[at]?.due_at) continue;
    expect(String(due_at) >= start && String(due_at) <= end, String(due_at)).toBe(true);
  }
}

/** The rest of webhooks that were deleted then ends 30 days later. */
async function endsWhatWasDeleted(store: Store, then: KeptAnswers = answers.sqlite): Promise<void> {
  const marketplace = createKeptMarketplace(store, Date.parse(then.now) + 400 * 24 * 3_600_000);
  const left = async () => {
    let count = 0;
    for (const { tenant } of (await store.tenants(undefined, 100))._unsafeUnwrap()) {
      const range = { direction: 'ascending', limit: 1_000 } as const;
      const rows = (await store.records.list(tenant, 'webhook', range))._unsafeUnwrap();
      for (const { id } of rows.filter(({ status }) => status === 'deleted')) {
        const own = { ...range, under: `webhook:${id}` };
        count += 1 + (await store.records.list(tenant, 'delivery', own))._unsafeUnwrap().length;
      }
    }
    return count;
  };
  expect(await left()).toBeGreaterThan(200);
  while ((await marketplace.prune())._unsafeUnwrap().isMore);
  expect(await left()).toBe(0);
}

describe('what commit 9b39a2e wrote', () => {
  it.each([
    ['deals.sqlite', '3418f470d4452c4adf91ac00bc8d9001f73640b9797b3779fd23ff24bd74cdc6'],
    ['postgres.sql', 'b813970f4b06438cf5270971dd14b2daffbd6cae289d642520ad4099b26103f1'],
    ['archive.ndjson', '8e973fbeca8f453d8401e51d3f8331b61fd74d46f6c834c991a41630fe504d43'],
    ['key-value.ndjson', '72a6a3acd3715d56b6292cb352f18ebc50d70630b54654e66481e723fb877623'],
    ['answers.json', '8825def00e15c6af56ab3c91fdd86efc2ceef7fb7501ec8f1b79b3aa99aa1325'],
  ])('is kept as it was written: %s', (name, digest) => {
    expect(sha256(keptFile(name))).toBe(digest);
  });

  it('was written under migrations and a format that are frozen', () => {
    const first = sqliteMigrations[0]?.sql ?? '';
    const [sqlite] = /'[0-9a-f]{64}'/.exec(first) ?? [];
    expect(sqlite).toBe("'0536afb58e04e77945d748b69d43f3b2eaedb52b53d4de0711ca05b329c54604'");
    const [deals] = /1, 'deals', '[0-9a-f]{64}'/.exec(printPostgresMigrations()) ?? [];
    expect(deals).toBe(
      "1, 'deals', 'b6646b0fa1fe59a669517604e1901762189a53afa8eb44f03d4847d04f687343'",
    );
    const [header = ''] = kept('archive.ndjson').toString().split('\n', 1);
    expect(sha256(header)).toBe('678014388f8bab317c8895699a460ef506786c4b70e05b02e22fd322d0142656');
  });

  it('opens in SQLite, with its folder of files', async () => {
    const path = join(folder, 'files');
    cpSync(join(keptFolder, 'files'), path, { recursive: true });
    const files = createFolderFileStore({ folder: path });
    const db = copyOfSqlite('deals.db');
    const store = createSqliteStore(db);
    await asThen(store, answers.sqlite, files);
    await readContents(files);
    await goesOn(store);
    await endsWhatWasDeleted(store);
    db.close();
  });

  it('opens in PostgreSQL', async () => {
    await postgres.psql(kept('postgres.sql').toString());
    (await migratePostgres(pool))._unsafeUnwrap();
    const store = createPostgresStore(pool);
    await asThen(store, answers.postgres);
    await goesOn(store, answers.postgres);
    await endsWhatWasDeleted(store, answers.postgres);
  });

  it('opens in a key-value store', async () => {
    const kv = createSortedMap();
    const lines = kept('key-value.ndjson').toString().trim().split('\n');
    const entries = lines.map((line): [string, string] => JSON.parse(line));
    kv.batch(entries.map(([key, value]) => ({ type: 'put', key, value })));
    const store = createKeyValueStore(kv);
    await asThen(store);
    await goesOn(store);
  });

  it('is restored from its archive into memory, and goes on from there', async () => {
    const [files, moved] = [createMemoryFileStore(), createMemoryFileStore()];
    const store = createMemoryStore();
    await store.archive.restore(records(files));
    await asThen(store, answers.sqlite, files);
    await readContents(files);
    const contents = { files, sha256: createSha256() };
    const dumped = toNdjson(store.archive.dump(), { contents });
    const db = emptySqlite();
    await createSqliteArchive(db).restore(
      fromNdjson(dumped, { contents: { ...contents, files: moved } }),
    );
    await asThen(createSqliteStore(db), answers.sqlite, moved);
    await readContents(moved);
    await goesOn(createSqliteStore(db));
    await endsWhatWasDeleted(createSqliteStore(db));
    await endsWhatWasDeleted(store);
  });

  it('is restored from its archive into PostgreSQL', async () => {
    const schema = 'restored';
    (await migratePostgres(pool, { schema }))._unsafeUnwrap();
    const client = await pool.connect();
    await createPostgresArchive(client, { schema }).restore(records(createMemoryFileStore()));
    client.release();
    await asThen(createPostgresStore(pool, { schema }));
  });

  it('is dumped from its database as it was then', async () => {
    const db = copyOfSqlite('dumped.db');
    const store = createMemoryStore();
    await store.archive.restore(createSqliteArchive(db).dump());
    db.close();
    await asThen(store);
  });
});

describe('deals that were open before an archive was written', () => {
  it('are due at once where it is restored, and the days of their stages begin', async () => {
    const store = createMemoryStore();
    await store.archive.restore(records(createMemoryFileStore()));
    const now = Date.parse(answers.sqlite.now) + 1;
    const marketplace = createKeptMarketplace(store, now);
    const dealsThen = async () => {
      const found: Record<string, unknown>[] = [];
      for await (const { kind, row } of store.archive.dump()) {
        if (kind === 'deal' || kind === 'stage') found.push({ ...row, kind });
      }
      return found;
    };
    const then = await dealsThen();
    const deals = then.filter(({ kind }) => kind === 'deal');
    const isOpen = ({ kind, status }: Record<string, unknown>) =>
      kind === 'deal' && !isOver(String(status));
    expect(deals.filter(isOpen).length).toBeGreaterThan(3);
    // those that are over, too: their money may need the operator
    for (const each of deals) expect(each['due_at']).toBe(each['created_at']);
    expect(deals.some((each) => String(each['status_since']) > String(each['created_at']))).toBe(
      true,
    );
    (await marketplace.operator('production').runTimers())._unsafeUnwrap();
    const open = then.filter(isOpen).map(({ partner_id }) => partner_id);
    const begun = (await dealsThen()).filter(
      ({ kind, status, partner_id }) =>
        kind === 'stage' && status === 'pending' && open.includes(partner_id),
    );
    expect(begun.some(({ started_at }) => started_at === new Date(now).toISOString())).toBe(true);
  });
});

describe('deals that were open before the migration', () => {
  it('are due at once in SQLite', () => {
    const path = join(folder, 'due.db');
    writeFileSync(path, kept('deals.sqlite'));
    const db = new Database(path);
    const read = () => db.prepare(dealsSql('dealwright_')).all() as DueDeal[];
    db.prepare(moveSql('dealwright_deals')).run();
    const [then, began] = [read(), Date.now()];
    migrateSqlite(db)._unsafeUnwrap();
    areVisited(then, read(), began);
    db.close();
  });

  it('are due at once in PostgreSQL, in any zone', async () => {
    const address = await postgres.createDatabase();
    const options = '-c timezone=Asia/Kathmandu';
    const own = new Pool({ connectionString: address.socketUrl, options });
    const read = async () => (await own.query<DueDeal>(dealsSql('dealwright.'))).rows;
    await postgres.psql(kept('postgres.sql').toString(), address);
    await own.query(moveSql('dealwright.deals'));
    const [then, began] = [await read(), Date.now()];
    (await migratePostgres(own))._unsafeUnwrap();
    areVisited(then, await read(), began);
    await own.end();
  });
});

describe('the comparison with then', () => {
  it('sees what is missing, another or of another length, and no new member', () => {
    const then = { a: [{ b: 1, c: null }], d: 'x' };
    expect([...differences(then, { ...then, e: 1 })]).toEqual([]);
    expect([...differences(then, { a: [{ b: 2, c: null }] })]).toEqual([
      'a.0.b: 1 -> 2',
      'd: "x" -> undefined',
    ]);
    expect([...differences(then, { a: [], d: 'x' })]).toEqual(['a: [{"b":1,"c":null}] -> []']);
    expect([...differences(then, { refused: { code: 'not_found' } })]).toHaveLength(2);
  });
});
