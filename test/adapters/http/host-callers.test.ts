import type { Tenant } from 'dealwright';
import { createFetchHandler, type HandlerOptions, type HostAnswer } from 'dealwright/http';
import fc from 'fast-check';
import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { createTestHandler, operators, operatorToken, tokenOf } from '../../kit/service.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
const deal = (partner_id: string) =>
  JSON.stringify({
    partner_id,
    email_freelancer: 'freelancer@example.com',
    title: 'Landing page',
    description: 'Texts',
    subcategory_id: 75,
    amount: '500.00',
    currency: 'PLN',
    copyright_transfer: 'full_transfer',
    freelancer_language: 'pl',
  });

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service whose host knows these callers by the header of a session. */
function createHost(
  callers: Readonly<Record<string, unknown>>,
  options: Partial<HandlerOptions> = {},
) {
  const errors: unknown[] = [];
  const handler = createTestHandler(undefined, {
    onError: (report) => errors.push(report),
    ...options,
  });
  const answer = createFetchHandler(handler, {
    resolveCaller: (request: Request, context: { readonly user?: string } | undefined) => {
      const name = request.headers.get('x-session') ?? context?.user ?? '';
      const caller = callers[name];
      return (typeof caller === 'function' ? caller() : caller) as HostAnswer;
    },
  });
  let count = 0;
  return {
    errors,
    answer,
    async ask({ path = '/api/2.0/deal/', method = 'POST', headers = {} }: Asked = {}) {
      count += 1;
      const body = method === 'POST' ? deal(`order-${count}`) : undefined;
      const response = await answer(
        new Request(`https://deals.example.com${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body && { body }),
        }),
        {},
      );
      return { status: response.status, json: await response.json() };
    },
  };
}

const session = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'x-session': name, ...more },
});
const authorization = (tenant: Tenant) => ({ authorization: `Token ${tokenOf(tenant)}` });

it('takes whom the host names, at once or later, and otherwise the header', async () => {
  const { ask } = createHost({ now: acme, later: async () => acme, none: null, no: false });
  for (const name of ['now', 'later']) expect((await ask(session(name))).status).toBe(201);
  for (const name of ['none', 'no', 'unknown']) {
    expect((await ask(session(name))).status).toBe(401);
    expect((await ask(session(name, authorization(acme)))).status).toBe(201);
  }
});

it('shows each caller their own deals, even if the header names another', async () => {
  const { ask } = createHost({ acme, globex });
  await ask(session('acme'));
  const list = async (more: Asked) =>
    (await ask({ path: '/api/2.0/deal/', method: 'GET', ...more })).json.data.results.length;
  expect(await list(session('acme'))).toBe(1);
  expect(await list(session('globex', authorization(acme)))).toBe(0);
});

it('hands over what the host calls it with besides', async () => {
  const { answer } = createHost({ acme });
  const request = () =>
    new Request('https://deals.example.com/api/2.0/deal/', { headers: { accept: '*/*' } });
  expect((await answer(request(), { user: 'acme' })).status).toBe(200);
  expect((await answer(request(), {})).status).toBe(401);
});

it('takes nothing from what a host keeps with a tenant, and only valid tenants', async () => {
  const { ask, errors } = createHost({
    more: { ...acme, password: 'x' },
    staging: { environment: 'staging', partner: 'acme' },
    empty: { environment: 'sandbox', partner: '' },
    text: 'acme',
    number: 0,
    nowhere: { operator: true },
    odd: { environment: 'sandbox', operator: 'yes' },
    getter: {
      get environment() {
        throw new Error('no');
      },
    },
    broken: () => {
      throw new Error('the session store is down');
    },
  });
  expect((await ask(session('more'))).status).toBe(201);
  const wrong = ['staging', 'empty', 'text', 'number', 'nowhere', 'odd', 'getter'];
  for (const name of wrong) {
    expect((await ask(session(name))).status).toBe(500);
  }
  expect((await ask(session('broken'))).status).toBe(503);
  expect(errors).toHaveLength(wrong.length + 1);
  expect(errors[0]).toMatchObject({ port: 'resolveCaller', cause: expect.any(TypeError) });
  expect(String((errors[0] as { cause: unknown }).cause)).toContain('resolveCaller returns');
});

it('knows the operator of the host, each where they are, and neither as the other', async () => {
  const operator = { environment: 'sandbox', operator: true };
  const { ask } = createHost(
    { operator, acme },
    {
      operatorAuthenticator: 'host',
    },
  );
  await ask(session('acme'));
  const path = '/operator/acme/deal/order-1/';
  const get = (name: string, more = {}) =>
    ask({ path, method: 'GET', headers: { 'x-session': name, ...more } });
  expect((await get('operator')).json.data.partner_id).toBe('order-1');
  for (const name of ['acme', 'none']) expect((await get(name)).status).toBe(401);
  expect((await ask(session('operator'))).status).toBe(401);
  // 'host' says that there are no tokens
  const token = { authorization: `Operator ${operatorToken}` };
  expect((await get('none', token)).status).toBe(401);
  const both = createHost({ operator }, { operatorAuthenticator: operators });
  expect((await both.ask({ path, method: 'GET', headers: token })).status).toBe(404);
});

it('has no API tokens if the host alone says who calls', async () => {
  const { ask } = createHost({ acme }, { authenticator: 'host' });
  expect((await ask(session('acme'))).status).toBe(201);
  expect((await ask({ headers: authorization(acme) })).status).toBe(401);
});

it('keeps to the environment of the handler', async () => {
  const { ask } = createHost({ acme }, { environment: 'production' });
  expect((await ask(session('acme'))).status).toBe(401);
});

it('lets no page of another origin act with a session', async () => {
  const trusted = 'https://app.example.org';
  const { ask } = createHost({ acme }, { corsOrigins: [trusted] });
  const own = 'deals.example.com';
  const cases = fc.record(
    {
      site: fc.constantFrom('same-origin', 'none', 'same-site', 'cross-site', 'new-word'),
      origin: fc.constantFrom(`https://${own}`, trusted, 'https://evil.example', 'null', 'x'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ site, origin }) => {
      const headers = {
        host: own,
        ...(site && { 'sec-fetch-site': site }),
        ...(origin && { origin }),
      };
      const isOurs =
        origin === trusted ||
        (site === undefined
          ? origin === undefined || origin === `https://${own}`
          : site === 'same-origin' || site === 'none');
      expect((await ask(session('acme', headers))).status).toBe(isOurs ? 201 : 401);
      // a browser sends a token only on purpose, and a request that only reads changes nothing
      const bearing = { ...headers, ...authorization(acme) };
      expect((await ask(session('acme', bearing))).status).toBe(201);
      const read = { method: 'GET', path: '/api/2.0/deal/', headers };
      expect((await ask({ ...read, headers: { ...headers, 'x-session': 'acme' } })).status).toBe(
        200,
      );
    }),
  );
});

