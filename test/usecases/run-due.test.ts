import { createMarketplace } from 'dealwright';
import { type MarketplacePorts, type PaymentGateway, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';

type Store = MarketplacePorts['store'];
const day = 24 * 60 * 60 * 1000;
const down = () => unavailable({ outcome: 'none' });
const reason = (port: string) => `${port} failed`;

/** A sandbox whose time only a test moves, and the runs of its operator over a store of its own. */
function createHost(payments?: PaymentGateway) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const ports: MarketplacePorts = {
    ...createPorts(),
    ...{ clock, timer: clock, paymentTokens: createOpaqueTokenIssuer() },
    ...(payments && { payments }),
  };
  // a deal is due once: when it expires
  const marketplace = createMarketplace(ports, { expiryNoticeDays: 0 });
  const partner = (name: string) => marketplace.partner({ environment: 'sandbox', partner: name });
  return {
    clock,
    ports,
    marketplace,
    partner,
    async create(name: string, partner_id = 'one') {
      const created = await partner(name).createDealV2({ ...dealV2Body, partner_id });
      return created._unsafeUnwrap().payment_token;
    },
    async statusOf(name: string, partner_id = 'one') {
      return (await partner(name).retrieveDealDetails(partner_id))._unsafeUnwrap().status;
    },
    async runTimers(change: Partial<Store> = {}) {
      const store = { ...ports.store, ...change };
      const operator = createMarketplace({ ...ports, store }).operator('sandbox');
      return (await operator.runTimers())._unsafeUnwrap();
    },
  };
}

describe('a run of what is due', () => {
  it('reaches every partner, even if a store names them by pages', async () => {
    const { clock, create, ports, runTimers, statusOf } = createHost();
    await create('last');
    clock.advance(31 * day);
    const [own] = (await ports.store.tenants(undefined, 1))._unsafeUnwrap();
    // more than one page of other tenants without due work
    const tenants: Store['tenants'] = (after, limit) => {
      const from = after === undefined ? 0 : Number(after.partner.split('-')[1]) + 1;
      const names = Array.from({ length: Math.min(limit, 10_050 - from) }, (_, at) => from + at);
      const all = names.map((at) => ({
        tenant: { environment: 'sandbox', partner: `partner-${at}` } as const,
        end: '0',
      }));
      return ok(own === undefined || all.length === limit ? all : [...all, own]);
    };
    expect(await runTimers({ tenants })).toEqual({ done: 1, failed: 0, failures: [] });
    expect(await statusOf('last')).toBe('expired');
  });

  it('counts each partner for whom the store fails, and describes a hundred', async () => {
    const { clock, create, runTimers, statusOf } = createHost();
    for (let at = 0; at < 103; at += 1) await create(`partner-${at}`);
    clock.advance(31 * day);
    const { done, failed, failures } = await runTimers({ due: down });
    expect([done, failed, failures.length]).toEqual([0, 103, 100]);
    expect(failures[99]).toMatchObject({ partner_id: '', reason: reason('store.due') });
    expect(await runTimers()).toMatchObject({ done: 103, failed: 0 });
    expect(await statusOf('partner-102')).toBe('expired');
  });

  it('leaves a partner out whose time cannot be read, and no other', async () => {
    const { clock, create, ports, runTimers, statusOf } = createHost();
    for (const name of ['acme', 'globex']) await create(name);
    clock.advance(31 * day);
    const { records } = ports.store;
    const byKey: typeof records.byKey = (tenant, kind, key) =>
      kind === 'sandbox_clock' && tenant.partner === 'acme'
        ? down()
        : records.byKey(tenant, kind, key);
    expect(await runTimers({ records: { ...records, byKey } })).toMatchObject({
      done: 1,
      failed: 1,
      failures: [{ partner: 'acme', partner_id: '', reason: reason('store.records.byKey') }],
    });
    expect([await statusOf('acme'), await statusOf('globex')]).toEqual(['created', 'expired']);
  });

  it('gives a partner up if the store fails for one record after the other', async () => {
    const { clock, create, runTimers, statusOf, ports } = createHost();
    for (let at = 0; at < 150; at += 1) await create('acme', `deal-${at}`);
    await create('globex');
    clock.advance(31 * day);
    const { done, failed, failures } = await runTimers({
      commit: (tenant, write) =>
        tenant.partner === 'acme' ? down() : ports.store.commit(tenant, write),
    });
    // only the calls that were under way
    expect(done).toBe(1);
    expect(failed).toBeLessThan(100);
    expect(failures.at(-1)).toMatchObject({ partner: 'acme', partner_id: '' });
    expect(await statusOf('globex')).toBe('expired');
    expect((await runTimers()).done).toBe(150);
  });

  it('ends, though the store says for ever that a deal is due', async () => {
    const { clock, create, ports, runTimers, statusOf } = createHost();
    await create('acme');
    clock.advance(10 * day);
    await create('globex');
    clock.advance(20 * day);
    const due: Store['due'] = (tenant, kind, _before, ...rest) =>
      ports.store.due(tenant, kind, '9999', ...rest);
    const tenants: Store['tenants'] = (after, limit) => ports.store.tenants(after, limit);
    const { failed } = await runTimers({ due, tenants });
    expect(failed).toBe(0);
    // the due deal, and nothing of the other tenant
    expect([await statusOf('acme'), await statusOf('globex')]).toEqual(['expired', 'created']);
  });

  it('says why a deal cannot take what a gateway reports', async () => {
    const amount = `${'9'.repeat(24)}.00`;
    const host = createHost({
      executes: () => true,
      execute: (_tenant, { kind }) => {
        const names = kind === 'request_payment' ? ['a', 'b'] : [];
        return ok(names.map((reference) => ({ status: 'paid', reference, amount }) as const));
      },
    });
    const { create, marketplace, partner, statusOf } = host;
    const freelancer = marketplace.freelancer('sandbox', await create('acme'));
    (await freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(1) }))._unsafeUnwrap();
    (await freelancer.deliver())._unsafeUnwrap();
    (await partner('acme').approve('one'))._unsafeUnwrap();
    const ran = (await marketplace.operator('sandbox').runEffects())._unsafeUnwrap();
    const why = 'payments.execute gave a wrong answer: amount_out_of_bounds';
    const failure = { partner: 'acme', partner_id: 'one', reason: why };
    expect(ran.failures).toEqual([failure]);
    expect(await statusOf('acme')).toBe('approved');
  });
});
