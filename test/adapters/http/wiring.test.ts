import { createMarketplace } from 'dealwright';
import { createFetchHandler, createHandler, type HandlerOptions } from 'dealwright/http';
import { createClientErrorListener, createNodeListener } from 'dealwright/node';
import { createPages } from 'dealwright/pages';
import { createReferencePage } from 'dealwright/reference';
import { ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';

const ports = createPorts();
const good: HandlerOptions = { ...ports, authenticator: { authenticate: () => ok(undefined) } };

test.each([
  [{ timer: undefined }, 'timer.now'],
  [{ ids: {} }, 'ids.next'],
  [{ digest: 'sha256' }, 'digest'],
  [{ authenticator: undefined }, 'authenticator.authenticate'],
  [{ limiter: {} }, 'limiter.take'],
  [{ onRequest: true }, 'onRequest'],
  [{ onError: 'log' }, 'onError'],
  [{ environment: 'staging' }, 'environment'],
  [{ versions: { sandbox: ['3.0'] } }, 'versions'],
  [{ versions: { production: '1.0' } }, 'versions'],
  [{ versions: { staging: ['1.0'] } }, /versions has no 'staging', it takes production, sandbox/],
  [{ versions: ['2.0'] }, 'versions is an object that takes production, sandbox'],
  [{ deprecation: { since: new Date(0), until: new Date(1) } }, "deprecation has no 'until'"],
  [{ deprecation: '2026-01-01' }, 'deprecation is an object'],
  [{ pages: createPages }, 'pages is what createPages() makes'],
  [{ referencePage: createReferencePage }, 'referencePage is what createReferencePage() makes'],
  [{ deprecation: { since: '2026-01-01' } }, 'deprecation'],
  [{ deprecation: { since: new Date(0), sunset: new Date(Number.NaN) } }, 'deprecation'],
  [{ deprecation: { since: new Date(0), guide: '/migrate' } }, 'deprecation.guide'],
  [{ deprecation: { since: new Date(0), guide: 'https://a.example/>, <b' } }, 'deprecation.guide'],
  [{ corsOrigins: ['https://app.example.com/'] }, 'corsOrigins'],
  [{ corsOrigins: ['https://*.example.com'] }, 'none with a wildcard'],
  [{ corsOrigins: ['app.example.com'] }, 'corsOrigins'],
  [{ corsOrigins: 'https://app.example.com' }, 'corsOrigins'],
  [{ corsHeaders: ['X-A, X-B'] }, 'corsHeaders'],
  [{ corsHeaders: 'X-A' }, 'corsHeaders'],
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

const handler = createHandler(createMarketplace(ports), good);
const marketplace = createMarketplace(ports);

test.each<[string, (given: never) => unknown, unknown, string]>([
  ['no marketplace', (given) => createHandler(given, good), undefined, 'marketplace.partner'],
  ['an empty marketplace', (given) => createHandler(given, good), {}, 'createMarketplace makes'],
  ['a handler as a marketplace', (given) => createHandler(given, good), handler, 'marketplace.'],
  ['no options', (given) => createHandler(marketplace, given), undefined, 'options is an object'],
  [
    'a name that is none',
    (given) => createHandler(marketplace, given),
    { ...good, basePaht: '/' },
    "has no 'basePaht'",
  ],
  [
    'no function',
    (given) => createNodeListener(handler, given),
    { resolveCaller: 1 },
    'resolveCaller is a function',
  ],
  ['a name for Fetch', (given) => createFetchHandler(handler, given), { base: 1 }, "has no 'base'"],
  ['no handler for Node', createNodeListener, undefined, 'createNodeListener: handler is'],
  ['a marketplace for Node', createNodeListener, marketplace, 'what createHandler makes'],
  ['no handler for Fetch', createFetchHandler, undefined, 'createFetchHandler: handler is'],
  ['a marketplace for Fetch', createFetchHandler, marketplace, 'what createHandler makes'],
  ['a name', (given) => createNodeListener(handler, given), { idle: 1 }, "options has no 'idle'"],
  ['a number', (given) => createNodeListener(handler, given), 5, 'options is an object'],
  ['no ids', createClientErrorListener, undefined, 'createClientErrorListener: ids.next'],
  ['ids without next', createClientErrorListener, { ids: 1 }, 'ids.next is a function'],
])('%s is a mistake in the wiring too', (_, make, given, message) => {
  expect(() => make(given as never)).toThrow(TypeError);
  expect(() => make(given as never)).toThrow(message);
});
