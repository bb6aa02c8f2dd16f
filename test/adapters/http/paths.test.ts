import { expect, test } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import {
  acme,
  asAcme,
  ask,
  contractor,
  createService,
  deal,
  dealV2,
  head,
  live,
  onNode,
  openSocket,
} from './service.js';

const all = allRoutes().filter(({ face }) => face === 'partner');
const filled = (path: string) => path.replace('{id}', '1').replace('{partner_id}', 'x');
const paths = [...new Set(all.map(({ path }) => path))];

const methodsOf = (path: string) => {
  const own = all.filter((route) => route.path === path).map(({ method }) => method);
  return [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
};
const listed = (allow: string | undefined) => (allow ?? '').split(', ').sort();

test.each(paths)(
  'OPTIONS of %s tells its methods, with the closing slash and without',
  async (path) => {
    const target = filled(path);
    for (const each of [target, target.slice(0, -1), `${target}?a=b`]) {
      const answered = await ask(createService(), each, { method: 'OPTIONS', headers: {} });
      expect([answered.status, answered.body]).toEqual([204, undefined]);
      expect(listed(answered.headers['allow'])).toEqual(methodsOf(path));
    }
  },
);

test.each(paths)('405 of %s tells them too, to those who may know', async (path) => {
  const target = filled(path);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'GET', 'POST', 'HEAD', 'get', '__proto__']) {
    if (methodsOf(path).includes(method)) continue;
    for (const each of [target, target.slice(0, -1)]) {
      const answered = await ask(createService(), each, { method });
      expect(answered.status).toBe(405);
      expect(listed(answered.headers['allow'])).toEqual(methodsOf(path));
      expect((await ask(createService(), each, { method, headers: {} })).status).toBe(401);
    }
  }
});

test.each(all.filter(({ method }) => method === 'GET').map(({ path }) => path))(
  'HEAD of %s is the head of GET',
  async (path) => {
    const handler = createService();
    for (const target of [filled(path), filled(path).slice(0, -1)]) {
      const got = await ask(handler, target, { method: 'GET' });
      const told = await ask(handler, target, { method: 'HEAD' });
      expect(told.body).toBeUndefined();
      expect(told.status).toBe(got.status);
      const length = String(new TextEncoder().encode(String(got.body)).length);
      expect(told.headers['content-length']).toBe(length);
      expect(told.headers['content-type']).toBe(got.headers['content-type']);
    }
  },
);

test.each([
  '/api/1.0/deal//',
  '/api/1.0/deal//file/',
  '/api/1.0/deal/1/file//',
  '/api//1.0/deal/',
  '//api/1.0/deal/',
  '/api/./1.0/deal/',
  '/api/1.0/./deal/1/',
  '/api/1.0/deal/1/2/',
  '/api/1.0/deal/1/file/x/',
  '/api/1.0/Deal/',
  '/API/1.0/deal/',
  '/api/1.0/de%61l/',
  '/api/1.0/deal%2F',
  '/api/1.0%2Fdeal/',
  '/api/3.0/deal/',
  '/api/',
  '/api/1.0/',
  '/api/2.0/deal/x/file/y/z/',
  '/api/2.0/deal/x/y/',
  '/api/2.0/deal/by-id/y/?partner_id=x',
  '/api/2.0/deal/x/requestChanges/',
  '/api/2.0/deal/x/expire/',
  '/api/1.0/deal/1/accept/',
  '/api/1.0/deal;a=b/',
  '/api/1.0/deal/{id}/extra',
])('%s is no path of the interface', async (target) => {
  for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
    expect((await ask(createService(), target, { method })).status).toBe(404);
  }
});

/** Ids of deals, and how they are written in a path. */
const oddIds: readonly (readonly [id: string, segment: string])[] = [
  ['a/b', 'a%2Fb'],
  ['a/b', 'a%2fb'],
  ['..', '..'],
  ['..', '%2e%2e'],
  ['.', '.'],
  ['*', '*'],
  ['by-id', 'by%2Did'],
  ['a b', 'a%20b'],
  ['a+b', 'a+b'],
  ['100%', '100%25'],
  ['%41', '%2541'],
  ['?#', '%3F%23'],
  ['łódź', '%C5%82%C3%B3d%C5%BA'],
  ['😀', '%F0%9F%98%80'],
  ['__proto__', '__proto__'],
  ['{partner_id}', '{partner_id}'],
  ['a&b=c', 'a&b=c'],
  [' ', '%20'],
  [' ', ' '],
  ['\u0001', '%01'],
];

