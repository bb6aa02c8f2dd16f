import type { FetchLike, RequestLike } from 'dealwright/client';
import { createHttpRepositories, type HttpRepositoriesOptions } from 'dealwright/http-repositories';
import type { PortFailure, Tenant } from 'dealwright/ports';
import { additionOf, additionV2Of, registrationOf } from './additions.js';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const token = 'a-token-that-nobody-may-see';

/** A request as it was sent. */
export interface Sent {
  readonly url: string;
  readonly request: RequestLike;
}

/** A `fetch` that keeps what is sent, and answers as it is told. */
export function recording(answer: FetchLike): { readonly fetch: FetchLike; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: (url, request) => {
      sent.push({ url, request });
      return answer(url, request);
    },
  };
}

/** Repositories with the token of one tenant. */
export function repositories(options: Partial<HttpRepositoriesOptions>) {
  return createHttpRepositories({
    baseUrl: 'https://deals.example.com',
    token,
    tenant: acme,
    ...options,
  });
}

type Repositories = ReturnType<typeof repositories>;

/** What an answer of a port comes to: its outcome, or its failure. */
export type Came = { readonly value: unknown } | { readonly failure: PortFailure };

/** The three additions of a record, by their names. */
export const additions: readonly (readonly [
  name: string,
  add: (store: Repositories, key?: string) => Promise<Came>,
])[] = [
  [
    'contractors.add',
    async ({ contractors }, key) => came(await contractors.add(acme, registrationOf(key))),
  ],
  ['deals.add', async ({ deals }, key) => came(await deals.add(acme, additionOf(key)))],
  ['dealsV2.add', async ({ dealsV2 }, key) => came(await dealsV2.add(acme, additionV2Of(key)))],
];

/** What became of an answer. */
export function came(
  result: { isOk(): boolean } & ({ readonly value: unknown } | { readonly error: PortFailure }),
): Came {
  return 'value' in result ? { value: result.value } : { failure: result.error };
}

/** JSON with a status. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), { status, headers });
}

/** Every text within a value, names of members too. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
}
