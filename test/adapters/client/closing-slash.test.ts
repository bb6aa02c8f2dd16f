import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createClient, type DealwrightClient, type ExchangeReport } from 'dealwright/client';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler, serve } from '../../kit/service.js';
import { token } from './service.js';
import { listen } from './tour-stops.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** How hosts write the address of the other form of a path. */
const spellings: Readonly<Record<string, (path: string, request: IncomingMessage) => string>> = {
  'a path': (path) => path,
  'an address': (path, { headers }) => `http://${headers.host}${path}`,
  'a path relative to its own': (path) => `../${path.split('/').slice(-1)}`,
};

/** A service in a host that answers one form of a path, and redirects the other. */
async function serveForm(status: number, spell: NonNullable<(typeof spellings)[string]>) {
  const seen: string[] = [];
  const host = { isClosed: false };
  const mount =
    (service: RequestListener): RequestListener =>
    (request, response) => {
      const { url = '' } = request;
      seen.push(`${request.method} ${url}`);
      const [path = '', query] = url.split('?');
      if (path.endsWith('/') === host.isClosed) return service(request, response);
      const other = host.isClosed ? `${path}/` : path.slice(0, -1);
      redirect(status, spell(query === undefined ? other : `${other}?${query}`, request))(
        request,
        response,
      );
    };
  const { baseUrl, close } = await serve(createTestHandler(), mount);
  closers.push(close);
  return { api: createClient({ baseUrl, token }), baseUrl, seen, host };
}

/** Reads the body first: an unread body breaks the connection of some runtimes. */
const redirect =
  (status: number, location: string) => (request: IncomingMessage, response: ServerResponse) => {
    request.resume().on('end', () => response.writeHead(status, { location }).end('Elsewhere'));
  };

const bytes = new TextEncoder().encode('The draft');
async function* once(): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Calls of each kind: a create, reads with and without a query, an upload, a download, a command. */
async function useAll(api: DealwrightClient): Promise<void> {
  await api.registerContractor(contractor);
  const { id } = (await api.createDeal(deal))._unsafeUnwrap();
  const partner_id = 'a/b c%z+?#ł';
  (await api.createDealV2({ ...dealV2, partner_id }))._unsafeUnwrap();
  expect((await api.retrieveDealDetails(partner_id))._unsafeUnwrap()).toMatchObject({ partner_id });
  const query = { status: 'created', page_size: 1 } as const;
  expect((await api.listDeals(query))._unsafeUnwrap().results).toHaveLength(1);
  const stored = (await api.uploadFile({ id }, { name: 'a', content: once() }))._unsafeUnwrap();
  const file = (await api.downloadWorkFile(deal.partner_id, stored.id))._unsafeUnwrap();
  const pieces: Uint8Array[] = [];
  for await (const piece of file.content) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('The draft');
  (await api.invite(partner_id))._unsafeUnwrap();
}

describe('a host that answers paths without their closing slash alone', () => {
  it.each(
    [307, 308].flatMap((status) => ['a path', 'an address'].map((name) => [status, name] as const)),
  )('and redirects by %i to %s is asked twice once, and never again', async (status, name) => {
    const { api, seen } = await serveForm(status, spellings[name] ?? String);
    await useAll(api);
    expect(seen.slice(0, 2)).toEqual(['POST /api/1.0/contractor/', 'POST /api/1.0/contractor']);
    const paths = seen.slice(1).map((line) => line.split('?')[0] ?? '');
    expect(paths.filter((path) => path.endsWith('/'))).toEqual([]);
    expect(paths).toHaveLength(8);
  });

  it('may say so relative to the path', async () => {
    const { api, seen } = await serveForm(308, spellings['a path relative to its own'] ?? String);
    expect((await api.listCategories()).isOk()).toBe(true);
    expect(seen).toHaveLength(2);
  });

  it('may write the escapes of a query in another way', async () => {
    const spell = (path: string) => path.replaceAll('+', '%20').replaceAll('%2F', '/');
    const { api, seen } = await serveForm(308, spell);
    const missing = (await api.retrieveDealDetails('a/b c+d'))._unsafeUnwrapErr();
    expect(missing.code).toBe('not_found');
    expect(seen[1]).toBe('GET /api/2.0/deal/by-id?partner_id=a%2Fb+c%2Bd');
  });

  it('may answer paths with a closing slash alone from one day on', async () => {
    const { api, seen, host } = await serveForm(308, String);
    expect((await api.listCategories()).isOk()).toBe(true);
    host.isClosed = true;
    expect((await api.listCategories()).isOk()).toBe(true);
    await useAll(api);
    expect(seen).toHaveLength(12);
    expect(seen.slice(2, 4).map((line) => line.endsWith('/'))).toEqual([false, true]);
  });

  it('gets a file that can be read once with the next call', async () => {
    const { api, baseUrl, seen } = await serveForm(308, String);
    const { id } = await createDealOf(createClient({ baseUrl, token }));
    seen.splice(0);
    const upload = () => api.uploadFile({ id }, { name: 'a', content: once() });
    const error = (await upload())._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unexpected_response', status: 308 });
    expect((await upload()).isOk()).toBe(true);
    expect(seen).toHaveLength(2);
  });

  it('gets a file that can be read again with the same call', async () => {
    const { baseUrl, seen } = await serveForm(308, String);
    const { id } = await createDealOf(createClient({ baseUrl, token }));
    for (const content of [bytes, new Blob([bytes]), 'VGhlIGRyYWZ0']) {
      seen.splice(0);
      const progress: number[] = [];
      const stored = await createClient({ baseUrl, token }).uploadFile(
        { id },
        { name: 'a', content },
        { onProgress: ({ sent }) => progress.push(sent) },
      );
      expect(stored._unsafeUnwrap().size).toBe(9);
      expect(seen).toHaveLength(2);
      expect(progress.at(-1)).toBe(9);
    }
  });

  it('is in reports, and does not count as an attempt', async () => {
    const reports: ExchangeReport[] = [];
    const { baseUrl } = await serveForm(307, String);
    const onExchange = (report: ExchangeReport) => reports.push(report);
    const api = createClient({ baseUrl, token, attempts: 1, onExchange });
    expect((await api.listCategories()).isOk()).toBe(true);
    expect(reports.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 307],
      [1, 200],
    ]);
  });
});

