import { createFetchHandler, type Handler } from 'dealwright/http';
import { afterEach, expect, test, vi } from 'vitest';
import { ask as askHandler, createService } from './service.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A handler that writes down each step of each request. */
function createWitness(): { readonly handler: Handler; readonly steps: string[] } {
  const steps: string[] = [];
  const handler: Handler = {
    async handle({ target }) {
      steps.push(`${target} begins`);
      await undefined;
      steps.push(`${target} ends`);
      return { status: 200, headers: {}, body: target };
    },
  };
  return { handler, steps };
}

const ask = (path: string) => new Request(`http://localhost${path}`);

test('requests of one turn are answered side by side, those of the next after them', async () => {
  const { handler, steps } = createWitness();
  const handle = createFetchHandler(handler);
  await Promise.all([handle(ask('/a')), handle(ask('/b'))]);
  await handle(ask('/c'));
  expect(steps).toEqual(['/a begins', '/b begins', '/a ends', '/b ends', '/c begins', '/c ends']);
});

test('large bodies are parsed one a turn, and small ones beside them', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const service = createService();
  const send = async (size: number) => {
    await askHandler(service, '/api/2.0/deal/', { body: '{}'.padEnd(size) });
    return turn;
  };
  const large = await Promise.all([20_000, 20_000, 20_000, 20_000].map(send));
  expect(new Set(large).size).toBe(4);
  const small = await Promise.all([1000, 1000, 1000, 1000].map(send));
  expect(new Set(small).size).toBe(1);
  isOver = true;
});

test('a request is answered while a test holds the time still', async () => {
  const { handler } = createWitness();
  const handle = createFetchHandler(handler);
  vi.useFakeTimers();
  expect((await handle(ask('/a'))).status).toBe(200);
});

test.each([
  ['without setImmediate', { setImmediate: undefined }],
  ['that keeps requests apart', { navigator: { userAgent: 'Cloudflare-Workers' } }],
])('a runtime %s has no turns to wait for', async (_, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.resetModules();
  const fresh = await import('dealwright/http');
  const { handler, steps } = createWitness();
  const answered = fresh.createFetchHandler(handler)(ask('/a'));
  expect(steps).toEqual(['/a begins']);
  expect((await answered).status).toBe(200);
});
