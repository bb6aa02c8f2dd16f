import { readFileSync } from 'node:fs';
import { createMarketplace, defaultValueSets } from 'dealwright';
import { exampleContractor } from 'dealwright/testing';
import { expect, it } from 'vitest';
import { eventExamples } from '../../../adapters/http/openapi/examples.js';
import { exampleFor } from '../../../adapters/http/openapi/operations.js';
import { postedEvents } from '../../../adapters/http/openapi/webhooks.js';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import { playExamples } from '../../../scripts/examples.mjs';
import { createResponseCheck, get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { handlerOver, operators, tokenOf } from '../../kit/service.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const handler = handlerOver(createMarketplace(createPorts()), { operatorAuthenticator: operators });

interface Operation {
  readonly operationId: string;
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: Examples }>>;
}
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

async function operationsOf(): Promise<ReadonlyMap<string, Operation>> {
  const { paths } = JSON.parse(String((await get(handler, '/openapi.json')).body));
  const all = Object.values<Record<string, Operation>>(paths).flatMap((each) =>
    Object.values(each),
  );
  return new Map(all.map((each) => [each.operationId, each]));
}

// npm run examples writes them again
it('the examples are what a service answers', async () => {
  const path = new URL('../../../adapters/http/openapi/examples.ts', import.meta.url);
  expect(await playExamples()).toBe(readFileSync(path, 'utf8'));
});

it('a foreign validator finds no fault in them', async () => {
  const check = await createResponseCheck(handler);
  for (const route of allRoutes()) {
    const { name, status, version, answer } = route;
    if (answer === 'file') continue;
    const { data } = exampleFor(route, defaultValueSets);
    const body = JSON.stringify(version === '1.0' ? { success: true, data } : { data });
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'r',
      ...(/Categor/.test(name) && { 'content-language': 'en' }),
    };
    expect([name, check(name, { status, headers, body })]).toEqual([name, []]);
  }
});

it('there is an example of each event that is posted', () => {
  const types = postedEvents.map(([type]) => type);
  expect(Object.keys(eventExamples).sort()).toEqual([...types].sort());
});

it('what names a deal by a parameter has the example of its twin', async () => {
  const operations = await operationsOf();
  const twins = [...operations.values()].filter((each) => /ByParameter$/.test(each.operationId));
  expect(twins.length).toBeGreaterThan(10);
  for (const { operationId, requestBody, responses } of twins) {
    const twin = operations.get(operationId.replace('ByParameter', ''));
    expect([operationId, requestBody, responses]).toEqual([
      operationId,
      twin?.requestBody,
      twin?.responses,
    ]);
  }
});

it('a host that has other values is shown those', () => {
  const route = allRoutes().find(({ name }) => name === 'createDealV2');
  if (route === undefined) throw new Error('there is no createDealV2');
  const { body } = exampleFor(route, { copyright_transfer: ['none'], freelancer_language: ['en'] });
  expect(body).toMatchObject({ copyright_transfer: 'none', freelancer_language: 'en' });
});

it('refusals that no scene shows are worded as the service words them', async () => {
  const operation = (await operationsOf()).get('registerContractor');
  const headers = {
    authorization: `Token ${tokenOf(acme)}`,
    'content-type': 'application/json',
    'x-request-id': '01KDVHF0800000000000000000',
  };
  const post = async (text: string) => {
    const bytes = new TextEncoder().encode(text);
    const { body = '' } = await handler.handle({
      method: 'POST',
      target: '/api/1.0/contractor/',
      header: (name) => headers[name as keyof typeof headers],
      body: async (limit) => (bytes.length > limit ? 'too_large' : bytes),
      async *stream() {},
    });
    return JSON.parse(String(body));
  };
  const contractor = JSON.stringify(exampleContractor);
  await post(contractor);
  const answered = {
    invalid_json: await post('{'),
    contractor_exists: await post(contractor),
    payload_too_large: await post(`"${'a'.repeat(2 ** 20)}"`),
    not_found: JSON.parse(String((await get(handler, '/api/1.0/deal/99/', headers)).body)),
  };
  const { components } = JSON.parse(String((await get(handler, '/openapi.json')).body));
  const shown: Record<string, unknown> = {};
  for (const { $ref, content } of Object.values(operation?.responses ?? {})) {
    const answer =
      $ref === undefined ? { content } : components.responses[$ref.split('/')[3] ?? ''];
    for (const [code, { value }] of Object.entries<{ value: unknown }>(
      answer.content?.['application/json']?.examples ?? {},
    )) {
      shown[code] = value;
    }
  }
  for (const [code, body] of Object.entries(answered)) {
    expect([code, body]).toEqual([code, shown[code]]);
  }
});
