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
import { okOf } from '../usecases/terms-world.js';

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
      return (await okOf(api.createDealV2({ ...dealV2Body, ...more }))).payment_token;
    },
    async approve(payment_token: string) {
      const freelancer = marketplace.freelancer('sandbox', payment_token);
      const { stages } = await okOf(freelancer.view());
      const stage = { stage_id: Number(stages.find(({ status }) => status === 'pending')?.id) };
      const file = { name: 'draft.txt', content: Uint8Array.of(1), ...stage };
      await okOf(freelancer.uploadFile(file));
      await okOf(freelancer.deliver(stage));
      await okOf(api.approve(partner_id, stage));
    },
    async addWebhook() {
      const url = 'https://a.example/';
      return (await okOf(api.createWebhook({ url, ordered: true }))).id;
    },
    effects: async () => (await okOf(deals.retrieveDeal(partner_id))).effects,
    status: async () => (await okOf(api.retrieveDealDetails(partner_id))).status,
    runEffects: async () => (await okOf(operator.runEffects())).done,
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
    const { marketplace, timer, api, create, approve, deals, effects, runEffects, sandbox } = host;
    // real time counts
    await okOf(sandbox.advanceClock({ advance_seconds: 86_400 }));
    const payment_token = await create({ amount });
    // the deal goes on after its first stage
    const stages = [
      { name: 'One', budget: '100.00' },
      { name: 'Two', budget: '100.04' },
    ];
    const split = { kind: 'amendment', changes: { stages } } as const;
    await okOf(api.propose(partner_id, split));
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    const { terms_sha256 } = await okOf(freelancer.view());
    await okOf(freelancer.accept({ terms_sha256 }));
    await approve(payment_token);
    await runEffects();
    const paid = { status: 'paid', amount: '100.00', reference: 'in' } as const;
    await okOf(deals.recordEmployerPayment(partner_id, paid));
    await runEffects();
    const payment_id = String(
      (await okOf(deals.retrieveDeal(partner_id))).billing.contractor_payments[0]?.id,
    );
    const back = { payment_id, status: 'returned', reference: 'back' } as const;
    await okOf(deals.recordContractorPayment(partner_id, back));
    await okOf(deals.retryPayout(partner_id));
    await okOf(api.dispute(partner_id, { reason: 'It is not what was asked.' }));
    expect(await effects()).toMatchObject([{ kind: 'pay_out', next_attempt_at: null }]);
    expect(await runEffects()).toBe(0);
    await okOf(deals.resolve(partner_id, { agreed_amount: '100.00' }));
    timer.advance(-hour);
    const kinds = async () => (await effects()).map(({ kind }) => kind);
    expect(await kinds()).toContain('pay_out');
    await runEffects();
    expect(await kinds()).toEqual([]);
  });

  it('a delivery that is sent again by hand is sent at once', async () => {
    const host = hostOf(open(), 'sends');
    const { marketplace, timer, receivers, api, create, addWebhook } = host;
    const id = await addWebhook();
    const first = relayOf(marketplace);
    await create();
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(1);
    await first.stop();
    const [sent] = (await okOf(api.listDeliveries(id))).results;
    const again = await okOf(api.redeliver(id, sent?.id ?? ''));
    const shown = Date.parse(String(again.next_attempt_at));
    expect([shown > timer.now() - hour, shown <= timer.now()]).toEqual([true, true]);
    timer.advance(-hour);
    const other = relayOf(marketplace);
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(2);
    await other.stop();
    expect(other.failures).toEqual([]);
    const [delivery] = (await okOf(api.listDeliveries(id))).results;
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
      const { results } = await okOf(killed.api.listDeliveries(id));
      return results.length;
    };
    await expect.poll(recorded).toBe(1);
    killable.kill();
    // the same deals, seen by another process an hour earlier
    const { timer, marketplace, receivers, api } = hostOf(own, 'kills');
    timer.advance(-hour);
    await okOf(api.createDealV2({ ...dealV2Body, partner_id: 'other' }));
    const relay = relayOf(marketplace);
    await pass(timer, 5 * second);
    expect(receivers.received).toEqual([]);
    await expect.poll(() => pass(timer, second).then(() => receivers.received.length)).toBe(1);
    expect(timer.now()).toBeLessThan(killed.timer.now() - hour + 60 * second);
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });
});
