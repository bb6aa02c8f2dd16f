import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue } from 'dealwright/categories';
import { createHandler, type Handler } from 'dealwright/http';
import { createManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import {
  allRoutes,
  baseNameOf,
  type OperationName,
} from '../../../adapters/http/wire/all-routes.js';
import type { Face, Route } from '../../../adapters/http/wire/route.js';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { acme, paymentToken } from './example-names.js';
import { preparations, states } from './example-preparations.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string | number;
}
interface Media {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

const token = 'secret-token';
const staffToken = 'token-of-the-staff';
const exampleId = '01KDVE0000000000000000000A';
/** The deals of the examples: one of version 1.0, and one of version 2.0. */

/** The routes by their names. */
export const routes: ReadonlyMap<string, Route> = new Map(
  allRoutes().map((route) => [route.name, route]),
);

/** The route of an operation. */
export function routeOf({ operationId }: Pick<Operation, 'operationId'>): Route {
  const route = routes.get(operationId);
  if (route === undefined) throw new Error(`there is no route ${operationId}`);
  return route;
}

/** The credentials of each face. */
const credentials: Readonly<Record<Face, string>> = {
  partner: `Token ${token}`,
  freelancer: `Offer ${paymentToken}`,
  operator: `Operator ${staffToken}`,
  sandbox: `Token ${token}`,
};

/** A service in which what is new each time is what the examples show. */
export function createExampleService() {
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
      issue: () => ok(paymentToken),
      verify: () => ok('valid' as const),
      tenantOf: () => acme,
    },
  };
  const authenticator = { authenticate: (given: string) => ok(given === token ? acme : undefined) };
  const marketplace = createMarketplace(ports);
  const operatorAuthenticator = {
    authenticate: (given: string) => ok(given === staffToken ? ('sandbox' as const) : undefined),
  };
  const handler = createHandler(marketplace, { ...ports, authenticator, operatorAuthenticator });
  return { timer, marketplace, handler };
}

/** The documents of all these services are one and the same. */
let operations: Promise<ReadonlyMap<string, Operation>> | undefined;

export function operationsOf(handler: Handler): Promise<ReadonlyMap<string, Operation>> {
  operations ??= readOperations(handler);
  return operations;
}

async function readOperations(handler: Handler): Promise<ReadonlyMap<string, Operation>> {
  const { body = '' } = await get(handler, '/openapi.json');
  const { paths, components } = JSON.parse(String(body)) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: {
      readonly responses: Readonly<Record<string, Operation['responses'][string]>>;
    };
  };
  const all = Object.values(paths)
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
  return new Map(all.map((each) => [each.operationId, each]));
}

/** The path and the query of the example parameters. */
export function targetOf(operation: Operation): string {
  const query = new URLSearchParams();
  let target: string = routeOf(operation).path;
  for (const each of operation.parameters) {
    if ('$ref' in each || each.example === undefined) continue;
    if (each.in === 'path') {
      target = target.replace(`{${each.name}}`, encodeURIComponent(each.example));
    } else query.set(each.name, String(each.example));
  }
  return query.size === 0 ? target : `${target}?${query}`;
}

export async function send(
  handler: Handler,
  operation: Operation,
  target: string,
  body: string | FormData | undefined,
) {
  const { method, face } = routeOf(operation);
  const request = new Request(`http://localhost${target}`, { method, body: body ?? null });
  const headers: Readonly<Record<string, string | undefined>> = {
    authorization: credentials[face],
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

export function formOf(fields: object, name: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'file') form.set(field, new File([value], name, { type: 'text/plain' }));
    else form.set(field, String(value));
  }
  return form;
}

/** A service whose second deal is as the example of what does not know a command says. */
export async function createServiceIn(deal_status: string) {
  const service = createExampleService();
  await createExampleDeals(service);
  await states[deal_status]?.(service.marketplace);
  return service;
}

/** Gives a service the deals of the examples. */
export async function createExampleDeals({
  timer,
  handler,
}: ReturnType<typeof createExampleService>): Promise<void> {
  const operations = await operationsOf(handler);
  for (const name of ['registerContractor', 'createDeal', 'createDealV2'] as const) {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${name} is not in the document`);
    if (name === 'createDealV2') timer.advance(60 * 60 * 1000);
    const example = operation.requestBody?.content['application/json']?.example;
    await send(handler, operation, targetOf(operation), JSON.stringify(example));
  }
}

/** A service of its own for the example of an operation that needs a deal in a certain state. */
export async function createPreparedService(name: string) {
  const prepare = preparations[baseNameOf({ name }) as OperationName];
  if (prepare === undefined) return undefined;
  const service = createExampleService();
  await createExampleDeals(service);
  return { ...service, ids: [(await prepare(service.marketplace)) ?? []].flat() };
}
