import type { ErrorReport, RequestReport } from 'dealwright/http';
import { createManualClock } from 'dealwright/testing';
import { err, ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import {
  acme,
  asAcme,
  ask,
  contractor,
  createService,
  dealV2,
  token,
  type Wiring,
} from './service.js';

function watched(wiring: Wiring = {}) {
  const requests: RequestReport[] = [];
  const errors: ErrorReport[] = [];
  const service = createService({
    onRequest: (report) => requests.push(report),
    onError: (report) => errors.push(report),
    ...wiring,
  });
  return { service, requests, errors };
}

test('each request is reported, with its partner once that is known', async () => {
  const timer = createManualClock();
  const ports = { ...createPorts(), timer };
  const limiter = {
    take() {
      timer.advance(25);
      return ok({ allowed: true } as const);
    },
  };
  const { service, requests, errors } = watched({ ports, limiter });
  await ask(service, '/api/1.0/contractor', {
    headers: { ...asAcme, 'x-request-id': 'r1' },
    body: contractor,
  });
  await ask(service, '/api/2.0/deal/?secret=1', { headers: { 'x-request-id': 'r2' } });
  await ask(service, '/who/knows', { method: 'GET', headers: { 'x-request-id': 'r3' } });
  expect(requests).toEqual([
    {
      request_id: 'r1',
      method: 'POST',
      status: 201,
      duration: 25,
      route: '/api/1.0/contractor/',
      operation: 'registerContractor',
      api_version: '1.0',
      deprecated: true,
      ...acme,
    },
    {
      request_id: 'r2',
      method: 'POST',
      status: 401,
      duration: 0,
      route: '/api/2.0/deal/',
      operation: 'createDealV2',
      api_version: '2.0',
      deprecated: false,
    },
    { request_id: 'r3', method: 'GET', status: 404, duration: 0, deprecated: false },
  ]);
  expect(errors).toEqual([]);
});

test('no report holds a token, a body, a query, a payment token, or what a host adds to its tenants', async () => {
  const { service, requests, errors } = watched({
    authenticator: { authenticate: () => ok({ ...acme, apiKey: 'the-key-of-the-host' }) },
  });
  const secrets = [token, 'the-key-of-the-host', 'marker'];
  for (const [target, body] of [
    ['/api/2.0/deal/?q=marker', { ...dealV2, title: 'marker' }],
    ['/api/2.0/deal/', { ...dealV2, subcategory_id: -1, title: 'marker' }],
    ['/api/2.0/deal/', '{"marker'],
    ['/api/1.0/marker/', dealV2],
  ] as const) {
    const headers = { ...asAcme, 'idempotency-key': 'marker', cookie: 'marker' };
    const answered = await ask(service, target, { headers, body });
    if (answered.status === 201) secrets.push(answered.json.data.payment_token);
  }
  expect(requests.map(({ status }) => status)).toEqual([201, 400, 400, 404]);
  expect(secrets).toHaveLength(4);
  const reported = JSON.stringify([requests, errors]);
  for (const secret of secrets) expect(reported).not.toContain(secret);
});

test('the cause of every 500 and 503 is told to the host, with its port', async () => {
  const cause = new Error('connection refused');
  const ports = createPorts();
  const broken = { ...ports, store: { ...ports.store, commit: () => Promise.reject(cause) } };
  const { service, requests, errors } = watched({ ports: broken });
  const headers = { ...asAcme, 'x-request-id': 'r1' };
  expect((await ask(service, '/api/2.0/deal/', { headers, body: dealV2 })).status).toBe(503);
  expect(errors).toEqual([{ request_id: 'r1', code: 'unavailable', port: 'store.commit', cause }]);
  expect(requests[0]?.status).toBe(503);
});

test('what is no answer of a port is 500, with what a port answers as its cause', async () => {
  const ports = createPorts();
  const broken = { ...ports, store: { ...ports.store, commit: async () => undefined as never } };
  const { service, errors } = watched({ ports: broken });
  const answered = await ask(service, '/api/2.0/deal/', { headers: asAcme, body: dealV2 });
  expect([answered.status, answered.json.code, answered.json.outcome]).toEqual([
    500,
    'internal',
    'unknown',
  ]);
  expect(errors).toMatchObject([
    {
      code: 'internal',
      port: 'store.commit',
      cause: { message: expect.stringMatching(/^neither ok/) },
    },
  ]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('x');
    },
    503,
    'unavailable',
  ],
  ['rejects', () => Promise.reject(new Error('x')), 503, 'unavailable'],
  [
    'is broken',
    () => err({ code: 'unavailable', outcome: 'none', retryable: false } as const),
    500,
    'internal',
  ],
  ['answers nonsense', () => ok({ environment: 'staging', partner: '' } as never), 500, 'internal'],
  ['answers null', () => ok(null as never), 500, 'internal'],
  ['answers nothing', () => undefined as never, 500, 'internal'],
  ['answers a tenant without a result', () => acme as never, 500, 'internal'],
  ['answers later with nothing', async () => undefined as never, 500, 'internal'],
  ['answers an error of its own', () => err(new Error('x')) as never, 500, 'internal'],
])('an authenticator that %s', async (_, authenticate, status, code) => {
  const { service, errors } = watched({ authenticator: { authenticate } });
  const answered = await ask(service, '/api/2.0/deal/');
  expect([answered.status, answered.json.code, answered.json.outcome]).toEqual([
    status,
    code,
    'none',
  ]);
  expect(errors).toMatchObject([{ code, port: 'authenticator.authenticate' }]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('x');
    },
    503,
  ],
  [
    'is broken',
    () => err({ code: 'unavailable', outcome: 'none', retryable: false } as const),
    500,
  ],
  ['answers nonsense', () => ok({ allowed: 'yes' } as never), 500],
  ['answers null', () => ok(null as never), 500],
  ['answers nothing', () => undefined as never, 500],
])('a limiter that %s', async (_, take, status) => {
  const { service, errors } = watched({ limiter: { take } });
  expect((await ask(service, '/api/2.0/deal/')).status).toBe(status);
  expect(errors).toMatchObject([{ port: 'limiter.take' }]);
});

