import { createMarketplace } from 'dealwright';
import { createHandler, type HandlerOptions } from 'dealwright/http';
import { type Lifecycle, lifecycle } from 'dealwright/life';
import { createManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import type { Face, Route } from '../../../adapters/http/wire/route.js';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { createTestHandler, handlerOver, operators, tokenOf } from '../../kit/service.js';

interface Operation {
  readonly operationId: string;
  readonly deprecated?: true;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
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

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** The names of the routes of some faces. */
const namesOf = (faces: readonly Face[], isMeant: (route: Route) => boolean = () => true) =>
  allRoutes()
    .filter((route) => faces.includes(route.face) && isMeant(route))
    .map(({ name }) => name)
    .sort();
const idsOf = (document: Document) =>
  operationsOf(document)
    .map(({ operationId }) => operationId)
    .sort();
const operatorAuthenticator = operators;
const everybody = { operatorAuthenticator };
const others: readonly Face[] = ['freelancer', 'operator', 'sandbox'];

describe('the document', () => {
  it('has an operation for each row of the table, and no other', async () => {
    const document = await documentOf(everybody);
    expect(document.openapi).toBe('3.1.0');
    const found = operationsOf(document).map(({ operationId, path, method, deprecated }) => ({
      name: operationId,
      path,
      method: method.toUpperCase(),
      version: deprecated ? '1.0' : '2.0',
    }));
    const expected = allRoutes().map(({ name, path, method, version }) => ({
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
    expect(idsOf(only2)).toEqual(
      namesOf(['partner', 'freelancer', 'sandbox'], ({ version }) => version === '2.0'),
    );
    expect(Object.keys(only2.components['schemas'] ?? {})).not.toContain('ContractorInput');
    expect(only2.tags.map(({ name }) => name)).toEqual([
      'Version 2.0',
      'Offer (freelancer)',
      'Sandbox',
      'Webhooks',
    ]);

    const only1 = await documentOf({
      environment: 'production',
      versions: { production: ['1.0'] },
    });
    // routes by partner_id are served with either version (decision 6.7)
    const isThere = ({ version, isOfEither }: Route) => version === '1.0' || isOfEither;
    expect(idsOf(only1)).toEqual(namesOf(['partner', 'freelancer'], isThere));
    expect(only1.info.version).toBe('1.0');
    expect(only1.tags).toMatchObject([
      {
        name: 'Version 2.0',
        description: 'What names a deal by its `partner_id` is served in: production.',
      },
      { name: 'Version 1.0', description: 'Deprecated. Served in: production.' },
      { name: 'Offer (freelancer)' },
    ]);
  });

  it('has the paths of a face only if the handler has the face', async () => {
    for (const [options, faces] of [
      [{}, ['freelancer', 'sandbox']],
      [everybody, others],
      [{ environment: 'production' }, ['freelancer']],
      [{ versions: { sandbox: [] } }, ['freelancer']],
    ] as const) {
      expect(idsOf(await documentOf(options))).toEqual(namesOf(['partner', ...faces]));
    }
    const { partner, valueSets, fileLimit } = createMarketplace(createPorts());
    const handler = handlerOver({ partner, valueSets, fileLimit }, everybody);
    const { body } = await get(handler, '/openapi.json');
    expect(idsOf(JSON.parse(String(body)))).toEqual(namesOf(['partner']));
  });

  it('says who calls, by which credentials', async () => {
    const document = await documentOf(everybody);
    const tags = { freelancer: 'Offer (freelancer)', operator: 'Operator', sandbox: 'Sandbox' };
    const schemes = { freelancer: 'offer', operator: 'operator' };
    const found = new Map(operationsOf(document).map((each) => [each.operationId, each]));
    for (const { name, face, version } of allRoutes()) {
      const { security, tags: own, responses } = found.get(name) ?? {};
      const [, refusal = ''] = responses?.['401']?.$ref?.split('/responses/') ?? [];
      const scheme = Object.entries(schemes).find(([of]) => of === face)?.[1];
      const tag = Object.entries(tags).find(([of]) => of === face)?.[1];
      // the credentials of every face
      const any = name === 'retrievePromises' && ['token', 'offer', 'operator'];
      expect([name, security, own]).toEqual([
        name,
        any ? any.map((each) => ({ [each]: [] })) : scheme && [{ [scheme]: [] }],
        [tag ?? `Version ${version}`],
      ]);
      const word = titled(scheme ?? 'token');
      expect(document.components['responses']?.[refusal]).toMatchObject({
        headers: {
          'WWW-Authenticate': { schema: { pattern: `^${word}(?: error="foreign_origin")?$` } },
        },
      });
    }
    expect(Object.keys(document.components['securitySchemes'] ?? {})).toEqual([
      ...['token', 'offer', 'operator'],
    ]);
    expect(Object.keys((await documentOf()).components['securitySchemes'] ?? {})).toEqual([
      ...['token', 'offer'],
    ]);
  });

  it("has the commands of a host's own life cycle, and no others", async () => {
    const archive: Lifecycle[number] = {
      command: 'send-to-archive',
      by: ['partner', 'operator', 'freelancer'],
      from: ['completed'],
      requires: ['reason'],
      to: 'archived',
    };
    const own = lifecycle.filter(({ command }) => command !== 'invite');
    const marketplace = createMarketplace(createPorts(), { lifecycle: [...own, archive] });
    const handler = handlerOver(marketplace, everybody);
    const { body } = await get(handler, '/openapi.json');
    const document: Document = JSON.parse(String(body));
    const added = ['sendToArchive', 'freelancerSendToArchive', 'operatorSendToArchive'];
    const byParameter = added.filter((name) => !name.startsWith('freelancer'));
    expect(idsOf(document)).toEqual(
      [
        ...namesOf(['partner', ...others], ({ command }) => command !== 'invite'),
        ...added,
        ...byParameter.map((name) => `${name}ByParameter`),
      ].sort(),
    );
    const [{ summary, requestBody } = {}] = operationsOf(document).filter(
      ({ operationId }) => operationId === 'freelancerSendToArchive',
    );
    expect([summary, requestBody?.required]).toEqual(['Give the command send-to-archive', true]);
    const asked = {
      authorization: `Token ${tokenOf({ environment: 'sandbox', partner: 'acme' })}`,
    };
    expect((await get(handler, '/api/2.0/deal/x/invite/', asked, 'POST')).status).toBe(404);
  });

  it('says where a version is served', async () => {
    const document = await documentOf({ versions: { production: ['1.0'] } });
    expect(document.tags.slice(0, 2)).toEqual([
      {
        name: 'Version 2.0',
        description:
          'Served in: sandbox. What names a deal by its `partner_id` is served in: production, sandbox.',
      },
      { name: 'Version 1.0', description: 'Deprecated. Served in: production, sandbox.' },
    ]);
  });

  it('tells the dates of the deprecation if the host gives them', async () => {
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
    });
    expect(schemas['FreelancerLanguageEnum']).toMatchObject({ type: 'string', enum: ['de'] });
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
