import { createMarketplace } from 'dealwright';
import { createSandboxGateway } from 'dealwright/payments';
import type { PaymentEffect, PaymentGateway } from 'dealwright/ports';
import { unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createWorld, day, file, stateOf } from './world.js';

describe('runTimers', () => {
  it('expires a 2.0 deal that is not accepted within 30 days, and not a moment before', async () => {
    const { clock, details, offer, operator } = createWorld({ expiryNoticeDays: 0 });
    await offer();
    clock.advance(30 * day - 1);
    expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
      done: 0,
      failed: 0,
      failures: [],
    });
    expect(stateOf(await details())).toBe('created new pending');
    clock.advance(1);
    expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
      done: 1,
      failed: 0,
      failures: [],
    });
    expect(stateOf(await details())).toBe('expired expired cancelled');
    expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
      done: 0,
      failed: 0,
      failures: [],
    });
  });

  it('leaves a 1.0 deal alone, unless the host says otherwise', async () => {
    for (const expireV1Deals of [false, true]) {
      const { clock, deal, details, operator } = createWorld({ expireV1Deals });
      await deal();
      clock.advance(365 * day);
      await operator.runTimers();
      const { status } = await details('unique-ID-of-deal');
      expect(status).toBe(expireV1Deals ? 'expired' : 'created');
    }
  });

  it('approves work that was not answered for 7 days', async () => {
    const { clock, details, events, offer, operator } = createWorld();
    const { freelancer } = await offer();
    await freelancer.uploadFile(file);
    await freelancer.deliver();
    clock.advance(7 * day - 1);
    await operator.runTimers();
    expect((await details()).status).toBe('delivered');
    clock.advance(1);
    await operator.runTimers();
    expect(stateOf(await details())).toBe('approved accepted approved');
    expect((await events()).at(-2)).toMatchObject({ type: 'deal.approved', actor: 'clock' });
  });

  it('does each thing once, however many run at once', async () => {
    const { clock, marketplace, offer, ports, types } = createWorld();
    for (let index = 0; index < 20; index += 1) await offer('5.00', `deal-${index}`);
    clock.advance(31 * day);
    // that many machines over one store
    const machines = Array.from({ length: 8 }, () => createMarketplace(ports).operator('sandbox'));
    const reports = await Promise.all(machines.map((each) => each.runTimers()));
    for (const report of reports) expect(report._unsafeUnwrap().failed).toBe(0);
    expect((await types()).filter((type) => type === 'deal.expired')).toHaveLength(20);
    expect(marketplace.lifecycle.length).toBeGreaterThan(0);
  });

  it('stops for nothing else if the store fails, and goes on later', async () => {
    const { clock, offer, operator, ports } = createWorld({ expiryNoticeDays: 0 });
    await offer();
    clock.advance(31 * day);
    const broken = createMarketplace({
      ...ports,
      store: { ...ports.store, commit: () => unavailable({ outcome: 'none' }) },
    }).operator('sandbox');
    expect((await broken.runTimers())._unsafeUnwrap()).toMatchObject({
      done: 0,
      failed: 1,
      failures: [{ partner: 'acme', reason: 'store.commit failed' }],
    });
    expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
      done: 1,
      failed: 0,
      failures: [],
    });
  });
});

/** A deal whose payment is due. */
async function withRequest(gateway?: PaymentGateway) {
  const world = createWorld({}, gateway);
  const { partner_id, freelancer } = await world.offer();
  await freelancer.uploadFile(file);
  await freelancer.deliver();
  await world.api.approve(partner_id);
  return { ...world, partner_id };
}

describe('runEffects', () => {
  it('shows the gateway one effect each, however many relays run at once', async () => {
    const { asked, details, ports } = await withRequest();
    const relays = Array.from({ length: 40 }, () => createMarketplace(ports).operator('sandbox'));
    await Promise.all(relays.map((each) => each.runEffects()));
    await relays[0]?.runEffects();
    expect(asked.map(({ kind }) => kind)).toEqual(['request_payment', 'pay_out']);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
    expect(stateOf(await details())).toBe('completed finished paid');
  });

  it('asks again with the same key if a gateway fails, later each time', async () => {
    let isBroken = true;
    const gateway: PaymentGateway = {
      executes: () => true,
      execute: (tenant, effect) =>
        isBroken
          ? unavailable({ outcome: 'unknown' })
          : createSandboxGateway().execute(tenant, effect),
    };
    const { asked, clock, details, operator } = await withRequest(gateway);
    const waits = [10_000, 20_000, 40_000];
    for (const wait of waits) {
      expect((await operator.runEffects())._unsafeUnwrap()).toMatchObject({ done: 0, failed: 1 });
      clock.advance(wait - 1);
      expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
        done: 0,
        failed: 0,
        failures: [],
      });
      clock.advance(1);
    }
    isBroken = false;
    expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
      done: 2,
      failed: 0,
      failures: [],
    });
    expect(new Set(asked.slice(0, 4).map(({ id }) => id)).size).toBe(1);
    expect((await details()).status).toBe('completed');
  });

  it('takes over from one that ended between the call and its report', async () => {
    const effects = new Map<string, PaymentEffect>();
    const gateway: PaymentGateway = {
      executes: () => true,
      execute(tenant, effect) {
        effects.set(effect.id, effect);
        return createSandboxGateway().execute(tenant, effect);
      },
    };
    const { asked, clock, details, operator, ports } = await withRequest(gateway);
    let commits = 0;
    const ending = createMarketplace({
      ...ports,
      payments: gateway,
      store: {
        ...ports.store,
        // the claim is the last write
        commit(...write) {
          commits += 1;
          return commits > 1 ? unavailable({ outcome: 'none' }) : ports.store.commit(...write);
        },
      },
    }).operator('sandbox');
    expect((await ending.runEffects())._unsafeUnwrap()).toMatchObject({ done: 0, failed: 1 });
    expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
      done: 0,
      failed: 0,
      failures: [],
    });
    clock.advance(120_000);
    expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
      done: 2,
      failed: 0,
      failures: [],
    });
    expect(effects.size).toBe(2);
    expect(asked.filter(({ kind }) => kind === 'request_payment')).toHaveLength(1);
    expect((await details()).billing).toMatchObject({ paid: '500.00', released: '500.00' });
  });

  it('stops a payout that the deal does not owe any more', async () => {
    const gateway: PaymentGateway = {
      executes: () => true,
      execute: (_tenant, { kind, id }) =>
        ok(kind === 'request_payment' ? [{ status: 'paid', reference: id }] : []),
    };
    const { api, asked, details, operator, partner_id, operatorDeals } = await withRequest(gateway);
    // the payout is taken over in the same run: from now on it may be on its way
    await operator.runEffects();
    expect(asked.map(({ kind }) => kind)).toEqual(['request_payment', 'pay_out']);
    expect((await details()).billing.contractor_payments).toMatchObject([{ status: 'processing' }]);
    (await api.dispute(partner_id, { reason: 'Wrong work.' }))._unsafeUnwrap();
    for (const refused of [
      await operatorDeals.cancel(partner_id, { reason: 'x' }),
      await operatorDeals.resolve(partner_id, { agreed_amount: '0' }),
    ]) {
      expect(refused._unsafeUnwrapErr()).toMatchObject({ reason: 'payout_processing' });
    }
  });
});
