import { unavailable } from 'dealwright/ports';
import { createReferencePage } from 'dealwright/reference';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { createTestHandler } from '../../kit/service.js';
import { asAcme, ask, createService, dealV2 } from './service.js';

const get = (handler: Parameters<typeof ask>[0], target: string) =>
  ask(handler, target, { method: 'GET' });

it('answers below the base path what it answers without one, and nothing elsewhere', async () => {
  const basePath = '/market/deals';
  const handler = createService({ basePath, referencePage: createReferencePage() });
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/api/2.0/deal/?page_size=1']) {
    expect((await get(handler, basePath + path)).status).toBe(200);
    expect((await get(handler, path)).status).toBe(404);
    expect((await get(handler, `${basePath}x${path}`)).status).toBe(404);
  }
  const created = await ask(handler, `${basePath}/api/2.0/deal/`, { body: dealV2 });
  expect(created.status).toBe(201);
});

it('names itself in the document, and leads to the page that has relative links', async () => {
  const handler = createService({
    basePath: '/market/deals',
    referencePage: createReferencePage(),
  });
  const document = await get(handler, '/market/deals/openapi.json');
  expect(document.json.servers).toMatchObject([{ url: '/market/deals' }]);
  const page = await get(handler, '/market/deals?a=b?c');
  expect([page.status, page.headers['location']]).toEqual([308, './deals/?a=b?c']);
  expect((await get(createService({ basePath: '/deals' }), '/deals')).status).toBe(404);
  expect((await get(createService(), '/openapi.json')).json.servers).toMatchObject([{ url: '.' }]);
});

it('goes by the whole path if a framework has taken the prefix away', async () => {
  const handler = createTestHandler(undefined, { basePath: '/deals' });
  const send = async (target: string, originalTarget?: string) =>
    (
      await handler.handle({
        method: 'GET',
        target,
        originalTarget,
        header: () => undefined,
        body: async () => new Uint8Array(),
        async *stream() {},
      })
    ).status;
  expect(await send('/healthz', '/deals/healthz')).toBe(200);
  expect(await send('/deals/healthz', '/x/deals/healthz')).toBe(404);
  expect(await send('/deals/healthz')).toBe(200);
});

test('a base path is a path, without a slash at its end', () => {
  const isBasePath = (basePath: unknown) => {
    createService({ basePath: basePath as string });
  };
  const segment = fc
    .stringMatching(/^(?:[\w~-]|%[\da-f]{2}){1,10}$/)
    .filter((each) => !/^(?:%2e){1,2}$/.test(each));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (segments) => {
      const path = segments.map((each) => `/${each}`).join('');
      isBasePath(path);
      for (const wrong of [
        `${path}/..`,
        `${path}/.`,
        `${path}/%x`,
        `${path}/`,
        path.slice(1),
        `/${path}`,
        `${path}?a`,
        `${path} `,
      ]) {
        expect(() => isBasePath(wrong)).toThrow(/basePath is a path/);
      }
    }),
  );
  for (const wrong of ['/', 5, null, ['/deals'], '/a/../b', '/%2e%2E/a'])
    expect(() => isBasePath(wrong)).toThrow(/basePath/);
  isBasePath('');
});

test('readyz asks the store, and says why only to the host', async () => {
  const ports = createPorts();
  let isDown = true;
  const byId: typeof ports.store.deals.byId = (...asked) =>
    isDown ? unavailable({ outcome: 'none', cause: 'secret' }) : ports.store.deals.byId(...asked);
  const store = { ...ports.store, deals: { ...ports.store.deals, byId } };
  const causes: unknown[] = [];
  const handler = createService({
    ports: { ...ports, store },
    onError: ({ port, cause }) => causes.push([port, cause]),
  });
  const down = await ask(handler, '/readyz', { method: 'GET', headers: {} });
  expect([down.status, down.json.code]).toEqual([503, 'unavailable']);
  expect(JSON.stringify(down)).not.toContain('secret');
  expect(causes).toEqual([['store.deals.byId', 'secret']]);
  expect((await get(handler, '/healthz')).status).toBe(200);
  isDown = false;
  for (const path of ['/readyz', '/readyz/']) {
    expect((await ask(handler, path, { method: 'GET', headers: {} })).json).toEqual({
      status: 'ok',
    });
  }
  expect((await ask(handler, '/readyz', { headers: asAcme })).status).toBe(405);
});
