import type { WaitingEffect } from 'dealwright';
import { createSandboxGateway } from 'dealwright/payments';
import type { PaymentGateway } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createWorldOf, file, inProcess, overHttp } from '../faces/world.js';
import { okOf } from './terms-world.js';

// the employer of the sandbox never answers a request of such an amount
const amount = '100.04';
const start = '2026-01-01T00:00:00.000Z';

const ulid = expect.stringMatching(/^[0-9A-Z]{26}$/) as string;
/** An effect that the gateway was never asked for. */
const fresh = {
  ...{ id: ulid, amount, remaining: amount, attempts: 0 },
  ...{ outcome: null, waits_for: null },
};

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
])('the effects of a deal, %s', (_, faces) => {
  async function world(gateway?: PaymentGateway) {
    const made = createWorldOf(faces)({}, gateway);
    const { partner_id, freelancer } = await made.offer(amount);
    const { operatorDeals } = made;
    return {
      ...{ ...made, partner_id, freelancer },
      effects: async () => (await okOf(operatorDeals.retrieveDeal(partner_id))).effects,
      async approve() {
        await okOf(freelancer.uploadFile(file));
        await okOf(freelancer.deliver());
        await okOf(made.api.approve(partner_id));
        const { employer_payments } = (await made.details(partner_id)).billing;
        return String(employer_payments[0]?.id);
      },
      report: (status: 'paid' | 'refunded' | 'refund_failed', payment_id?: string) =>
        okOf(
          operatorDeals.recordEmployerPayment(partner_id, {
            ...{ status, reference: status === 'paid' ? 'in' : 'back' },
            ...(payment_id === undefined ? { amount } : { payment_id }),
          }),
        ),
    };
  }

  it('are what the gateway has still to do', async () => {
    const { approve, effects, operator, details, partner_id, report } = await world();
    expect(await effects()).toEqual([]);
    const payment_id = await approve();
    const waits = { status: 'pending', next_attempt_at: start } as const;
    expect(await effects()).toEqual([{ ...fresh, ...waits, kind: 'request_payment', payment_id }]);
    await okOf(operator.runEffects());
    expect(await effects()).toEqual([]);
    const { billing } = await report('paid', payment_id);
    const payout = billing.contractor_payments[0]?.id;
    expect(await effects()).toEqual([
      { ...fresh, ...waits, kind: 'pay_out', payment_id: payout, status: 'pending' },
    ]);
    await okOf(operator.runEffects());
    expect(await effects()).toEqual([]);
    expect((await details(partner_id)).status).toBe('completed');
  });

  it('tell how often the gateway was asked, and when it is next', async () => {
    const failing: PaymentGateway = {
      ...createSandboxGateway(),
      execute: () => {
        throw new Error('no connection');
      },
    };
    const { approve, effects, operator, clock } = await world(failing);
    await approve();
    const seen: [number, string | null][] = [];
    for (let at = 0; at < 2; at += 1) {
      await okOf(operator.runEffects());
      const [each] = await effects();
      seen.push([each?.attempts ?? 0, each?.next_attempt_at ?? null]);
      clock.advance(10_000);
    }
    expect(seen).toEqual([
      [1, '2026-01-01T00:00:10.000Z'],
      [2, '2026-01-01T00:00:30.000Z'],
    ]);
  });

  it('have a refund that failed, with its amount, until it is asked for anew', async () => {
    const { effects, report, operatorDeals, partner_id, freelancer, details } = await world();
    await okOf(freelancer.accept());
    await report('paid');
    await okOf(operatorDeals.cancel(partner_id, { reason: 'The client is gone.' }));
    const { employer_payments } = (await details(partner_id)).billing;
    const payment_id = String(employer_payments.find(({ status }) => status === 'paid')?.id);
    const refund: WaitingEffect = {
      ...{ ...fresh, kind: 'refund', payment_id },
      ...{ status: 'pending', next_attempt_at: start },
    };
    expect(await effects()).toEqual([refund]);
    await report('refunded', payment_id);
    expect(await effects()).toEqual([]);
    await report('refund_failed', payment_id);
    expect(await effects()).toEqual([{ ...refund, status: 'failed', next_attempt_at: null }]);
    await okOf(operatorDeals.retryRefund(partner_id));
    expect(await effects()).toEqual([refund]);
  });

  it('are in no other view, and in no answer to a command', async () => {
    const { api, approve, details, effects, freelancer, operatorDeals, partner_id } = await world();
    await approve();
    expect(await effects()).toHaveLength(1);
    const cancelled = await okOf(operatorDeals.cancel(partner_id, { reason: 'No.' }));
    const views = [await details(partner_id), await okOf(freelancer.view()), cancelled];
    for (const view of views) expect(view).not.toHaveProperty('effects');
    const { results } = await okOf(api.listDeals());
    expect(results[0]).not.toHaveProperty('effects');
  });
});

it('the answer that a freelancer of the sandbox gives by itself is not one of money', async () => {
  const { api, operator, operatorDeals, details } = createWorldOf(inProcess)();
  const email_freelancer = 'jan+accept@example.com';
  await okOf(api.createDealV2({ ...dealV2Body, email_freelancer }));
  const { partner_id } = dealV2Body;
  expect((await okOf(operatorDeals.retrieveDeal(partner_id))).effects).toEqual([]);
  // it did wait
  expect((await okOf(operator.runEffects())).done).toBe(1);
  expect((await details(partner_id)).status).toBe('accepted');
});
