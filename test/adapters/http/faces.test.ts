import { createMarketplace, type Environment, type Marketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createHandler, type Handler, type HandlerOptions } from 'dealwright/http';
import { createSandboxGateway } from 'dealwright/payments';
import type { OperatorAuthenticator } from 'dealwright/ports';
import { createManualClock } from 'dealwright/spec';
import { createSandboxClock } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { acme, ask, contractor, deal, dealV2, live, liveToken, token } from './service.js';

const staff: OperatorAuthenticator = {
  authenticate: (given) =>
    ok(
      ({ 'staff-token': 'sandbox', 'live-staff': 'production' } as Record<string, Environment>)[
        given
      ],
    ),
};
const json = { 'content-type': 'application/json' };
const asAcme = { authorization: `Token ${token}`, ...json };
const asStaff = { authorization: 'Operator staff-token', ...json };
const asOffer = (payment_token: string) => ({ authorization: `Offer ${payment_token}`, ...json });

function createService(options: Partial<HandlerOptions> = {}, change = (all: Marketplace) => all) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const ports = {
    ...createPorts(),
    clock: createSandboxClock({ now: () => clock.now() }),
    payments: createSandboxGateway(),
    paymentTokens: createOpaqueTokenIssuer(),
  };
  const authenticator = createTokenAuthenticator(
    [
      [token, acme],
      [liveToken, live],
      ['token-of-other', { environment: 'sandbox', partner: 'other' }],
    ],
    ports,
  );
  return createHandler(change(createMarketplace(ports)), {
    ...ports,
    authenticator,
    operatorAuthenticator: staff,
    ...options,
  });
}

let service: Handler;
let payment_token: string;
beforeEach(async () => {
  service = createService();
  const created = await ask(service, '/api/2.0/deal/', { headers: asAcme, body: dealV2 });
  payment_token = created.json.data.payment_token;
});

const get = (path: string, headers: Record<string, string>) =>
  ask(service, path, { method: 'GET', headers });
const post = (path: string, headers: Record<string, string>, body: object = {}) =>
  ask(service, path, { headers, body });
const operated = `/operator/acme/deal/${dealV2.partner_id}/`;
const upload = (file = 'abc') => ({ name: 'draft.txt', content: btoa(file) });

describe('an offer', () => {
  test('is led from the view to the payout by its token, the partner and the staff', async () => {
    const offer = asOffer(payment_token);
    const seen = await get('/api/2.0/offer/', offer);
    expect(seen.status).toBe(200);
    expect(Object.keys(seen.json.data).sort()).toEqual(
      [
        ...['agreed_amount', 'amount', 'contractor_payments', 'copyright_transfer', 'created_at'],
        ...['currency', 'description', 'freelancer_status', 'stages', 'status', 'title'],
      ].sort(),
    );
    expect((await post('/api/2.0/offer/accept/', offer)).json.data.status).toBe('accepted');
    const file = await post('/api/2.0/offer/file/', offer, upload());
    expect(file.status).toBe(201);
    expect((await get('/api/2.0/offer/file/', offer)).json.data).toEqual([file.json.data]);
    expect((await post('/api/2.0/offer/deliver/', offer)).json.data.status).toBe('delivered');
    const approved = await post(`/api/2.0/deal/${dealV2.partner_id}/approve/`, asAcme);
    expect(approved.json.data.status).toBe('approved');
    for (let run = 0; run < 3; run += 1) await post('/operator/run-effects/', asStaff);
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
    ['that of the staff', 'Operator staff-token'],
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
    service = createService({ environment: 'production' });
    const body = { ...dealV2, partner_id: 'live' };
    const made = await ask(service, '/api/2.0/deal/', {
      headers: { ...asAcme, authorization: `Token ${liveToken}` },
      body,
    });
    expect((await get('/api/2.0/offer/', asOffer(made.json.data.payment_token))).status).toBe(200);
    expect((await get('/api/2.0/offer/', asOffer(payment_token))).status).toBe(401);
  });
});

describe('the staff', () => {
  test('sees a deal without its token, in its environment alone', async () => {
    const seen = await get(operated, asStaff);
    expect(seen.json.data).toMatchObject({ partner_id: dealV2.partner_id, status: 'created' });
    expect(JSON.stringify(seen.json)).not.toContain(payment_token);
    const elsewhere = await get(operated, { authorization: 'Operator live-staff' });
    expect(elsewhere.status).toBe(404);
    const parameter = `/operator/acme/deal/by-id/?partner_id=${dealV2.partner_id}`;
    expect((await get(parameter, asStaff)).json).toEqual(seen.json);
  });

  test('lists the deals of a partner, who must be named', async () => {
    const listed = await get('/operator/deal/?partner=acme&status=created', asStaff);
    expect(listed.json.data.results).toMatchObject([{ partner_id: dealV2.partner_id }]);
    expect((await get('/operator/deal/?partner=other', asStaff)).json.data.results).toEqual([]);
    const unnamed = await get('/operator/deal/?page_size=0', asStaff);
    expect(unnamed.json.errors).toMatchObject([
      { path: ['partner'], code: 'required' },
      { path: ['page_size'], code: 'out_of_range' },
    ]);
    const long = await get(`/operator/deal/?partner=${'a'.repeat(129)}`, asStaff);
    expect(long.json.errors).toMatchObject([{ path: ['partner'], code: 'too_long' }]);
  });

  test('ends a deal, with a reason', async () => {
    const without = await post(`${operated}cancel/`, asStaff);
    expect(without.json.errors).toMatchObject([{ path: ['reason'], code: 'required' }]);
    const cancelled = await post(`${operated}cancel/`, asStaff, { reason: 'Fraud.' });
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
    expect((await get(path, asStaff)).status).toBe(status);
    const stranger = await get(path, { authorization: 'Operator nobody' });
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Operator']);
    expect((await get(path, asAcme)).status).toBe(401);
  });

  test('gives the commands of the clock that are due', async () => {
    expect((await post('/operator/run-timers/', asStaff)).json.data).toEqual({
      done: 0,
      failed: 0,
    });
  });

  test('is not there without its authenticator, or before a gateway', async () => {
    const gateway = ({ partner, valueSets, fileLimit }: Marketplace): Marketplace => ({
      partner,
      valueSets,
      fileLimit,
    });
    for (const off of [createService({}, gateway), createHandlerWithout()]) {
      service = off;
      for (const path of [operated, '/operator/deal/', '/operator/run-timers/', '/operator/x/']) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          expect((await ask(service, path, { method, headers: asStaff })).status).toBe(404);
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
      service = createService({ operatorAuthenticator: { authenticate } });
      expect((await get(operated, asStaff)).status).toBe(status);
    }
  });
});

