import { createMarketplace, type LocalMarketplace, type PartnerApi } from 'dealwright';
import { createCategoryCatalogue } from 'dealwright/categories';
import { createHandler, type Handler } from 'dealwright/http';
import { createManualClock } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { type RouteName, routes } from '../../../adapters/http/wire/routes.js';
import { get } from '../../kit/open-api.js';
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
export interface Operation {
  readonly operationId: RouteName;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, Media>> }>
  >;
}

const token = 'secret-token';
const exampleId = '01KDVE0000000000000000000A';
const acme = { environment: 'sandbox', partner: 'acme' } as const;
const paymentToken = 'Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG';
/** The deals of the examples: one of version 1.0, and one of version 2.0. */
export const [first, second] = ['unique-ID-of-deal', 'unique-ID-of-deal-2'];

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
  return { timer, marketplace, handler: createHandler(marketplace, { ...ports, authenticator }) };
}

export async function operationsOf(handler: Handler): Promise<ReadonlyMap<RouteName, Operation>> {
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
export function targetOf({ operationId, parameters }: Operation): string {
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

export async function send(
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

export function formOf(fields: object, name: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'file') form.set(field, new File([value], name, { type: 'text/plain' }));
    else form.set(field, String(value));
  }
  return form;
}

type Preparation = (marketplace: LocalMarketplace) => Promise<void>;

const file = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: 'T25jZSB1cG9uIGEgdGltZQ==',
};

const stored: Preparation = async (marketplace) => {
  (await marketplace.partner(acme).uploadWorkFile(second, file))._unsafeUnwrap();
};

/** The freelancer of the second deal has delivered it. */
const delivered: Preparation = async (marketplace) => {
  const freelancer = marketplace.freelancer(acme.environment, paymentToken);
  (await freelancer.uploadFile(file))._unsafeUnwrap();
  (await freelancer.deliver())._unsafeUnwrap();
};

/** What must have happened to a deal before the example of an operation. */
const preparations: Partial<Readonly<Record<keyof PartnerApi, Preparation>>> = {
  listWorkFiles: stored,
  invite: async () => undefined,
  accept: async () => undefined,
  decline: async () => undefined,
  cancel: async () => undefined,
  async deliver(marketplace) {
    const api = marketplace.partner(acme);
    (await api.accept(first))._unsafeUnwrap();
    (await api.uploadWorkFile(first, file))._unsafeUnwrap();
  },
  requestChanges: delivered,
  approve: delivered,
  dispute: delivered,
  async requestPayment(marketplace) {
    await delivered(marketplace);
    const { billing } = (await marketplace.partner(acme).approve(second))._unsafeUnwrap();
    const staff = marketplace.operator(acme.environment).partner(acme.partner);
    const payment_id = billing.employer_payments[0]?.id ?? '';
    const report = { payment_id, status: 'failed', reference: 'transfer-1' } as const;
    (await staff.recordEmployerPayment(second, report))._unsafeUnwrap();
  },
};

/** A service whose second deal is as the example of what does not know a command says. */
export async function createServiceIn(deal_status: string) {
  const service = createExampleService();
  await createExampleDeals(service);
  if (deal_status === 'delivered') await delivered(service.marketplace);
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
export async function createPreparedService(name: RouteName) {
  const prepare = preparations[routes[name].operation];
  if (prepare === undefined) return undefined;
  const service = createExampleService();
  await createExampleDeals(service);
  await prepare(service.marketplace);
  return service;
}
