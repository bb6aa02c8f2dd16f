import { createMarketplace } from 'dealwright';
import { lifecycle } from 'dealwright/life';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { okOf } from './terms-world.js';

type Commit = MarketplacePorts['store']['commit'];

/** A deal whose client is to be asked for its payment, and a store that fails when it is told to. */
async function asked(rows = lifecycle as readonly (typeof lifecycle)[number][]) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const kept = createPorts();
  const calls: string[] = [];
  /** How many writes still go well; `undefined` if the store does not fail. */
  const store: { left?: number } = {};
  const commit: Commit = (tenant, write) => {
    if (store.left !== undefined) store.left -= 1;
    return (store.left ?? 0) < 0
      ? Promise.resolve(unavailable({ outcome: 'none' }))
      : kept.store.commit(tenant, write);
  };
  const ports: MarketplacePorts = {
    ...kept,
    ...{ clock, timer: clock, paymentTokens: createOpaqueTokenIssuer() },
    store: { ...kept.store, commit },
    payments: {
      executes: () => true,
      execute: (_, { kind, id }) => {
        calls.push(kind);
        return ok([{ status: 'paid', reference: id }]);
      },
    },
  };
  const host = createMarketplace(ports, { mode: 'prepaid' });
  const partner = host.partner({ environment: 'sandbox', partner: 'acme' });
  const { payment_token } = await okOf(partner.createDealV2({ ...dealV2Body, partner_id: 'one' }));
  await okOf(host.freelancer('sandbox', payment_token).accept());
  const operator = createMarketplace(ports, { lifecycle: rows }).operator('sandbox');
  return {
    ...{ calls, clock, store },
    run: () => okOf(operator.runEffects()),
    payment: async () => (await okOf(partner.retrieveDealDetails('one'))).billing.paid,
  };
}

describe('a task of the gateway', () => {
  it('is not begun if it cannot be taken over', async () => {
    const { calls, run, store } = await asked();
    store.left = 0;
    expect((await run()).failures).toMatchObject([{ reason: 'store.commit failed' }]);
    expect(calls).toEqual([]);
  });

  it('is asked for again if what came of it could not be written', async () => {
    const { calls, clock, payment, run, store } = await asked();
    store.left = 1;
    expect((await run()).failures).toMatchObject([{ reason: 'store.commit failed' }]);
    expect([calls.length, await payment()]).toEqual([1, '0.00']);
    delete store.left;
    clock.advance(24 * 60 * 60 * 1000);
    await run();
    expect([calls.length, await payment()]).toEqual([2, dealV2Body.amount]);
  });

  it('is in doubt if the table of the host does not know its reports', async () => {
    const { payment, run } = await asked(
      lifecycle.filter(({ command }) => command !== 'record-employer-payment'),
    );
    expect((await run()).failures).toHaveLength(1);
    expect(await payment()).toBe('0.00');
  });
});
