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

/** A database of SQLite, which the test may copy. */
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

const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Makes a deal, and tries to upload so many files: the digest of each accepted file, by its id. */
async function upload({ marketplace }: BackEnd, partner_id: string, count: number) {
  const api = marketplace.partner(acme);
  await api.registerContractor(contractor);
  const { id } = (await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  const digests = new Map<string, string>();
  const refusals: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const content = new TextEncoder().encode(`${partner_id} ${at}`.repeat(1000));
    const uploaded = await api.uploadFile({ id }, { name: 'a', content });
    if (uploaded.isOk()) digests.set(uploaded.value.id, digestOf(content));
    else refusals.push(`${Object(uploaded.error).outcome} ${Object(uploaded.error).cause}`);
  }
  return { partner_id, digests, refusals };
}

type Uploaded = Awaited<ReturnType<typeof upload>>;

/** How many of these files a back end can no longer return. */
async function lost({ marketplace }: BackEnd, { partner_id, digests }: Uploaded) {
  let missing = 0;
  for (const [id, digest] of digests) {
    const found = await marketplace.partner(acme).downloadWorkFile(partner_id, id);
    const pieces: Uint8Array[] = [];
    if (found.isOk()) for await (const piece of found.value.content) pieces.push(piece);
    if (digestOf(Buffer.concat(pieces)) !== digest) missing += 1;
  }
  return missing;
}

/** Both sweep each day, the wrong one first: the lost files of each, before they come back. */
async function sweepDaily(days: number, wrong: BackEnd, right: BackEnd, isRefused: boolean) {
  for (let count = 0; count < days; count += 1) {
    for (const each of [wrong, right]) each.timer.advance(day);
    const swept = await wrong.sweep();
    expect(swept.isErr() && String(swept.error.cause)).toEqual(
      isRefused && expect.stringContaining('the contents belong to the store'),
    );
    (await right.sweep())._unsafeUnwrap();
  }
}

const kinds: [string, (url: string) => Promise<[right: Store, wrong: Store]>][] = [
  ['an empty PostgreSQL', async () => [sqlite('deals.db'), await emptyPostgres()]],
  ['another PostgreSQL', async () => [await emptyPostgres(), await emptyPostgres()]],
  ['another schema', async (url) => [await postgres(url), await postgres(url, 'staging')]],
  ['another SQLite file', async () => [sqlite('deals.db'), sqlite('other.db')]],
  ['staging beside production', async (url) => [await postgres(url), sqlite('staging.db')]],
];

it.each(kinds)('loses no file of either store to %s over the same folder', async (_, make) => {
  const [right, wrong] = (await make((await server.createDatabase()).url)).map((store) =>
    over(store),
  ) as [BackEnd, BackEnd];
  const files = await upload(right, 'order-1', 3);
  expect(files).toMatchObject({ digests: { size: 3 }, refusals: [] });
  // before the first sweep: the other back end would sweep the files that it could upload
  const others = await upload(wrong, 'order-2', 2);
  await sweepDaily(3, wrong, right, true);
  const later = await upload(wrong, 'order-3', 1);
  await sweepDaily(32, wrong, right, true);
  expect([await lost(right, files), await lost(wrong, others), await lost(wrong, later)]).toEqual([
    0, 0, 0,
  ]);
  const refusal = expect.stringMatching(
    /^none Error: nothing is uploaded: the contents belong to the store \w{26}, and this is the store \w{26}$/,
  );
  expect([...others.refusals, ...later.refusals]).toEqual([refusal, refusal, refusal]);
});

it('loses no file to a restored older copy over the same folder', async () => {
  const original = sqlite('deals.db');
  const right = over(original);
  const before = await upload(right, 'order-1', 2);
  await (original as Store & { close(): Promise<void> }).close();
  copyFileSync(join(root, 'deals.db'), join(root, 'older.db'));
  const since = await upload(right, 'order-2', 3);
  const copy = over(sqlite('older.db'));
  // by its id, the copy is the store itself
  const own = await upload(copy, 'order-3', 2);
  expect([before, since, own].map(({ digests }) => digests.size)).toEqual([2, 3, 2]);
  await sweepDaily(35, copy, right, false);
  expect([await lost(right, before), await lost(right, since)]).toEqual([0, 0]);
  // files that the other has put into the trash come back
  (await copy.sweep())._unsafeUnwrap();
  expect([await lost(copy, before), await lost(copy, own)]).toEqual([0, 0]);
});
