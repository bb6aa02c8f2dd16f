import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import type { GatewayReport, PaymentEffect } from 'dealwright/ports';
import { unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, test } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { dealV2, tenant } from '../kit/requests.js';
import { dealOf } from '../kit/stored.js';
import { dayOne } from './states.js';

const { partner_id } = dealV2;
const options: MarketplaceOptions = { mode: 'prepaid' };

/** A deal that ended before its money came, in these instalments, and an obedient bank. */
async function ended(...instalments: readonly string[]) {
  const ports = createPorts();
  let now = dayOne;
  /** Its requests by id. */
  const asked: string[] = [];
  const moved = new Map<string, string>();
  let answer: (effect: PaymentEffect) => readonly GatewayReport[] | undefined = () => [];
  const payments = {
    executes: () => true,
    execute(_: unknown, effect: PaymentEffect) {
      if (effect.kind !== 'refund') return ok([]);
      asked.push(effect.amount);
      const reports = answer(effect);
      if (reports === undefined) return unavailable({ outcome: 'none' });
      moved.set(effect.id, effect.amount);
      return ok(reports);
    },
  };
  const time = { now: () => now, sleep: () => () => undefined };
  const market = createMarketplace({ ...ports, payments, clock: time, timer: time }, options);
  const give = async (actor: 'operator' | 'freelancer' | 'payments', name: string, input = {}) =>
    (await market.sandbox(tenant).command(partner_id, actor, name, input))._unsafeUnwrap();
  const payment = async () => (await dealOf(ports.store, tenant, partner_id))?.employer_payment[0];
  (await market.partner(tenant).createDealV2(dealV2))._unsafeUnwrap();
  await give('freelancer', 'accept');
  await give('operator', 'cancel', { reason: 'because' });
  const payment_id = (await payment())?.id;
  for (const [at, amount] of instalments.entries()) {
    const report = { payment_id, status: 'paid', amount, reference: `in-${at}` };
    await give('payments', 'record-employer-payment', report);
  }
  // a second one may be the first under another name
  if (instalments.length > 1) await give('operator', 'refund-surplus');
  return {
    asked,
    moved,
    give,
    payment_id,
    answers(next: typeof answer) {
      answer = next;
    },
    async run() {
      now += 3_600_000;
      (await market.operator('sandbox').runEffects())._unsafeUnwrap();
      const state = await dealOf(ports.store, tenant, partner_id);
      const shown = (
        await market.operator('sandbox').partner('acme').retrieveDeal(partner_id)
      )._unsafeUnwrap();
      return {
        held: shown.billing.held,
        refunded: shown.billing.refunded,
        attention: shown.attention,
        intents: state?.intent
          .filter(({ kind }) => kind === 'refund')
          .map(({ amount, status }) => `${amount} ${status}`),
      };
    },
  };
}

describe('a refund belongs to what was asked for', () => {
  test('and is told without an amount: the other instalment is asked for too', async () => {
    const deal = await ended('100.00', '50.00');
    deal.answers(({ amount, id }) =>
      amount === '100.00' ? [{ status: 'refunded', reference: `re-${id}` }] : undefined,
    );
    expect(await deal.run()).toMatchObject({ held: '50.00', refunded: '100.00' });
    expect([...deal.moved.values()]).toEqual(['100.00']);
    deal.answers(({ id }) => [{ status: 'refunded', reference: `re-${id}` }]);
    expect(await deal.run()).toEqual({
      ...{ held: '0.00', refunded: '150.00', attention: [] },
      intents: ['100.00 done', '50.00 done'],
    });
    expect([...deal.moved.values()]).toEqual(['100.00', '50.00']);
  });

  test('and not to one that failed once: that is asked for again', async () => {
    const deal = await ended('10.00', '50.00');
    deal.answers(({ amount, id }) =>
      amount === '10.00' ? undefined : [{ status: 'refunded', reference: `re-${id}` }],
    );
    expect(await deal.run()).toMatchObject({ held: '10.00', refunded: '50.00' });
    deal.answers(({ id }) => [{ status: 'refunded', reference: `re-${id}` }]);
    expect(await deal.run()).toEqual({
      ...{ held: '0.00', refunded: '60.00', attention: [] },
      intents: ['10.00 done', '50.00 done'],
    });
    expect([...deal.moved.values()].sort()).toEqual(['10.00', '50.00']);
  });

  test('whose id a later report has for its reference', async () => {
    const deal = await ended('10.00', '50.00');
    await deal.run();
    const [, second] = deal.moved.keys();
    const { payment_id } = deal;
    const report = { payment_id, status: 'refunded', reference: second };
    await deal.give('payments', 'record-employer-payment', report);
    expect(await deal.run()).toMatchObject({
      ...{ held: '10.00', refunded: '50.00' },
      intents: ['10.00 pending', '50.00 done'],
    });
  });

  test('whose name says all of it, also once another report has ended it', async () => {
    const deal = await ended('30.00');
    const { payment_id } = deal;
    const report = (status: string, reference: string | undefined, amount?: string) =>
      deal.give('payments', 'record-employer-payment', { payment_id, status, reference, amount });
    await report('refunded', 'of the bank', '10.00');
    await deal.run();
    const [asked] = deal.moved.keys();
    await report('refunded', 'of the bank, too', '20.00');
    await report('refund_failed', 'of the bank, too', '20.00');
    await report('refunded', asked);
    expect(await deal.run()).toMatchObject({ refunded: '30.00' });
    // the same report in other words
    await report('partially_refunded', asked);
    expect(await deal.run()).toMatchObject({ refunded: '30.00' });
  });

  test('and one that fails later is asked for anew by an operator', async () => {
    const deal = await ended('10.00');
    deal.answers(({ id }) => [{ status: 'refunded', reference: id }]);
    expect(await deal.run()).toMatchObject({ held: '0.00', refunded: '10.00', attention: [] });
    const [reference] = deal.moved.keys();
    const report = { payment_id: deal.payment_id, status: 'refund_failed', reference };
    await deal.give('payments', 'record-employer-payment', report);
    expect(await deal.run()).toMatchObject({
      ...{ held: '10.00', refunded: '0.00', attention: ['refund_failed'] },
    });
    expect(deal.asked).toEqual(['10.00']);
    await deal.give('operator', 'retry-refund');
    expect(await deal.run()).toMatchObject({ held: '0.00', refunded: '10.00', attention: [] });
    expect(deal.asked).toEqual(['10.00', '10.00']);
  });
});
