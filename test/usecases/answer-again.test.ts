import { createMarketplace, type MarketplaceOptions, type PartnerApi } from 'dealwright';
import type { MarketplacePorts } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { day, file } from '../faces/world.js';
import { createPorts } from '../kit/ports.js';
import { failingAt } from './failing-at.js';
import { acme } from './marketplace-with.js';

type Store = MarketplacePorts['store'];
const key = { idempotencyKey: 'the-key' };
const { partner_id } = dealV2Body;

/** A deal, over ports whose time a test moves. */
async function withDeal(options: MarketplaceOptions = {}) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const ports = {
    ...createPorts(),
    ...{ clock, timer: clock, paymentTokens: createOpaqueTokenIssuer() },
  };
  /** The same back end, with some options and ports of its own. */
  const again = (own: Partial<MarketplacePorts> = {}, others: MarketplaceOptions = options) =>
    createMarketplace({ ...ports, ...own }, others);
  const marketplace = again();
  const api = marketplace.partner(acme);
  const { payment_token } = (await api.createDealV2(dealV2Body))._unsafeUnwrap();
  const types = async () => {
    const { results } = (await api.listDealEvents(partner_id))._unsafeUnwrap();
    return results.map(({ type }) => type);
  };
  const freelancer = marketplace.freelancer('sandbox', payment_token);
  return { clock, ports, marketplace, again, api, freelancer, types };
}

/** A store that runs other code before its first write. */
function interrupted(store: Store, before: () => Promise<unknown>): Store {
  let isFirst = true;
  return {
    ...store,
    async commit(...write) {
      if (isFirst) {
        isFirst = false;
        await before();
      }
      return store.commit(...write);
    },
  };
}

