import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallOptions, PartnerApi, Tenant } from 'dealwright';
import type { FetchLike, RequestLike } from 'dealwright/client';
import type { GatewayOptions } from 'dealwright/gateway';
import type { ResultAsync } from 'neverthrow';
import { afterEach } from 'vitest';
import { createTestGateway, fetchFrom } from '../../kit/gateway.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler } from '../../kit/service.js';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const token = 'a-token-that-nobody-may-see';

/** A request as it was sent. */
export interface Sent {
  readonly url: string;
  readonly request: RequestLike;
}

/** A `fetch` that keeps its requests, and answers as the test says; default: as our own service. */
export function recording(answer: FetchLike = fetchFrom(createTestHandler())) {
  const sent: Sent[] = [];
  const fetch: FetchLike = (url, request) => {
    sent.push({ url, request });
    return answer(url, request);
  };
  return { fetch, sent };
}

/** The API of acme through a gateway. */
export function through(options: Partial<GatewayOptions>): PartnerApi<never> {
  return createTestGateway(options).partner(acme);
}

/** The API of acme through a gateway whose service always gives this answer. */
export function answering(answer: FetchLike): PartnerApi<never> {
  return through({ fetch: answer, token: () => token });
}

/** A call of a `PartnerApi`. */
export type Call = (api: PartnerApi<never>, options?: CallOptions) => ResultAsync<unknown, object>;

/** The creates, each with the answer of a service. */
export const creates: readonly (readonly [name: string, call: Call, data: object])[] = [
  [
    'registerContractor',
    (api, options) => api.registerContractor(contractor, options),
    { contractor_email: contractor.email },
  ],
  ['createDeal', (api, options) => api.createDeal(deal, options), { id: 7, stage_ids: [8, 9, 10] }],
  [
    'createDealV2',
    (api, options) => api.createDealV2(dealV2, options),
    {
      payment_token: 'a-payment-token-of-the-service',
      status: 'created',
      freelancer_status: 'new',
    },
  ],
];

/** The error of a failed call, or `undefined`. */
export async function errorOf(result: ResultAsync<unknown, object>): Promise<object | undefined> {
  const settled = await result;
  return settled.isErr() ? settled.error : undefined;
}

/** JSON with a status. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), { status, headers });
}

/** A problem with one issue. */
export function refusing(path: string, code: string, params: object = {}): Response {
  const errors = [{ path: [path], code, message: 'as the service says', params }];
  return json(400, { code: 'validation_failed', errors });
}

/** Every text within a value, even names of members. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Runs a function after the test. */
export function closing(close: () => unknown): void {
  closers.push(close);
}

/** Listens on a free port of this machine; returns the base URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
