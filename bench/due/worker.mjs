// A service with a partner with much due work, and another one without, in a process of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createSystemPorts } from 'dealwright/system';
import { createSignedTokenIssuer } from 'dealwright/tokens';
import Database from 'libsql';
import { ok } from 'neverthrow';
import { serveContender } from '../contender.mjs';
import { listenOnNode } from '../http/contenders/dealwright-app.mjs';
import { relayOf } from '../kit.mjs';
import { createPool } from '../postgres/app.mjs';
import { repeat } from '../repeat.mjs';
import { dealV2 } from '../validation/cases.mjs';

const [kind, token] = process.argv.slice(2);
const day = 24 * 60 * 60 * 1000;
const busy = { environment: 'production', partner: 'busy' };
const other = { environment: 'production', partner: 'other' };

async function openStore() {
  if (kind === 'memory') return createMemoryStore();
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    process.on('SIGTERM', () => process.exit());
    const db = new Database(join(folder, 'deals.db'));
    migrateSqlite(db)._unsafeUnwrap();
    return createSqliteStore(db, { gather: true });
  }
  const pool = createPool(kind);
  (await migratePostgres(pool))._unsafeUnwrap();
  return createPostgresStore(pool);
}

const system = createSystemPorts();
let moved = 0;
const clock = { now: () => system.clock.now() + moved };
let expired = 0;
const store = await openStore();
const marketplace = createMarketplace({
  ...system,
  clock,
  store: {
    ...store,
    commit(tenant, write) {
      if (write.events[0]?.type === 'deal.expired') expired += 1;
      return store.commit(tenant, write);
    },
  },
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens: createSignedTokenIssuer({
    key: crypto.getRandomValues(new Uint8Array(32)),
    algorithm: 'HS256',
    timer: system.timer,
  }),
  files: createMemoryFileStore(),
  payments: {
    executes: () => true,
    execute: (_, { id, kind: what }) =>
      ok([{ status: what === 'refund' ? 'refunded' : 'paid', reference: id }]),
  },
});
const works = await relayOf(marketplace);
const authenticator = createTokenAuthenticator([[token, other]], system);
const server = await listenOnNode(createHandler(marketplace, { ...system, authenticator }));

let made = 0;
async function create(tenant) {
  made += 1;
  const partner_id = `deal-${process.pid}-${made}`;
  const input = { ...dealV2, partner_id };
  return { partner_id, ...(await marketplace.partner(tenant).createDealV2(input))._unsafeUnwrap() };
}

/** Milliseconds from an approval to the payout, which takes two effects, one after the other. */
async function payOut() {
  const { partner_id, payment_token } = await create(other);
  const freelancer = marketplace.freelancer('production', payment_token);
  (await freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(1) }))._unsafeUnwrap();
  (await freelancer.deliver())._unsafeUnwrap();
  const api = marketplace.partner(other);
  (await api.approve(partner_id))._unsafeUnwrap();
  const begin = performance.now();
  for (;;) {
    const { status } = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
    if (status === 'completed') return performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * A deal with as many payments and reports as it may have, which ends: all its money is to be
 * refunded.
 */
async function endLargeDeal() {
  const { partner_id } = await create(busy);
  const operator = marketplace.operator('production').partner(busy.partner);
  const report = async (input) =>
    (await operator.recordEmployerPayment(partner_id, input))._unsafeUnwrap();
  for (let index = 0; index < 200; index += 1) {
    await report({ status: 'paid', amount: '1.00', reference: `paid-${index}` });
  }
  const { employer_payments } = (await operator.retrieveDeal(partner_id))._unsafeUnwrap().billing;
  for (let index = 0; index < 800; index += 1) {
    const { id } = employer_payments[index % 200];
    await report({ payment_id: id, status: 'processing', reference: `processing-${index}` });
  }
  return async () => (await operator.cancel(partner_id, { reason: 'because' }))._unsafeUnwrap();
}

let large = [];
let running;
const answers = {
  port: () => server.address().port,
  fill: ({ count }) => repeat(count, 64, () => create(busy)),
  fillLarge: async ({ count }) => {
    for (let index = 0; index < count; index += 1) large.push(await endLargeDeal());
  },
  endLarge: async () => {
    for (const end of large) await end();
    large = [];
  },
  /** Waits until all refunds are made. */
  settle: async () => {
    const endOfTime = '9999-12-31T23:59:59.999Z';
    const left = async () => (await store.due(busy, 'intent', endOfTime, 1))._unsafeUnwrap().length;
    while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  },
  move: () => {
    moved += 31 * day;
  },
  start: () => {
    running = works.runDue();
  },
  stop: () => running.stop(),
  expired: () => expired,
  payOut,
  /** Commands by hand, as many in flight as a busy service has; each ends a deal, as a timer does. */
  commands: async ({ count }) => {
    const ids = [];
    await repeat(count, 64, async () => ids.push((await create(busy)).partner_id));
    const operator = marketplace.operator('production').partner(busy.partner);
    return repeat(count, 64, async () =>
      (await operator.cancel(ids.pop(), { reason: 'because' }))._unsafeUnwrap(),
    );
  },
};

serveContender(async ({ what, ...rest }) => (await answers[what](rest)) ?? 'done');