describe('a key of a command', () => {
  it('that another machine has used meanwhile has its answer, and the deal has moved once', async () => {
    const { ports, again, api, types } = await withDeal();
    let first: unknown;
    const store = interrupted(ports.store, async () => {
      first = (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    });
    const late = await again({ store }).partner(acme).invite(partner_id, {}, key);
    expect(late._unsafeUnwrap()).toStrictEqual(first);
    expect(await types()).toEqual(['deal.created', 'deal.invited']);
  });

  it('gives no old answer for a refusal once it has ended', async () => {
    const { clock, api } = await withDeal({ keyDays: 1 });
    (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    (await api.cancel(partner_id))._unsafeUnwrap();
    clock.advance(day - 1);
    expect((await api.invite(partner_id, {}, key))._unsafeUnwrap().status).toBe('created');
    clock.advance(1);
    expect((await api.invite(partner_id, {}, key))._unsafeUnwrapErr().code).toBe(
      'illegal_transition',
    );
  });

  it.each([
    ['after', 30, 1],
    ['before', 1, 30],
  ])('is kept as long as was promised, though one %s it is kept otherwise', async (_, ...days) => {
    const { clock, again, api } = await withDeal();
    (await api.invite(partner_id))._unsafeUnwrap();
    const promised = { idempotencyKey: 'for-30-days' };
    const give = async (keyDays: number, options: { readonly idempotencyKey: string }) =>
      (await again({}, { keyDays }).partner(acme).invite(partner_id, {}, options))._unsafeUnwrap();
    const [first, second] = days;
    await give(first, first === 30 ? promised : { idempotencyKey: 'other' });
    await give(second, second === 30 ? promised : { idempotencyKey: 'other' });
    const answered = await give(30, promised);
    (await api.cancel(partner_id))._unsafeUnwrap();
    const prune = async () => (await again().prune())._unsafeUnwrap().deleted;
    clock.advance(3 * day);
    expect(await prune()).toBeGreaterThan(0);
    clock.advance(27 * day - 1);
    await prune();
    expect(await give(30, promised)).toStrictEqual(answered);
    clock.advance(1);
    const late = await api.invite(partner_id, {}, promised);
    expect(late._unsafeUnwrapErr().code).toBe('illegal_transition');
    // their shared answer goes a day after the last of them
    clock.advance(day - 2);
    await prune();
    expect(await prune()).toBe(0);
    clock.advance(2);
    expect(await prune()).toBe(1);
  });

  it('ends as it was promised by the last of many that were used at once', async () => {
    const { clock, again, api } = await withDeal();
    (await api.invite(partner_id))._unsafeUnwrap();
    const all = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const keyDays = 1 + ((at * 7) % 12);
        const { partner } = again({}, { keyDays });
        const own = { idempotencyKey: `key-${at}` };
        return [
          keyDays,
          own,
          (await partner(acme).invite(partner_id, {}, own))._unsafeUnwrap(),
        ] as const;
      }),
    );
    (await api.cancel(partner_id))._unsafeUnwrap();
    for (let days = 1; days <= 12; days += 1) {
      clock.advance(day - (days === 1 ? 1 : 0));
      (await again().prune())._unsafeUnwrap();
      for (const [keyDays, own, answer] of all) {
        if (keyDays < days) continue;
        expect((await api.invite(partner_id, {}, own))._unsafeUnwrap()).toStrictEqual(answer);
      }
    }
  });

  it('is judged as new if what it shared with others is gone', async () => {
    const { ports, again, api } = await withDeal();
    (await api.invite(partner_id))._unsafeUnwrap();
    (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    (await api.cancel(partner_id))._unsafeUnwrap();
    const store: Store = {
      ...ports.store,
      commit: (tenant, write) => {
        const [expected] = write.expect;
        const asks = write.insert.length === 0 && expected !== undefined && 'absent' in expected;
        return asks && String(expected.key).startsWith('state ')
          ? ok({ outcome: 'committed' })
          : ports.store.commit(tenant, write);
      },
    };
    const answered = await again({ store }).partner(acme).invite(partner_id, {}, key);
    expect(answered._unsafeUnwrapErr().code).toBe('illegal_transition');
  });

  it('of a report that moves nothing is kept as long as the deal, too', async () => {
    const { clock, api, freelancer, marketplace, types } = await withDeal();
    (await freelancer.uploadFile(file))._unsafeUnwrap();
    (await freelancer.deliver())._unsafeUnwrap();
    (await api.approve(partner_id))._unsafeUnwrap();
    const operatorDeals = marketplace.operator('sandbox').partner('acme');
    const paid = { status: 'paid', amount: '500.00', reference: 'in' } as const;
    const { billing } = (
      await operatorDeals.recordEmployerPayment(partner_id, paid)
    )._unsafeUnwrap();
    const payment_id = String(billing.contractor_payments[0]?.id);
    const report = { payment_id, status: 'processing', reference: 'out' } as const;
    (await operatorDeals.recordContractorPayment(partner_id, report))._unsafeUnwrap();
    const before = await types();
    const other = { ...report, reference: 'out-2' };
    const first = (
      await operatorDeals.recordContractorPayment(partner_id, other, key)
    )._unsafeUnwrap();
    expect(await types()).toEqual(before);
    const end = { ...report, status: 'paid' } as const;
    (await operatorDeals.recordContractorPayment(partner_id, end))._unsafeUnwrap();
    clock.advance(100 * day);
    (await marketplace.prune())._unsafeUnwrap();
    const again = await operatorDeals.recordContractorPayment(partner_id, other, key);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
  });

  it('is answered exactly after more events than a store reads at once', async () => {
    const { api, freelancer } = await withDeal();
    const first = (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    for (let at = 0; at < 340; at += 1) {
      (await freelancer.uploadFile(file))._unsafeUnwrap();
      (await freelancer.deliver())._unsafeUnwrap();
      const asked = await api.requestChanges(partner_id, { reason: 'More.' });
      asked._unsafeUnwrap();
    }
    const again = await api.invite(partner_id, {}, key);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
  });

  it.each<[string, boolean, (api: PartnerApi) => ReturnType<PartnerApi['invite']>]>([
    ['one that it answered', false, (api) => api.invite(partner_id, {}, key)],
    ['one that it answered before the deal ended', true, (api) => api.invite(partner_id, {}, key)],
    ['another one', false, (api) => api.approve(partner_id, {}, key)],
    ['one with a new key', false, (api) => api.cancel(partner_id, {}, { idempotencyKey: 'new' })],
  ])('does nothing if a port fails during a command: %s', async (_, isOver, give) => {
    for (let nth = 1; ; nth += 1) {
      const { again, api, freelancer, ports, types } = await withDeal();
      // a repeated answer is kept for all keys of its version
      for (const each of [{}, key]) (await api.invite(partner_id, {}, each))._unsafeUnwrap();
      (await freelancer.uploadFile(file))._unsafeUnwrap();
      if (isOver) (await api.cancel(partner_id))._unsafeUnwrap();
      const before = await types();
      const failing = failingAt(ports, nth);
      const answer = await give(again(failing.ports).partner(acme));
      if (!failing.isReached()) {
        expect(nth).toBeGreaterThan(5);
        expect(answer).toStrictEqual(await give(api));
        return;
      }
      expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
      expect(await types()).toEqual(before);
    }
  });
});
