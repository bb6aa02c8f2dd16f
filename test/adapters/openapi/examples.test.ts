import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue } from 'dealwright/categories';
import { createHandler, type Handler } from 'dealwright/http';
import { createManualClock } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { type RouteName, routes } from '../../../adapters/http/wire/routes.js';
import { createResponseCheck, get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string | number;
}
interface Media {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
interface Operation {
  readonly operationId: RouteName;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, Media>> }>
  >;
}

const token = 'secret-token';
const exampleId = '01KDVE0000000000000000000A';

/** A service in which what is new each time is what the examples show. */
function createExampleService() {
  const timer = createManualClock();
  const ports = {
    ...createPorts(),
    clock: timer,
    timer,
    categories: createCategoryCatalogue([
      {
        id: 7,
        name: { en: 'Texts', pl: 'Teksty' },
        subcategories: [{ id: 75, name: { en: 'Copywriting', pl: 'Copywriting' } }],
      },
    ]),
    paymentTokens: {
      issue: () => ok('Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG'),
      verify: () => ok('valid' as const),
    },
  };
  const authenticator = {
    authenticate: (given: string) =>
      ok(given === token ? ({ environment: 'sandbox', partner: 'acme' } as const) : undefined),
  };
  return { timer, handler: createHandler(createMarketplace(ports), { ...ports, authenticator }) };
}

async function operationsOf(handler: Handler): Promise<readonly Operation[]> {
  const { body = '' } = await get(handler, '/openapi.json');
  const { paths, components } = JSON.parse(body) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: {
      readonly responses: Readonly<Record<string, Operation['responses'][string]>>;
    };
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          '$ref' in response
            ? (components.responses[String(response.$ref).split('/').at(-1) ?? ''] ?? response)
            : response,
        ]),
      ),
    }));
}

/** The path and the query of the example parameters. */
function targetOf({ operationId, parameters }: Operation): string {
  const query = new URLSearchParams();
  let target: string = routes[operationId].path;
  for (const each of parameters) {
    if ('$ref' in each || each.example === undefined) continue;
    if (each.in === 'path') {
      target = target.replace(`{${each.name}}`, encodeURIComponent(each.example));
    } else query.set(each.name, String(each.example));
  }
  return query.size === 0 ? target : `${target}?${query}`;
}

async function send(
  handler: Handler,
  { operationId }: Operation,
  target: string,
  body: string | FormData | undefined,
) {
  const { method } = routes[operationId];
  const request = new Request(`http://localhost${target}`, { method, body: body ?? null });
  const headers: Readonly<Record<string, string | undefined>> = {
    authorization: `Token ${token}`,
    'x-request-id': exampleId,
    'content-type':
      typeof body === 'string'
        ? 'application/json'
        : (request.headers.get('content-type') ?? undefined),
  };
  const bytes = new Uint8Array(await request.arrayBuffer());
  return handler.handle({
    method,
    target,
    header: (name) => headers[name],
    body: async (limit) => (bytes.length > limit ? 'too_large' : bytes),
    async *stream() {
      yield bytes;
    },
  });
}

function formOf(fields: object, name: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'file') form.set(field, new File([value], name, { type: 'text/plain' }));
    else form.set(field, String(value));
  }
  return form;
}

/** The ids of files are new each time. */
const masked = (json: string | undefined): unknown =>
  JSON.parse((json ?? '').replace(/"id":"[0-7][0-9A-HJKMNP-TV-Z]{25}"/g, '"id":"<ulid>"'));

it('every operation answers its example request with its example answer', async () => {
  const { timer, handler } = createExampleService();
  const checkResponse = await createResponseCheck(handler);
  const all = new Map((await operationsOf(handler)).map((each) => [each.operationId, each]));
  const sent: string[] = [];
  for (const name of Object.keys(routes) as RouteName[]) {
    const operation = all.get(name);
    if (operation === undefined) throw new Error(`${name} is not in the document`);
    const shown = operation.responses[routes[name].status]?.content['application/json']?.example;
    const { 'application/json': json, 'multipart/form-data': form } =
      operation.requestBody?.content ?? {};
    const bodies = [
      json?.example && JSON.stringify(json.example),
      ...(form?.example === undefined ? [] : [formOf(form.example, 'draft.txt')]),
    ];
    if (name === 'createDealV2') timer.advance(60 * 60 * 1000);
    for (const body of bodies) {
      const response = await send(handler, operation, targetOf(operation), body);
      expect([name, response.status]).toEqual([name, routes[name].status]);
      expect(checkResponse(name, response)).toEqual([]);
      expect(masked(response.body)).toEqual(masked(JSON.stringify(shown)));
      sent.push(name);
    }
  }
  expect(new Set(sent).size).toBe(10);
  expect(sent.length).toBe(11);
});

it('every refusal of a field is shown as the service words it', async () => {
  const { handler } = createExampleService();
  let shown = 0;
  for (const operation of await operationsOf(handler)) {
    const examples = operation.responses['400']?.content['application/json']?.examples ?? {};
    const expected = examples['validation_failed']?.value as
      | { readonly errors: readonly { readonly path: readonly string[] }[] }
      | undefined;
    if (expected === undefined) continue;
    shown += 1;
    const field = expected.errors[0]?.path[0] ?? '';
    const body = operation.requestBody?.content['application/json']?.example;
    const { [field]: _, ...others } = Object(body) as Readonly<Record<string, unknown>>;
    const target = body === undefined ? `${targetOf(operation)}&${field}=0` : targetOf(operation);
    // the deal of the example file
    if (operation.operationId === 'uploadFile') {
      const all = await operationsOf(handler);
      for (const name of ['registerContractor', 'createDeal'] as const) {
        const each = all.find(({ operationId }) => operationId === name);
        if (each === undefined) throw new Error(`${name} is not in the document`);
        const example = each.requestBody?.content['application/json']?.example;
        await send(handler, each, targetOf(each), JSON.stringify(example));
      }
    }
    const response = await send(
      handler,
      operation,
      target,
      body === undefined ? undefined : JSON.stringify(others),
    );
    expect(JSON.parse(response.body ?? '')).toEqual(expected);
  }
  expect(shown).toBe(5);
});

it('every other refusal is shown as the service words it', async () => {
  const { handler } = createExampleService();
  const [operation] = await operationsOf(handler);
  if (operation === undefined) throw new Error('there is no operation');
  const example = operation.requestBody?.content['application/json']?.example;
  const body = JSON.stringify(example);
  const asked: Readonly<Record<string, () => ReturnType<typeof send>>> = {
    invalid_json: () => send(handler, operation, targetOf(operation), '{'),
    contractor_exists: async () => {
      await send(handler, operation, targetOf(operation), body);
      return send(handler, operation, targetOf(operation), body);
    },
    payload_too_large: () =>
      send(handler, operation, targetOf(operation), `"${'a'.repeat(2 ** 20)}"`),
    not_found: () => send(handler, operation, '/api/1.0/nothing/', body),
  };
  const shown = Object.assign(
    {},
    ...Object.values(operation.responses).map(
      ({ content }) => content['application/json']?.examples ?? {},
    ),
  );
  for (const [code, ask] of Object.entries(asked)) {
    const { body: answered = '' } = await ask();
    expect([code, JSON.parse(answered)]).toEqual([code, shown[code]?.value]);
  }
});