test.each(oddIds)(
  'the deal %j is found as %s, and by its parameter',
  async (partner_id, segment) => {
    const handler = createService();
    await ask(handler, '/api/2.0/deal/', { body: { ...dealV2, partner_id } });
    const parameter = encodeURIComponent(partner_id);
    for (const target of [
      `/api/2.0/deal/${segment}/`,
      `/api/2.0/deal/${segment}`,
      `/api/2.0/deal/by-id/?partner_id=${parameter}`,
      `/api/2.0/deal/by-id?x=y&partner_id=nothing&partner_id=${parameter}`,
    ]) {
      const { status, json } = await ask(handler, target, { method: 'GET' });
      expect([target, status, json.data?.partner_id]).toEqual([target, 200, partner_id]);
    }
  },
);

test('without the parameter, by-id is an id like any other', async () => {
  const handler = createService();
  const target = '/api/2.0/deal/by-id/';
  expect((await ask(handler, target, { method: 'GET' })).status).toBe(404);
  await ask(handler, '/api/2.0/deal/', { body: { ...dealV2, partner_id: 'by-id' } });
  for (const each of [target, target.slice(0, -1), `${target}?`, `${target}?other=1`]) {
    expect((await ask(handler, each, { method: 'GET' })).json.data.partner_id).toBe('by-id');
  }
  expect((await ask(handler, `${target}?partner_id=`, { method: 'GET' })).status).toBe(404);
});

test.each(['%00', '%ff', '%C3', '%', '%4', '%zz', '%ED%A0%80', '%u0041', 'x'.repeat(5000)])(
  '%s never names a deal',
  async (segment) => {
    const handler = createService();
    await ask(handler, '/api/2.0/deal/', { body: { ...dealV2, partner_id: segment.slice(0, 40) } });
    for (const target of [`/api/2.0/deal/${segment}/`, `/api/2.0/deal/by-id/?partner_id=%00`]) {
      const { status, json } = await ask(handler, target, { method: 'GET' });
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
  },
);

test('over a socket, without a clean-up of the path', async () => {
  const handler = createService();
  await ask(handler, '/api/2.0/deal/', { body: { ...dealV2, partner_id: '..' } });
  await onNode(handler, async (_, port) => {
    const { authorization } = asAcme;
    for (const [target, answer] of [
      ['/api/2.0/deal/../', /^HTTP\/1\.1 200 .*"partner_id":"\.\."/s],
      ['//api/2.0/deal/../', /^HTTP\/1\.1 404 /],
      ['/api/2.0/deal/%2e%2e/?', /^HTTP\/1\.1 200 .*"partner_id":"\.\."/s],
    ] as const) {
      const { socket, received, closed } = openSocket(port);
      socket.write(head(`GET ${target}`, { authorization, connection: 'close' }));
      await closed;
      expect(received()).toMatch(answer);
    }
  });
});

test('a deal of version 1.0 is answered on both versions, and only to its partner', async () => {
  expect(acme).not.toEqual(live);
  const handler = createService();
  await ask(handler, '/api/1.0/contractor/', { body: contractor });
  const { json } = await ask(handler, '/api/1.0/deal/', { body: deal });
  const one = await ask(handler, `/api/1.0/deal/${json.data.id}/`, { method: 'GET' });
  const two = await ask(handler, `/api/2.0/deal/${deal.partner_id}/`, { method: 'GET' });
  expect(one.json.data).toMatchObject({ id: json.data.id, partner_id: deal.partner_id });
  expect(two.json.data).toMatchObject({ id: json.data.id, payment_token: null });
});

test('a parameter of bytes that are no UTF-8 is refused, and one that has U+FFFD in it is not', async () => {
  const handler = createService();
  const list = (partner_id: string) =>
    ask(handler, `/api/2.0/deal/?page_size=1&partner_id=${partner_id}`, { method: 'GET' });
  for (const parameter of ['%FF', 'a%C3', 'a%ED%A0%80b', '%EF%BF%BD%FF']) {
    const { status, json } = await list(parameter);
    expect([status, json.errors?.map((issue: { path: unknown }) => issue.path)]).toEqual([
      400,
      [['partner_id']],
    ]);
  }
  for (const parameter of ['%EF%BF%BD', '%EF%BF%BD%', 'a%zz', '%']) {
    expect((await list(parameter)).status).toBe(200);
  }
  const one = await ask(handler, '/api/2.0/deal/by-id/?partner_id=%FF', { method: 'GET' });
  expect(one.status).toBe(404);
});
