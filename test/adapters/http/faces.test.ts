import { createMarketplace, type Marketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createHandler, type Handler } from 'dealwright/http';
import type { OperatorAuthenticator } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { asAcme, askBy, asOffer, asOperator, createFaces } from './faces-service.js';
import { acme, ask, dealV2, liveToken, token } from './service.js';

let service: Handler;
let payment_token: string;
beforeEach(async () => {
  service = createFaces();
  const created = await ask(service, '/api/2.0/deal/', { headers: asAcme, body: dealV2 });
  payment_token = created.json.data.payment_token;
});

const { get, post } = askBy(() => service);
const operated = `/operator/acme/deal/${dealV2.partner_id}/`;
const upload = (file = 'abc') => ({ name: 'draft.txt', content: btoa(file) });

describe('an offer', () => {
  test('is led from the view to the payout by its token, the partner and the operator', async () => {
    const offer = asOffer(payment_token);
    const seen = await get('/api/2.0/offer/', offer);
    expect(seen.status).toBe(200);
    expect(Object.keys(seen.json.data).sort()).toEqual(
      [
        ...['agreed_amount', 'amount', 'contractor_payments', 'copyright_transfer', 'created_at'],
        ...['currency', 'description', 'freelancer_status', 'stages', 'status', 'title'],
        ...['contractor_fee', 'proposal', 'terms_sha256', 'terms_version', 'legal', 'gross'],
        ...[
          'legal_proposals',
          'expires_at',
          'freelancer_language',
          'max_file_size',
          'partner_name',
        ],
      ].sort(),
    );
    expect((await post('/api/2.0/offer/accept/', offer)).json.data.status).toBe('accepted');
    const file = await post('/api/2.0/offer/file/', offer, upload());
    expect(file.status).toBe(201);
    expect((await get('/api/2.0/offer/file/', offer)).json.data).toEqual([file.json.data]);
    expect((await post('/api/2.0/offer/deliver/', offer)).json.data.status).toBe('delivered');
    const approved = await post(`/api/2.0/deal/${dealV2.partner_id}/approve/`, asAcme);
    expect(approved.json.data.status).toBe('approved');
    for (let run = 0; run < 3; run += 1) await post('/operator/run-effects/', asOperator);
    const done = await get('/api/2.0/offer/', offer);
    expect(done.json.data).toMatchObject({
      status: 'completed',
      contractor_payments: [{ status: 'paid', amount: dealV2.amount }],
    });
    const text = JSON.stringify(done.json);
    for (const secret of [payment_token, 'employer_payments', 'billing', 'partner_id']) {
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    ['none', undefined],
    ['one that no deal has', 'Offer nobody'],
    ['that of a partner', `Token ${token}`],
    ['that of the operator', 'Operator operator-token'],
    ['its own as that of a partner', 'own'],
  ])('asked for with the token %s is 401', async (_, authorization) => {
    const value = authorization === 'own' ? `Token ${payment_token}` : authorization;
    for (const path of ['/api/2.0/offer/', '/api/2.0/offer', '/api/2.0/offer/file/x/']) {
      const answered = await get(path, value === undefined ? {} : { authorization: value });
      expect([answered.status, answered.headers['www-authenticate']]).toEqual([401, 'Offer']);
    }
  });

  test('has no commands of others', async () => {
    for (const command of ['approve', 'cancel', 'invite', 'resolve', 'x', 'request-payment']) {
      const { status } = await post(`/api/2.0/offer/${command}/`, asOffer(payment_token));
      expect([command, status]).toEqual([command, 404]);
    }
    expect((await get('/api/2.0/offers/', asOffer(payment_token))).status).toBe(401);
    expect((await get('/api/2.0/offers/', asAcme)).status).toBe(404);
  });

  test('of one environment is not served in the other', async () => {
    service = createFaces({ environment: 'production' });
    const body = { ...dealV2, partner_id: 'live' };
    const made = await ask(service, '/api/2.0/deal/', {
      headers: { ...asAcme, authorization: `Token ${liveToken}` },
      body,
    });
    expect((await get('/api/2.0/offer/', asOffer(made.json.data.payment_token))).status).toBe(200);
    expect((await get('/api/2.0/offer/', asOffer(payment_token))).status).toBe(401);
  });
});

describe('the operator', () => {
  test('sees a deal without its token, in its environment alone', async () => {
    const seen = await get(operated, asOperator);
    expect(seen.json.data).toMatchObject({ partner_id: dealV2.partner_id, status: 'created' });
    expect(JSON.stringify(seen.json)).not.toContain(payment_token);
    const elsewhere = await get(operated, { authorization: 'Operator live-operator' });
    expect(elsewhere.status).toBe(404);
    const parameter = `/operator/acme/deal/by-id/?partner_id=${dealV2.partner_id}`;
    expect((await get(parameter, asOperator)).json).toEqual(seen.json);
  });

  test('lists the deals of all partners, or of one', async () => {
    const all = await get('/operator/deal/', asOperator);
    expect(all.json.data.results).toMatchObject([{ partner: 'acme', alert: null }]);
    const listed = await get('/operator/deal/?partner=acme&status=created', asOperator);
    expect(listed.json.data.results).toMatchObject([{ partner_id: dealV2.partner_id }]);
    expect((await get('/operator/deal/?partner=other', asOperator)).json.data.results).toEqual([]);
    const unnamed = await get('/operator/deal/?page_size=0', asOperator);
    expect(unnamed.json.errors).toMatchObject([{ path: ['page_size'], code: 'out_of_range' }]);
    const long = await get(`/operator/deal/?partner=${'a'.repeat(129)}`, asOperator);
    expect(long.json.errors).toMatchObject([{ path: ['partner'], code: 'too_long' }]);
  });

  test('ends a deal, with a reason', async () => {
    const without = await post(`${operated}cancel/`, asOperator);
    expect(without.json.errors).toMatchObject([{ path: ['reason'], code: 'required' }]);
    const cancelled = await post(`${operated}cancel/`, asOperator, { reason: 'Fraud.' });
    expect([cancelled.status, cancelled.json.data.status]).toEqual([200, 'cancelled']);
  });

  test.each([
    ['/operator/acme/deal/nobody/', 404],
    ['/operator/%00/deal/x/', 404],
    ['/operator/%ff/deal/x/', 404],
    ['/operator/deal/deal/x/', 404],
    ['/operator/run-timers/', 405],
    ['/operator/x/', 404],
    ['/operator/', 404],
  ])('asking for %s gets %d', async (path, status) => {
    expect((await get(path, asOperator)).status).toBe(status);
    const stranger = await get(path, { authorization: 'Operator nobody' });
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Operator']);
    expect((await get(path, asAcme)).status).toBe(401);
  });

  test('gives the commands of the clock that are due', async () => {
    expect((await post('/operator/run-timers/', asOperator)).json.data).toEqual({
      done: 0,
      failed: 0,
      failures: [],
    });
  });

  test('is not there without its authenticator, or before a gateway', async () => {
    const gateway = ({ partner, valueSets, fileLimit }: Marketplace): Marketplace => ({
      partner,
      valueSets,
      fileLimit,
    });
    for (const off of [createFaces({}, gateway), createHandlerWithout()]) {
      service = off;
      for (const path of [operated, '/operator/deal/', '/operator/run-timers/', '/operator/x/']) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          expect((await ask(service, path, { method, headers: asOperator })).status).toBe(404);
        }
      }
    }
  });

  test('whose authenticator fails is told so, and not let in', async () => {
    for (const [answer, status] of [
      [ok('staging'), 500],
      [Promise.reject(new Error('down')), 503],
    ] as const) {
      const authenticate = (() => answer) as OperatorAuthenticator['authenticate'];
      service = createFaces({ operatorAuthenticator: { authenticate } });
      expect((await get(operated, asOperator)).status).toBe(status);
    }
  });
});

function createHandlerWithout(): Handler {
  const ports = createPorts();
  const authenticator = createTokenAuthenticator([[token, acme]], ports);
  return createHandler(createMarketplace(ports), { ...ports, authenticator });
}
