import { createFetchHandler, type Handler } from 'dealwright/http';
import { afterEach, expect, test, vi } from 'vitest';

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