test('an authenticator and a limiter that never answer are given up on', async () => {
  const timer = createManualClock();
  const ports = { ...createPorts(), timer };
  const hangs = () => new Promise<never>(() => undefined);
  for (const wiring of [{ authenticator: { authenticate: hangs } }, { limiter: { take: hangs } }]) {
    const { service, errors } = watched({ ports, deadline: 50, ...wiring });
    const asking = ask(service, '/api/2.0/deal/');
    while (timer.sleepers() === 0) await undefined;
    timer.advance(50);
    expect((await asking).status).toBe(503);
    expect(errors).toHaveLength(1);
  }
});

test('hooks that throw, at once or later, do no harm', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const throws = () => {
    throw new Error('x');
  };
  for (const hook of [throws, () => Promise.reject(new Error('x'))]) {
    const { service } = watched({
      onRequest: hook,
      onError: hook,
      authenticator: { authenticate: throws },
    });
    expect((await ask(service, '/api/2.0/deal/')).status).toBe(503);
  }
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a clock that fails is reported, and reports go on', async () => {
  const now = () => {
    throw new Error('no time');
  };
  const ports = createPorts();
  const { service, requests, errors } = watched({
    ports: { ...ports, timer: { ...ports.timer, now } },
  });
  const refused = await ask(service, '/api/2.0/deal/');
  expect(refused.status).toBe(503);
  expect(refused.json.outcome).toBe('none');
  expect(errors).toMatchObject([{ code: 'unavailable', port: 'system' }]);
  expect((await ask(service, '/healthz', { method: 'GET' })).status).toBe(200);
  expect([requests.length, errors.length]).toEqual([2, 1]);
});