function createHandlerWithout(): Handler {
  const ports = createPorts();
  const authenticator = createTokenAuthenticator([[token, acme]], ports);
  return createHandler(createMarketplace(ports), { ...ports, authenticator });
}

describe('the sandbox', () => {
  const give = (actor: string, command: string, body: object = {}, headers = asAcme) =>
    post(`/api/2.0/sandbox/deal/${dealV2.partner_id}/${actor}/${command}/`, headers, body);

  test('gives the commands of every actor, whose guards hold', async () => {
    expect((await give('freelancer', 'accept')).json.data.status).toBe('accepted');
    const early = await give('freelancer', 'deliver');
    expect([early.status, early.json.reason]).toEqual([409, 'no_files']);
    const paid = await give('payments', 'record-employer-payment', {
      status: 'paid',
      amount: '10.00',
      reference: 'transfer-1',
    });
    expect(paid.json.data.billing.paid).toBe('10.00');
    expect((await give('operator', 'cancel', { reason: 'r' })).json.data.status).toBe('cancelled');
  });

  test.each([
    ['clock', 'expire'],
    ['nobody', 'accept'],
    ['freelancer', 'approve'],
    ['payments', 'accept'],
    ['partner', 'expire'],
    ['__proto__', 'accept'],
  ])('has no command %s %s', async (actor, command) => {
    expect((await give(actor, command)).status).toBe(404);
  });

  test('moves the time of one partner, and timers fire', async () => {
    const month = 31 * 24 * 60 * 60;
    const moved = await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds: month });
    expect([moved.status, moved.json]).toEqual([
      200,
      { data: { now: '2026-02-01T00:00:00.000Z' } },
    ]);
    const expired = await get(`/api/2.0/deal/${dealV2.partner_id}/`, asAcme);
    expect(expired.json.data.status).toBe('expired');
    const asOther = { ...json, authorization: 'Token token-of-other' };
    await post('/api/2.0/deal/', asOther, dealV2);
    const other = await get(`/api/2.0/deal/${dealV2.partner_id}/`, asOther);
    expect(other.json.data.created_at).toBe('2026-01-01T00:00:00.000Z');
  });

  test.each([
    [{}, 'required'],
    [{ advance_seconds: 0 }, 'out_of_range'],
    [{ advance_seconds: -1 }, 'out_of_range'],
    [{ advance_seconds: 10 * 365 * 24 * 60 * 60 + 1 }, 'out_of_range'],
    [{ advance_seconds: 1.5 }, 'not_an_integer'],
    [{ advance_seconds: '1' }, 'wrong_type'],
  ])('does not move it by %j', async (body, code) => {
    const { status, json: told } = await post('/api/2.0/sandbox/clock/', asAcme, body);
    expect([status, told.errors]).toMatchObject([400, [{ path: ['advance_seconds'], code }]]);
  });

  test('does not move it to where no deadline can be written', async () => {
    const advance_seconds = 10 * 365 * 24 * 60 * 60;
    for (let moves = 0; moves < 698; moves += 1) {
      await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds });
    }
    const last = await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds });
    expect(last.json.errors).toMatchObject([{ code: 'out_of_range' }]);
    const made = await post('/api/2.0/deal/', asAcme, { ...dealV2, partner_id: 'late' });
    expect(made.status).toBe(201);
  });

  test('is not there in production', async () => {
    const asLive = { ...json, authorization: `Token ${liveToken}` };
    await post('/api/2.0/deal/', asLive, dealV2);
    expect((await give('freelancer', 'accept', {}, asLive)).status).toBe(404);
    const moved = await post('/api/2.0/sandbox/clock/', asLive, { advance_seconds: 1 });
    expect(moved.status).toBe(404);
  });

  test('has freelancers that answer by themselves, of both versions', async () => {
    for (const [answer, status] of [
      ['accept', 'accepted'],
      ['decline', 'cancelled'],
    ] as const) {
      const email = `user+${answer}@example.com`;
      await post('/api/1.0/contractor/', asAcme, { ...contractor, email });
      const names = [`${answer}-1`, `${answer}-2`] as const;
      await post('/api/1.0/deal/', asAcme, {
        ...deal,
        partner_id: names[0],
        contractor_email: email,
      });
      await post('/api/2.0/deal/', asAcme, {
        ...dealV2,
        partner_id: names[1],
        email_freelancer: email,
      });
      const ran = await post('/operator/run-effects/', asStaff);
      expect(ran.json.data).toEqual({ done: 2, failed: 0 });
      for (const partner_id of names) {
        expect((await get(`/api/2.0/deal/${partner_id}/`, asAcme)).json.data.status).toBe(status);
      }
    }
    expect((await post('/operator/run-effects/', asStaff)).json.data.done).toBe(0);
  });
});
