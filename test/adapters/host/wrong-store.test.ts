import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { createDealwright } from 'dealwright/host';
import type { Store } from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createManualClock } from 'dealwright/testing';
import Database from 'libsql';
import pg from 'pg';
import { monotonicFactory } from 'ulid';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { contractor, deal } from '../../kit/requests.js';

const day = 24 * 60 * 60 * 1000;
const acme = { environment: 'sandbox', partner: 'acme' } as const;

let server: Postgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
}, 600_000);
afterAll(() => server.stop());

let root = '';
const closing: (() => unknown)[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dealwright-wrong-'));
  mkdirSync(join(root, 'files'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(root, { recursive: true });
});

/** A database of SQLite, which its test may copy. */
function sqlite(name: string): Store {
  const db = new Database(join(root, name));
  migrateSqlite(db)._unsafeUnwrap();
  const store = createSqliteStore(db);
  closing.push(async () => {
    await store.close();
    db.close();
  });
  return store;
}

async function postgres(url: string, schema = 'dealwright'): Promise<Store> {
  const pool = new pg.Pool({ connectionString: url });
  closing.push(() => pool.end());
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  return createPostgresStore(pool, { schema });
}

const emptyPostgres = async () => postgres((await server.createDatabase()).url);

/** A back end over the folder of the test, with a clock of its own. */
function over(store: Store, start = Date.now()) {
  const timer = createManualClock(start);
  const ulid = monotonicFactory();
  const ids = { next: () => ulid(timer.now()) };
  const files = createFolderFileStore({ folder: join(root, 'files'), timer });
  return { timer, ...createDealwright({ store, files, timer, ids }) };
}

type BackEnd = ReturnType<typeof over>;

/** Uploads so many files for a new deal, and answers the digest of each by its id. */
async function upload({ marketplace }: BackEnd, partner_id: string, count: number) {
  const api = marketplace.partner(acme);
  await api.registerContractor(contractor);
  const { id } = (await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  const digests = new Map<string, string>();
  for (let at = 0; at < count; at += 1) {
    const content = new TextEncoder().encode(`${partner_id} ${at}`.repeat(1000));
    const file = (await api.uploadFile(id, { name: 'a', content }))._unsafeUnwrap();
    digests.set(file.id, createHash('sha256').update(content).digest('hex'));
  }
  return digests;
}

/** How many of these files a back end cannot give any more. */
async function lost({ marketplace }: BackEnd, partner_id: string, digests: Map<string, string>) {
  let missing = 0;
  for (const [id, digest] of digests) {
    const found = await marketplace.partner(acme).downloadWorkFile(partner_id, id);
    if (found.isErr()) {
      missing += 1;
      continue;
    }
    const hash = createHash('sha256');
    for await (const piece of found.value.content) hash.update(piece);
    if (hash.digest('hex') !== digest) missing += 1;
  }
  return missing;
}

/** Somebody works with it for three days, and it sweeps each day. */
async function workAndSweep(backEnd: BackEnd, isRefused: boolean) {
  await backEnd.marketplace.partner(acme).registerContractor(contractor);
  for (let days = 0; days < 3; days += 1) {
    backEnd.timer.advance(day);
    const swept = await backEnd.sweep();
    expect(swept.isErr() && String(swept.error.cause)).toEqual(
      isRefused && expect.stringContaining('the contents belong to the store'),
    );
  }
}

it.each<[string, boolean, (url: string) => Promise<[right: Store, wrong: Store]>]>([
  ['an empty PostgreSQL', false, async () => [sqlite('deals.db'), await emptyPostgres()]],
  ['another PostgreSQL', true, async () => [await emptyPostgres(), await emptyPostgres()]],
  ['another schema', true, async (url) => [await postgres(url), await postgres(url, 'staging')]],
  ['another SQLite file', true, async () => [sqlite('deals.db'), sqlite('other.db')]],
  ['staging beside production', true, async () => [sqlite('deals.db'), sqlite('staging.db')]],
])('loses no file to %s over the same folder', async (name, hasDeals, make) => {
  const { url } = await server.createDatabase();
  const [right, wrong] = await make(url);
  const first = over(right);
  (await first.sweep())._unsafeUnwrap();
  const digests = await upload(first, 'order-1', 3);
  const second = over(wrong);
  // staging has files of its own, there too
  const own = hasDeals
    ? await upload(second, 'order-2', name.startsWith('staging') ? 2 : 0)
    : new Map();
  await workAndSweep(second, true);
  expect(await lost(first, 'order-1', digests)).toBe(0);
  first.timer.advance(4 * day);
  (await first.sweep())._unsafeUnwrap();
  expect(await lost(first, 'order-1', digests)).toBe(0);
  expect(own.size).toBe(name.startsWith('staging') ? 2 : 0);
});

it('loses no file to a restored older copy over the same folder', async () => {
  const right = sqlite('deals.db');
  const first = over(right);
  const before = await upload(first, 'order-1', 2);
  (await first.sweep())._unsafeUnwrap();
  await (right as Store & { close(): Promise<void> }).close();
  copyFileSync(join(root, 'deals.db'), join(root, 'older.db'));
  const since = await upload(first, 'order-2', 3);
  await workAndSweep(over(sqlite('older.db')), false);
  expect(await lost(first, 'order-1', before)).toBe(0);
  first.timer.advance(4 * day);
  (await first.sweep())._unsafeUnwrap();
  expect(await lost(first, 'order-2', since)).toBe(0);
});