async function createDealOf(api: DealwrightClient) {
  await api.registerContractor(contractor);
  return (await api.createDeal(deal))._unsafeUnwrap();
}

/** A server that redirects every request, and the requests that it has seen. */
async function serveRedirect() {
  const to = { status: 308, locationOf: (path: string): string => path };
  const seen: string[] = [];
  const { baseUrl, close } = await listen((request, response) => {
    seen.push(request.url ?? '');
    redirect(to.status, to.locationOf(request.url ?? ''))(request, response);
  });
  closers.push(close);
  return { baseUrl, seen, to };
}

const withoutSlash = (path: string) => path.replace(/\/(?=\?|$)/, '');

describe('a redirect', () => {
  const port = (baseUrl: string) => new URL(baseUrl).port;
  /** Values of Location other than the same address without its closing slash. */
  const others: readonly ((path: string, baseUrl: string) => string)[] = [
    (path) => path,
    (path) => `/${path}`,
    (path) => `/${withoutSlash(path)}`,
    (path) => `${withoutSlash(path)}//`,
    (path) => `//example.com${withoutSlash(path)}`,
    (path, baseUrl) => `${baseUrl.replace('http:', 'https:')}${withoutSlash(path)}`,
    (path, baseUrl) => `${baseUrl.replace('127.0.0.1', 'localhost')}${withoutSlash(path)}`,
    (path, baseUrl) => `${baseUrl.replace('127.0.0.1', '127.0.0.2')}${withoutSlash(path)}`,
    (path, baseUrl) => `http://user@127.0.0.1:${port(baseUrl)}${withoutSlash(path)}`,
    (path, baseUrl) => `http://127.0.0.1:${Number(port(baseUrl)) - 1}${withoutSlash(path)}`,
    (path) => `${withoutSlash(path)}#part`,
    (path) => `${withoutSlash(path)}${path.includes('?') ? '&' : '?'}more=1`,
    (path) => withoutSlash(path).replace(/\?.*|$/, '?page_size=2'),
    (path) => withoutSlash(path).replace('/api/', '/API/'),
    (path) => withoutSlash(path).replace('/api/', '/other/../api2/'),
    () => '/',
    () => '',
    () => 'http://',
  ];

  it('to anywhere else is refused, and not followed', async () => {
    const { baseUrl, seen, to } = await serveRedirect();
    const path = fc
      .webPath({ size: 'small' })
      .map((part) => (path: string) => (part === withoutSlash(path) ? `${part}x` : part));
    const location = fc.oneof(
      fc.constantFrom(...others),
      path,
      fc.webUrl().map((url) => () => url),
    );
    const calls = [
      (api: DealwrightClient) => api.listDeals({ page_size: 1 }),
      (api: DealwrightClient) => api.createDealV2(dealV2),
      (api: DealwrightClient) => api.uploadFile({ id: 1 }, { name: 'a', content: bytes }),
    ];
    const run = async (status: number, other: (typeof others)[number], call: (typeof calls)[0]) => {
      seen.splice(0);
      Object.assign(to, { status, locationOf: (path: string) => other(path, baseUrl) });
      const result = await call(createClient({ baseUrl, token }));
      const error = result._unsafeUnwrapErr();
      expect([error.code, 'status' in error && error.status]).toEqual([
        'unexpected_response',
        status,
      ]);
      expect(seen).toHaveLength(1);
    };
    for (const other of others) {
      for (const call of calls) await run(308, other, call);
    }
    const property = fc.asyncProperty(
      fc.constantFrom(307, 308),
      location,
      fc.constantFrom(...calls),
      run,
    );
    await fc.assert(property);
  });

  it.each([301, 302, 303, 300, 304])('by %i is refused wherever it leads', async (status) => {
    const { baseUrl, seen, to } = await serveRedirect();
    Object.assign(to, { status, locationOf: withoutSlash });
    const error = (await createClient({ baseUrl, token }).listCategories())._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unexpected_response', status });
    expect(seen).toHaveLength(1);
  });

  it('to and fro ends after one', async () => {
    const { baseUrl, seen, to } = await serveRedirect();
    to.locationOf = (path) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);
    const api = createClient({ baseUrl, token });
    for (const call of [1, 2, 3]) {
      const error = (await api.listCategories())._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'unexpected_response', status: 308 });
      expect(seen).toHaveLength(2 * call);
    }
  });
});

describe('a browser, which says of a redirect neither where it leads nor which one it is', () => {
  const countCalls = async (call: (api: DealwrightClient) => object, more = {}) => {
    const sent: string[] = [];
    const api = createClient({
      baseUrl: 'https://deals.example.com',
      token,
      fetch: async (url) => {
        sent.push(String(url));
        const { headers } = new Response();
        return { status: 0, type: 'opaqueredirect', headers, body: null, text: async () => '' };
      },
      ...more,
    });
    await call(api);
    return sent.length;
  };

  it('is asked again with the other form for what a second request does no harm', async () => {
    expect(await countCalls((api) => api.listCategories())).toBe(2);
    expect(await countCalls((api) => api.createDealV2(dealV2))).toBe(2);
    expect(await countCalls((api) => api.createDealV2(dealV2), { makeKeys: false })).toBe(1);
  });
});