it('says why a session does not count behind a proxy that changes Host', async () => {
  let now = 1_000_000;
  const timer = { now: () => now, sleep: () => () => undefined };
  const { ask, errors } = createHost(
    { acme },
    { timer, authenticator: 'host', operatorAuthenticator: 'host' },
  );
  const browser = { origin: 'http://deals.test', host: '127.0.0.1:3000' };
  const refused = await ask(session('acme', browser));
  expect(refused).toMatchObject({
    status: 401,
    json: {
      code: 'unauthorized',
      detail: expect.stringContaining('proxy_set_header Host $http_host'),
    },
  });
  expect(errors).toEqual([
    {
      request_id: refused.json.request_id,
      code: 'unauthorized',
      port: 'resolveCaller',
      cause: expect.any(Error),
    },
  ]);
  const { message } = (errors[0] as { cause: Error }).cause;
  for (const said of ['"http://deals.test"', '"127.0.0.1:3000"', '$http_host', 'corsOrigins']) {
    expect(message).toContain(said);
  }
  // in the language of the caller, and on each of the faces; to the host once a minute
  const polish = await ask(session('acme', { ...browser, 'accept-language': 'pl' }));
  expect(polish.json.detail).toMatch(/^Brakuje tokenu/);
  const path = '/operator/acme/deal/order-1/resolve/';
  expect((await ask({ path, ...session('acme', browser) })).json.detail).toMatch(/Origin/);
  expect(errors).toHaveLength(2);
  await ask(session('acme', { 'sec-fetch-site': 'same-site' }));
  now += 60_000;
  await ask(session('acme', { 'sec-fetch-site': 'same-site', origin: 'x'.repeat(5_000) }));
  expect(errors).toHaveLength(3);
  expect(String((errors[2] as { cause: Error }).cause).length).toBeLessThan(1_000);
  // it is not the session that is missed
  const plain = (await ask(session('none'))).json.detail;
  const token = await ask(session('acme', { ...browser, authorization: 'Token unknown' }));
  expect(token.json.detail).toBe(plain);
  expect(plain).not.toContain('nginx');
  expect(errors).toHaveLength(3);
});

