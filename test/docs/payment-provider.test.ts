import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createMarketplace } from 'dealwright';
import { unavailable } from 'dealwright/ports';
import * as fc from 'fast-check';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { createProviderGateway } from '../../examples/payment-provider/gateway.js';
import { fromProvider, toProvider } from '../../examples/payment-provider/minor-units.js';
import { createProviderWebhook } from '../../examples/payment-provider/webhook.js';
import { acme, createWorld, file } from '../faces/world.js';
import { startProvider } from '../kit/payment-provider.js';

const secret = 'whsec_of_a_test';
const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** A marketplace and its provider, each with a server, and a deal whose work is approved. */
async function start() {
  const provider = await startProvider(secret);
  running.push(provider.stop);
  const stripe = new Stripe('sk_test_none', {
    ...provider.at,
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const links: string[] = [];
  const gateway = createProviderGateway({
    stripe,
    environment: 'sandbox',
    thanksUrl: 'https://deals.example.com/thanks',
    tellEmployer: async (_partner_id, url) => void links.push(url),
    accountOf: async () => 'acct_freelancer',
  });
  const world = createWorld({}, gateway);
  const { operator } = world;
  const webhook = createProviderWebhook({ stripe, secret, environment: 'sandbox', operator });
  const server = createServer(getRequestListener(webhook));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  running.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { partner_id, freelancer } = await world.offer();
  await freelancer.uploadFile(file);
  await freelancer.deliver();
  (await world.api.approve(partner_id))._unsafeUnwrap();
  let told = 0;
  return {
    ...world,
    gateway,
    links,
    partner_id,
    provider,
    url,
    run: async () => (await operator.runEffects())._unsafeUnwrap(),
    send: (event: string, signedWith = secret) => provider.send(url, event, signedWith),
    /** Sends the new events, in order. */
    async tell() {
      for (const event of provider.events.slice(told)) {
        expect(await provider.send(url, event)).toBe(200);
      }
      told = provider.events.length;
    },
    /** Executes the due payments, and the employer pays. */
    async paid() {
      await operator.runEffects();
      return provider.pay(links.at(-1) ?? '');
    },
    async billing() {
      return (await world.details()).billing;
    },
  };
}

const [asIn, asOut, asBack] = (['in', 'out', 'back'] as const).map(
  (way) => [way, 50000, 'pln'] as const,
);

describe('a payment provider', () => {
  it('leads a deal to its payout', async () => {
    const { billing, details, paid, partner_id, provider, run, tell } = await start();
    await paid();
    await tell();
    expect(await billing()).toMatchObject({ paid: '500.00', held: '500.00' });
    expect(await run()).toEqual({ done: 1, failed: 0, failures: [] });
    await tell();
    expect(provider.movements).toEqual([asIn, asOut]);
    expect(await details()).toMatchObject({ partner_id, status: 'completed' });
    expect(await billing()).toMatchObject({
      ...{ paid: '500.00', released: '500.00', held: '0.00' },
      employer_payments: [{ status: 'paid', reference: expect.stringMatching(/^pi_/) }],
      contractor_payments: [{ status: 'paid', reference: expect.stringMatching(/^tr_/) }],
    });
    expect(await run()).toEqual({ done: 0, failed: 0, failures: [] });
  });

  it.each(['error', 'cut after the effect'] as const)(
    'pays once if the provider meets: %s',
    async (fault) => {
      const { clock, details, paid, provider, run, tell } = await start();
      await paid();
      await tell();
      provider.faults.push(fault, fault);
      expect(await run()).toMatchObject({ done: 0, failed: 1 });
      for (let tries = 0; tries < 4; tries += 1) {
        clock.advance(120_000);
        await run();
      }
      await tell();
      expect(provider.movements).toEqual([asIn, asOut]);
      expect((await details()).status).toBe('completed');
    },
  );

  it('pays once if the process ends after the call, and the keys are forgotten', async () => {
    const { clock, details, gateway, paid, ports, provider, run, tell } = await start();
    await paid();
    await tell();
    let isEnded = false;
    const ending = createMarketplace({
      ...ports,
      payments: {
        ...gateway,
        async execute(tenant, effect) {
          const executed = await gateway.execute(tenant, effect);
          isEnded = true;
          return executed;
        },
      },
      store: {
        ...ports.store,
        commit: (...write) =>
          isEnded ? unavailable({ outcome: 'none' }) : ports.store.commit(...write),
      },
    });
    const ran = (await ending.operator('sandbox').runEffects())._unsafeUnwrap();
    expect(ran).toMatchObject({ done: 0, failed: 1 });
    expect(provider.movements).toEqual([asIn, asOut]);
    provider.forgetKeys();
    clock.advance(25 * 60 * 60 * 1000);
    expect(await run()).toEqual({ done: 1, failed: 0, failures: [] });
    await tell();
    expect(provider.movements).toEqual([asIn, asOut]);
    expect((await details()).status).toBe('completed');
  });

  it('refunds once what the operator cancels', async () => {
    const { billing, clock, paid, partner_id, provider, run, operatorDeals, tell } = await start();
    await paid();
    await tell();
    (await operatorDeals.cancel(partner_id, { reason: 'The employer is gone.' }))._unsafeUnwrap();
    provider.faults.push('cut after the effect', 'cut after the effect');
    expect(await run()).toMatchObject({ done: 0, failed: 1 });
    provider.forgetKeys();
    clock.advance(10_000);
    expect(await run()).toEqual({ done: 1, failed: 0, failures: [] });
    expect(await billing()).toMatchObject({ held: '500.00', refunded: '0.00' });
    await tell();
    expect(provider.movements).toEqual([asIn, asBack]);
    expect(await billing()).toMatchObject({
      ...{ held: '0.00', refunded: '500.00' },
      employer_payments: [{ status: 'refunded' }],
    });
  });

  it.each([
    ['pay_out', 'out'],
    ['refund', 'back'],
  ] as const)('has an effect once that is asked for twice at once: %s', async (kind, way) => {
    const { asked, gateway, paid, provider } = await start();
    await paid();
    const [request] = asked;
    if (request === undefined) throw new Error('nothing was asked');
    const effect = { ...request, id: 'another effect', kind };
    const all = await Promise.all([1, 2, 3, 4].map(() => gateway.execute(acme, effect)));
    expect(all.every((each) => each.isOk())).toBe(true);
    expect(provider.movements.map(([each]) => each)).toEqual(['in', way]);
  });

  it('is asked for money by one page for each effect', async () => {
    const { asked, gateway, links, run } = await start();
    await run();
    const [effect] = asked;
    if (effect === undefined) throw new Error('nothing was asked');
    expect((await gateway.execute(acme, effect)).isOk()).toBe(true);
    expect(new Set(links).size).toBe(1);
    const other = await gateway.execute(acme, { ...effect, amount: '501.00' });
    expect(other._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
    expect(new Set(links).size).toBe(1);
  });
});

describe('the webhooks of a payment provider', () => {
  it('may come late, twice, at once and in any order', async () => {
    const outcomes = await Promise.all(
      [0, 1, 2, 3].map(async (turn) => {
        const world = await start();
        const { billing, paid, provider, send } = world;
        const intent = await paid();
        provider.refundByHand(intent, 10000);
        provider.dispute(intent, 5000);
        const { events } = provider;
        const twice = [...events, ...events].map((event, at) => ({ event, at: (at * turn) % 5 }));
        if (turn === 3) await Promise.all(twice.map(({ event }) => send(event)));
        // an event that a busy store could not record comes again
        for (const { event } of twice.sort((a, b) => a.at - b.at)) {
          expect(await send(event)).toBe(200);
        }
        const { paid: came, held, refunded, charged_back, loss } = await billing();
        return { came, held, refunded, charged_back, loss };
      }),
    );
    const expected = { came: '500.00', refunded: '100.00', charged_back: '50.00', loss: '0.00' };
    for (const outcome of outcomes) expect(outcome).toEqual({ ...expected, held: '350.00' });
  });

  it('are refused if the signature is forged, old or missing', async () => {
    const { billing, paid, provider, send, url } = await start();
    await paid();
    const [event = ''] = provider.events;
    expect(await send(event, 'whsec_of_somebody_else')).toBe(400);
    const old = Stripe.webhooks.generateTestHeaderString({ payload: event, secret, timestamp: 1 });
    for (const headers of [{}, { 'stripe-signature': old }]) {
      expect((await fetch(url, { method: 'POST', headers, body: event })).status).toBe(400);
    }
    expect(await billing()).toMatchObject({ paid: '0.00' });
    expect(await send(event)).toBe(200);
    expect(await billing()).toMatchObject({ paid: '500.00' });
  });

  it('end a request whose page is closed, and another is asked for', async () => {
    const { api, billing, links, paid, partner_id, provider, run, tell } = await start();
    await run();
    provider.expire(links[0] ?? '');
    await tell();
    expect(await billing()).toMatchObject({ employer_payments: [{ status: 'expired' }] });
    (await api.requestPayment(partner_id))._unsafeUnwrap();
    await paid();
    await tell();
    expect(new Set(links).size).toBe(2);
    expect(await billing()).toMatchObject({ paid: '500.00' });
  });

  it('count what came, and in no other currency than that of the deal', async () => {
    const { billing, paid, provider, send } = await start();
    await paid();
    const [event = ''] = provider.events;
    const received = (amount: number, currency: string) =>
      send(
        event
          .replace(/"amount_received":\d+/, `"amount_received":${amount}`)
          .replace(/"currency":"\w+"/, `"currency":"${currency}"`),
      );
    expect(await received(50000, 'eur')).toBe(503);
    // 50.001: no deal has such an amount, and none is put in its place
    expect(await received(50001, 'kwd')).toBe(503);
    expect(await billing()).toMatchObject({ paid: '0.00' });
    expect(await received(20000, 'pln')).toBe(200);
    expect(await billing()).toMatchObject({ paid: '200.00', outstanding: '300.00' });
  });

  it('are left alone if they are about something else, and refused for a deal that is not', async () => {
    const { paid, provider, send } = await start();
    await paid();
    const [event = ''] = provider.events;
    expect(await send(event.replace('payment_intent.succeeded', 'customer.created'))).toBe(200);
    expect(await send(event.replace('"environment":"sandbox"', '"environment":"x"'))).toBe(200);
    expect(await send(event.replace('"partner":"acme"', '"partner":"other"'))).toBe(503);
  });
});

describe('minor units', () => {
  it.each([
    ['12.34', 'PLN', 1234],
    ['12.00', 'JPY', 12],
    ['12.34', 'JPY', undefined],
    ['12.34', 'kwd', 12340],
    ['123456789012345678.00', 'PLN', undefined],
  ])('%s %s is %s', (amount, currency, expected) => {
    expect(toProvider(amount, currency)).toBe(expected);
  });

  it('come back as they went', () => {
    const currency = fc.constantFrom('PLN', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.nat(), currency, (units, code) => {
        const amount = fromProvider(units, code);
        expect(amount === undefined ? units : toProvider(amount, code)).toBe(units);
      }),
    );
    expect(fromProvider(12345, 'KWD')).toBe(undefined);
  });
});

describe('the how-to on a payment provider', () => {
  it('shows the gateway, and names the other programs of the example', () => {
    const howTo = readFileSync('docs/how-to/plug-in-a-payment-provider.md', 'utf8');
    const folder = 'examples/payment-provider';
    expect(readdirSync(folder)).toEqual(['gateway.ts', 'minor-units.ts', 'webhook.ts']);
    expect(howTo).toContain(readFileSync(`${folder}/gateway.ts`, 'utf8'));
    for (const named of [folder, 'minor-units.ts', 'webhook.ts']) {
      expect(howTo).toContain(`\`${named}\``);
    }
  });
});
