import { createMarketplace } from 'dealwright';
import { createHandler, type HandlerOptions } from 'dealwright/http';
import { createManualClock } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../adapters/http/wire/routes.js';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { createTestHandler } from '../../kit/service.js';

interface Operation {
  readonly operationId: string;
  readonly deprecated?: true;
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

async function documentOf(options: Partial<HandlerOptions> = {}): Promise<Document> {
  const { status, body = '' } = await get(createTestHandler(undefined, options), '/openapi.json');
  expect(status).toBe(200);
  return JSON.parse(String(body));
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

const countOf = (of: string) =>
  Object.values(routes).filter(({ version }) => version === of).length;

describe('the document', () => {
  it('has an operation for each row of the table, and no other', async () => {
    const document = await documentOf();
    expect(document.openapi).toBe('3.1.0');
    const found = operationsOf(document).map(({ operationId, path, method, deprecated }) => ({
      name: operationId,
      path,
      method: method.toUpperCase(),
      version: deprecated ? '1.0' : '2.0',
    }));
    const expected = Object.values(routes).map(({ name, path, method, version }) => ({
      name,
      path,
      method,
      version,
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(found.sort(byName)).toEqual(expected.sort(byName));
  });

  it('leaves out a version that is not served, and what only that one needs', async () => {
    const only2 = await documentOf({ versions: { production: ['2.0'], sandbox: ['2.0'] } });
    expect(operationsOf(only2).filter(({ path }) => path.includes('/1.0/'))).toEqual([]);
    expect(operationsOf(only2).length).toBe(countOf('2.0'));
    expect(Object.keys(only2.components['schemas'] ?? {})).not.toContain('ContractorInput');
    expect(only2.tags.map(({ name }) => name)).toEqual(['Version 2.0']);

    const only1 = await documentOf({
      environment: 'production',
      versions: { production: ['1.0'] },
    });
    expect(operationsOf(only1).length).toBe(countOf('1.0'));
    expect(only1.info.version).toBe('1.0');
    expect(operationsOf(only1).every(({ deprecated }) => deprecated)).toBe(true);
  });

  it('says where a version is served', async () => {
    const document = await documentOf({ versions: { production: ['1.0'] } });
    expect(document.tags).toEqual([
      { name: 'Version 2.0', description: 'Served in: sandbox.' },
      { name: 'Version 1.0', description: 'Deprecated. Served in: production, sandbox.' },
    ]);
  });

  it('tells the dates of the deprecation where the host gives them', async () => {
    const deprecation = {
      since: new Date('2026-12-01T00:00:00Z'),
      guide: 'https://example.com/migrate',
    };
    const told = await documentOf({ deprecation });
    expect(told.components['headers']).toMatchObject({
      Deprecation: { example: '@1796083200' },
      Link: { example: '<https://example.com/migrate>; rel="deprecation"; type="text/html"' },
    });
    expect(told.components['headers']).not.toHaveProperty('Sunset');
    expect((await documentOf()).components['headers']).not.toHaveProperty('Deprecation');
  });

  it("holds the host's own sets and limits", async () => {
    const ports = createPorts();
    const marketplace = createMarketplace(ports, {
      fileLimit: 4321,
      valueSets: { freelancer_language: ['de'] },
    });
    const authenticator = { authenticate: () => ok(undefined) };
    const handler = createHandler(marketplace, { ...ports, authenticator, bodyLimit: 1234 });
    const { body = '' } = await get(handler, '/openapi.json');
    const { schemas = {} } = (JSON.parse(String(body)) as Document).components;
    expect(schemas['DealV2Input']).toMatchObject({
      description: 'At most 1234 bytes.',
      properties: { freelancer_language: { enum: ['de'] } },
    });
    expect(JSON.stringify(schemas['FileForm'])).toContain('of at most 4321 bytes');
    expect(body).toContain('"max_bytes":1234');
  });
});

describe('GET /openapi.json', () => {
  it('needs no token, and is told apart by a tag', async () => {
    const handler = createTestHandler();
    const first = await get(handler, '/openapi.json');
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    });
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    for (const asked of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(handler, '/openapi.json', { 'if-none-match': asked });
      expect([again.status, again.body, again.headers['etag']]).toEqual([304, undefined, etag]);
    }
    const other = await get(handler, '/openapi.json?x', { 'if-none-match': '"other"' });
    expect([other.status, other.body]).toEqual([200, first.body]);
  });

  it('answers HEAD and OPTIONS, and refuses the rest', async () => {
    const handler = createTestHandler();
    const { body = '' } = await get(handler, '/openapi.json');
    const head = await get(handler, '/openapi.json', {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, undefined]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(String(body))));
    const options = await get(handler, '/openapi.json', {}, 'OPTIONS');
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await get(handler, '/openapi.json', {}, 'POST');
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('is made once, when it is first asked for', async () => {
    let digests = 0;
    const ports = createPorts();
    const handler = createTestHandler(
      { ...ports, timer: createManualClock() },
      {
        digest: (text) => {
          digests += 1;
          return ports.digest(text);
        },
      },
    );
    expect(digests).toBe(0);
    await get(handler, '/openapi.json');
    await get(handler, '/openapi.json');
    expect(digests).toBe(1);
  });
});
