import { createMarketplace, type DealV2Input } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { PaymentTokenIssuer } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import {
  createOpaqueTokenIssuer,
  createRemoteTokenIssuer,
  createSignedTokenIssuer,
  createTokenVerifier,
  tenantOfPaymentToken,
} from 'dealwright/tokens';
import { afterEach, describe, expect, it } from 'vitest';
import { dealOf, eventsOf } from '../../kit/stored.js';
import {
  json,
  type Reply,
  remoteToken,
  startTokenService,
  succeed,
  type TokenService,
} from './token-service.js';
import { acme, tokenForm } from './token-values.js';

const system = createSystemPorts();
const key = new Uint8Array(32).fill(7);
const started: TokenService[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.close()));
});

const input: DealV2Input = {
  partner_id: 'order-2',
  email_freelancer: 'freelancer@example.com',
  title: 'Landing page',
  description: 'Texts for a landing page',
  subcategory_id: 75,
  amount: '500',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
};

function open(paymentTokens: PaymentTokenIssuer) {
  const store = createMemoryStore();
  const marketplace = createMarketplace({
    ...system,
    store,
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens,
  });
  return { store, api: marketplace.partner(acme) };
}

async function remote(...replies: readonly Reply[]): Promise<PaymentTokenIssuer> {
  const service = await startTokenService(...replies);
  started.push(service);
  const { url } = service;
  const options = { url, verifyUrl: url, secret: 'service-secret', timer: system.timer };
  return createRemoteTokenIssuer({ ...options, maxPause: 1 });
}

const issuers: readonly (readonly [string, () => Promise<PaymentTokenIssuer>])[] = [
  ['opaque', async () => createOpaqueTokenIssuer()],
  ['signed', async () => createSignedTokenIssuer({ key, timer: system.timer })],
  ['remote', () => remote(json(503, {}), succeed)],
];

describe('a 2.0 deal', () => {
  it.each(issuers)('gets its token from the %s issuer, and holds it', async (_, create) => {
    const { store, api } = open(await create());
    const created = (await api.createDealV2(input))._unsafeUnwrap();
    expect(created.payment_token).toMatch(tokenForm);
    expect(created).toMatchObject({ status: 'created', freelancer_status: 'new' });
    const stored = await dealOf(store, acme, 'order-2');
    expect(stored?.deal.payment_token).toBe(created.payment_token);
    const again = await api.createDealV2(input);
    expect(again._unsafeUnwrapErr().code).toBe('deal_exists');
  });

  it('can be found by its own token', async () => {
    const { api } = open(createOpaqueTokenIssuer());
    const { payment_token } = (await api.createDealV2(input))._unsafeUnwrap();
    expect(tenantOfPaymentToken(payment_token)).toEqual(acme);
  });

  it('has its amount in canonical form in a signed token', async () => {
    const { api } = open(createSignedTokenIssuer({ key, timer: system.timer }));
    const { payment_token } = (await api.createDealV2(input))._unsafeUnwrap();
    const verifier = createTokenVerifier({ key, timer: system.timer });
    expect((await verifier.verify(payment_token))._unsafeUnwrap()).toMatchObject({
      tenant: acme,
      partner_id: 'order-2',
      amount: '500.00',
      currency: 'PLN',
    });
  });

  it.each<[string, () => Promise<PaymentTokenIssuer>, boolean]>([
    ['is down', () => remote(json(500, {})), true],
    ['refuses the secret', () => remote(json(401, {})), false],
    ['answers nonsense', () => remote(json(201, { payment_token: 'short' })), false],
    [
      'has a key that does not work',
      async () =>
        createSignedTokenIssuer({
          key: { type: 'secret', symmetricKeySize: 32 },
          algorithm: 'HS256',
          timer: system.timer,
        }),
      false,
    ],
  ])('is not stored if the issuer %s', async (_, create, retryable) => {
    const { store, api } = open(await create());
    const error = (await api.createDealV2(input, { idempotencyKey: 'k' }))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'unavailable',
      port: 'paymentTokens.issue',
      outcome: 'none',
      retryable,
    });
    expect(JSON.stringify(error)).not.toMatch(/service-secret|127\.0\.0\.1/);
    expect(JSON.stringify(error)).not.toContain(remoteToken);
    expect(await dealOf(store, acme, 'order-2')).toBeUndefined();
    expect(await eventsOf(store, acme)).toEqual([]);
  });
});