it('says it in the header for a page, too', async () => {
  const { answer } = createHost({ acme });
  const challenge = async (headers: Readonly<Record<string, string>>) => {
    const request = new Request('https://deals.example.com/api/2.0/deal/', {
      method: 'POST',
      headers,
    });
    return (await answer(request, { user: 'acme' })).headers.get('www-authenticate');
  };
  expect(await challenge({ origin: 'https://evil.example' })).toBe('Token error="foreign_origin"');
  expect(await challenge({ origin: 'https://evil.example', authorization: 'Token x' })).toBe(
    'Token',
  );
});

it('knows its own origin with the port that is the default, and in capitals', async () => {
  const { ask } = createHost({ acme });
  const from = async (origin: string, host: string) =>
    (await ask(session('acme', { origin, host }))).status;
  expect(await from('http://deals.test', 'deals.test:80')).toBe(201);
  expect(await from('https://deals.test', 'Deals.Test:443')).toBe(201);
  expect(await from('http://deals.test:8080', 'deals.test:8080')).toBe(201);
  for (const host of ['deals.test:443', 'deals.test.evil.example', 'evil.example', '', 'a b']) {
    expect(await from('http://deals.test', host)).toBe(401);
  }
  for (const origin of ['null', 'x', 'null://', 'http:']) {
    expect(await from(origin, 'deals.test')).toBe(401);
    expect(await from(origin, origin)).toBe(401);
  }
});

it('knows its own origin without the header Host, as over HTTP/2', async () => {
  const { ask } = createHost({ acme });
  const from = async (origin: string) => (await ask(session('acme', { origin }))).status;
  expect(await from('https://deals.example.com')).toBe(201);
  expect(await from('https://evil.example')).toBe(401);
});

it('takes Bearer if it is told to, with tokens as long as others and no longer', async () => {
  const bearer = { headers: { authorization: `Bearer ${tokenOf(acme)}` } };
  const { ask } = createHost({}, { acceptBearer: true });
  expect((await ask(bearer)).status).toBe(201);
  expect((await ask({ headers: authorization(acme) })).status).toBe(201);
  const authenticator = { authenticate: () => ok(acme) };
  const anyToken = createHost({}, { acceptBearer: true, authenticator });
  const ofLength = async (length: number) => {
    const headers = { authorization: `Bearer ${'a'.repeat(length)}` };
    return (await anyToken.ask({ headers })).status;
  };
  expect([await ofLength(1), await ofLength(4096), await ofLength(4097)]).toEqual([201, 201, 401]);
  expect((await createHost({}).ask(bearer)).status).toBe(401);
});
