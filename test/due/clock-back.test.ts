import { createMemoryStore } from 'dealwright/memory';
import { createSandboxGateway } from 'dealwright/payments';
import type { Store } from 'dealwright/ports';
import { createPostgresStore } from 'dealwright/postgres';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { createHastyStore } from '../adapters/sqlite/database.js';
import { dealV2Body } from '../domain/field-tables.js';
import { sandboxed } from '../faces/due-host.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { killableStore, pass, relayHost, relayOf } from '../relay/kit.js';

const [second, hour] = [1_000, 3_600_000];
const { partner_id } = dealV2Body;
// the employer of the sandbox never answers a request of such an amount
const amount = '200.04';

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 4 });
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** A back end, a partner of its sandbox with one deal, and a time that the test moves. */
function hostOf(store: Store, partner: string) {
  const timer = createManualClock();
  const ports = { paymentTokens: createOpaqueTokenIssuer(), payments: createSandboxGateway() };
  const { marketplace, receivers } = relayHost(store, timer, ports);
  const api = marketplace.partner(sandboxed(partner));
  const operator = marketplace.operator('sandbox');
  const deals = operator.partner(partner);
  return {
    ...{ marketplace, timer, receivers, api, deals },
    sandbox: marketplace.sandbox(sandboxed(partner)),
    async create(more: object = {}) {
      return (await api.createDealV2({ ...dealV2Body, ...more }))._unsafeUnwrap().payment_token;
    },
    async approve(payment_token: string) {
      const freelancer = marketplace.freelancer('sandbox', payment_token);
      await freelancer.uploadFile({ name: 'draft.txt', content: Uint8Array.of(1) });
      const { stages } = (await freelancer.view())._unsafeUnwrap();
      const stage = { stage_id: Number(stages[0]?.id) };
      (await freelancer.deliver(stage))._unsafeUnwrap();
      (await api.approve(partner_id, stage))._unsafeUnwrap();
    },
    async addWebhook() {
      const url = 'https://a.example/';
      return (await api.createWebhook({ url, ordered: true }))._unsafeUnwrap().id;
    },
    effects: async () => (await deals.retrieveDeal(partner_id))._unsafeUnwrap().effects,
    status: async () => (await api.retrieveDealDetails(partner_id))._unsafeUnwrap().status,
    runEffects: async () => (await operator.runEffects())._unsafeUnwrap().done,
  };
}

describe.each<[string, () => Store]>([
  ['memory', createMemoryStore],
  ['SQLite', createHastyStore],
  ['PostgreSQL', () => createPostgresStore(pool)],
])('once the clock has gone back, in %s,', (_, open) => {
  it('a payment that was never asked for is asked for at once', async () => {
    const { timer, create, approve, effects, runEffects } = hostOf(open(), 'asks');
    await approve(await create({ amount }));
    const made = new Date(timer.now()).toISOString();
    timer.advance(-hour);
    expect(await effects()).toMatchObject([{ attempts: 0, next_attempt_at: made }]);
    expect(await runEffects()).toBe(1);
    expect(await effects()).toEqual([]);
  });

  it('a freelancer of the sandbox answers at once', async () => {
    const { timer, create, status, runEffects } = hostOf(open(), 'answers');
    await create({ email_freelancer: 'jan+accept@example.com' });
    timer.advance(-hour);
    expect(await runEffects()).toBe(1);
    expect(await status()).toBe('accepted');
  });

  it('a payout that a dispute held up goes out at once', async () => {
    const host = hostOf(open(), 'disputes');
    const { timer, api, create, approve, deals, effects, runEffects, sandbox } = host;
    // real time counts
    (await sandbox.advanceClock({ advance_seconds: 86_400 }))._unsafeUnwrap();
    const payment_token = await create({ amount });
    // the deal goes on after its first stage
    const stages = [
      { name: 'One', budget: '100.00' },
      { name: 'Two', budget: '100.04' },
    ];
    const split = { kind: 'amendment', changes: { stages } } as const;
    (await api.propose(partner_id, split))._unsafeUnwrap();
    await approve(payment_token);
    await runEffects();
    const paid = { status: 'paid', amount: '100.00', reference: 'in' } as const;
    (await deals.recordEmployerPayment(partner_id, paid))._unsafeUnwrap();
    await runEffects();
    const payment_id = String(
      (await deals.retrieveDeal(partner_id))._unsafeUnwrap().billing.contractor_payments[0]?.id,
    );
    const back = { payment_id, status: 'returned', reference: 'back' } as const;
    (await deals.recordContractorPayment(partner_id, back))._unsafeUnwrap();
    (await deals.retryPayout(partner_id))._unsafeUnwrap();
    (await api.dispute(partner_id, { reason: 'It is not what was asked.' }))._unsafeUnwrap();
    expect(await effects()).toMatchObject([{ kind: 'pay_out', next_attempt_at: null }]);
    expect(await runEffects()).toBe(0);
    (await deals.resolve(partner_id, { agreed_amount: '100.00' }))._unsafeUnwrap();
    timer.advance(-hour);
    expect(await runEffects()).toBe(1);
    expect(await effects()).toEqual([]);
  });

  it('a delivery that is sent again by hand is sent at once', async () => {
    const host = hostOf(open(), 'sends');
    const { marketplace, timer, receivers, api, create, addWebhook } = host;
    const id = await addWebhook();
    const first = relayOf(marketplace);
    await create();
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(1);
    await first.stop();
    const [sent] = (await api.listDeliveries(id))._unsafeUnwrap().results;
    const again = (await api.redeliver(id, sent?.id ?? ''))._unsafeUnwrap();
    const shown = Date.parse(String(again.next_attempt_at));
    expect([shown > timer.now() - hour, shown <= timer.now()]).toEqual([true, true]);
    timer.advance(-hour);
    const other = relayOf(marketplace);
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(2);
    await other.stop();
    expect(other.failures).toEqual([]);
    const [delivery] = (await api.listDeliveries(id))._unsafeUnwrap().results;
    expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null });
  });

  it('events of a process that was killed are sent once its lease was seen for its time', async () => {
    const own = open();
    const killable = killableStore(own);
    const killed = hostOf(killable.store, 'kills');
    const id = await killed.addWebhook();
    relayOf(killed.marketplace);
    await killed.create();
    const { received } = killed.receivers;
    await expect.poll(() => pass(killed.timer, 100).then(() => received.length)).toBe(1);
    const recorded = async () => {
      const { results } = (await killed.api.listDeliveries(id))._unsafeUnwrap();
      return results.length;
    };
    await expect.poll(recorded).toBe(1);
    killable.kill();
    // the same deals, seen by another process an hour earlier
    const { timer, marketplace, receivers, api } = hostOf(own, 'kills');
    timer.advance(-hour);
    (await api.createDealV2({ ...dealV2Body, partner_id: 'other' }))._unsafeUnwrap();
    const relay = relayOf(marketplace);
    await pass(timer, 5 * second);
    expect(receivers.received).toEqual([]);
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(1);
    expect(timer.now()).toBeLessThan(killed.timer.now() - hour + 60 * second);
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });
});
