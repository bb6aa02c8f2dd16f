import { createMarketplace } from 'dealwright';
import { createHandler, type HandlerOptions } from 'dealwright/http';
import { ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';

const ports = createPorts();
const good: HandlerOptions = { ...ports, authenticator: { authenticate: () => ok(undefined) } };

test.each([
  [{ clock: undefined }, 'clock.now'],
  [{ ids: {} }, 'ids.next'],
  [{ digest: 'sha256' }, 'digest'],
  [{ authenticator: undefined }, 'authenticator.authenticate'],
  [{ limiter: {} }, 'limiter.take'],
  [{ onRequest: true }, 'onRequest'],
  [{ onError: 'log' }, 'onError'],
  [{ environment: 'staging' }, 'environment'],
  [{ versions: { sandbox: ['3.0'] } }, 'versions'],
  [{ versions: { production: '1.0' } }, 'versions'],
  [{ deprecation: { since: '2026-01-01' } }, 'deprecation'],
  [{ deprecation: { since: new Date(0), sunset: new Date(Number.NaN) } }, 'deprecation'],
  [{ deprecation: { since: new Date(0), guide: '/migrate' } }, 'deprecation.guide'],
  [{ deprecation: { since: new Date(0), guide: 'https://a.example/>, <b' } }, 'deprecation.guide'],
  [{ corsOrigins: ['https://app.example.com/'] }, 'corsOrigins'],
  [{ corsOrigins: ['app.example.com'] }, 'corsOrigins'],
  [{ corsOrigins: 'https://app.example.com' }, 'corsOrigins'],
  [{ bodyLimit: 0 }, 'bodyLimit'],
  [{ deadline: 0 }, 'deadline'],
  [{ retryAfter: -1 }, 'retryAfter'],
  [{ tokenCacheSize: 0.5 }, 'tokenCacheSize'],
  [{ tokenCacheAge: 60_001 }, 'tokenCacheAge'],
])('%o is a mistake in the wiring', (wrong, name) => {
  const options = { ...good, ...(wrong as Partial<HandlerOptions>) };
  const marketplace = createMarketplace(ports);
  expect(() => createHandler(marketplace, options)).toThrow(TypeError);
  expect(() => createHandler(marketplace, options)).toThrow(name);
  expect(() => createHandler(marketplace, good)).not.toThrow();
});

test('a marketplace is one', () => {
  expect(() => createHandler({} as never, good)).toThrow('marketplace.partner');
});
