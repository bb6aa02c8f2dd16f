import { createMarketplace } from 'dealwright';
import { createOperatorAuthenticator, createTokenAuthenticator } from 'dealwright/auth';
import { createHandler, type Handler } from 'dealwright/http';
import type { Lifecycle } from 'dealwright/life';
import type { Store } from 'dealwright/ports';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { beforeEach, expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { eventsOf } from '../../kit/stored.js';
import { hostLifecycle } from '../../life/host.js';
import { acme, asAcme, ask, dealV2, token } from './service.js';

/** Rows of a host's own for each side: our code need not change to serve them. */
const own: Lifecycle = [
  ...hostLifecycle,
  {
    command: 'remind',
    by: ['partner'],
    from: ['created'],
    repeats: () => false,
    event: 'deal.reminded',
  },
  {
    command: 'ask-back',
    by: ['freelancer'],
    from: ['created'],
    requires: ['reason'],
    event: 'deal.asked_back',
  },
];
const type = { 'content-type': 'application/json' };
const asOperator = { ...type, authorization: 'Operator operator' };

let service: Handler;
let store: Store;
let asOffer: Record<string, string>;
beforeEach(async () => {
  const ports = { ...createPorts(), paymentTokens: createOpaqueTokenIssuer() };
  store = ports.store;
  service = createHandler(createMarketplace(ports, { lifecycle: own }), {
    ...ports,
    authenticator: createTokenAuthenticator([[token, acme]], ports),
    operatorAuthenticator: createOperatorAuthenticator([['operator', 'sandbox']], ports),
  });
  const { json } = await ask(service, '/api/2.0/deal/', { body: dealV2 });
  asOffer = { ...type, authorization: `Offer ${json.data.payment_token}` };
});

const give = async (path: string, headers: Record<string, string>, body: object = {}) => {
  const { status, json } = await ask(service, path, { headers, body });
  return [status, json.data?.status ?? json.code];
};
const id = dealV2.partner_id;

test('a command of a host has a path on the side of who gives it', async () => {
  expect(await give(`/api/2.0/deal/${id}/remind/`, asAcme)).toEqual([200, 'created']);
  expect(await give(`/api/2.0/deal/by-id/remind/?partner_id=${id}`, asAcme)).toEqual([
    200,
    'created',
  ]);
  expect(await give('/api/2.0/offer/ask-back/', asOffer)).toEqual([400, 'validation_failed']);
  expect(await give('/api/2.0/offer/ask-back/', asOffer, { reason: 'r' })).toEqual([
    200,
    'created',
  ]);
  expect(await give('/api/2.0/offer/accept/', asOffer)).toEqual([200, 'accepted']);
  expect(await give(`/operator/acme/deal/${id}/hold/`, asOperator)).toEqual([200, 'on_hold']);
  expect(await give(`/api/2.0/deal/${id}/remind/`, asAcme)).toEqual([409, 'illegal_transition']);
  expect(await give(`/operator/acme/deal/${id}/resume/`, asOperator)).toEqual([200, 'accepted']);
});

test('a command that does no more than tell is told each time, once for each key', async () => {
  const path = `/api/2.0/deal/${id}/remind/`;
  await give(path, asAcme);
  for (let repeat = 0; repeat < 2; repeat += 1) {
    expect(await give(path, { ...asAcme, 'idempotency-key': 'k' })).toEqual([200, 'created']);
  }
  const types = (await eventsOf(store, acme)).map(({ type: told }) => told);
  expect(types).toEqual(['deal.created', 'deal.reminded', 'deal.reminded']);
});

test('no other host has it', async () => {
  expect(await give('/api/2.0/offer/remind/', asOffer)).toEqual([404, 'not_found']);
  expect(await give('/api/2.0/offer/hold/', asOffer)).toEqual([404, 'not_found']);
  expect(await give(`/api/2.0/deal/${id}/hold/`, asAcme)).toEqual([404, 'not_found']);
  expect(await give(`/operator/acme/deal/${id}/remind/`, asOperator)).toEqual([404, 'not_found']);
});

test('the partner gives that of a freelancer for a deal of version 1.0 alone', async () => {
  expect(await give(`/api/2.0/deal/${id}/ask-back/`, asAcme, { reason: 'r' })).toEqual([
    409,
    'illegal_transition',
  ]);
});
