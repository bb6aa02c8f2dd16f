import type { DealDetails, PartnerApi, PartnerCommands, TransportError } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { routes } from '../wire/routes.js';
import type {
  ClientCallOptions,
  ClientFileUpload,
  ClientReadOptions,
  ClientUploadOptions,
  DealwrightClient,
} from './client-api.js';
import { encodeQuery } from './encode-input.js';
import { createOperations, pathByPartnerId } from './operations.js';
import type { AnyError } from './read-reply.js';
import { type ClientOptions, readSettings } from './settings.js';

/**
 * Makes a client of a service over HTTP: the same `PartnerApi` that `Marketplace.partner` gives in
 * process. No call throws or rejects; a mistake in the options throws a `TypeError` here. It needs
 * web globals only: Node, Deno, Bun, Workers and browsers have them.
 *
 * What fails in passing (no connection, a time-out, 429, 502, 503, 504) is sent again where that is
 * safe: reads, and what carries an idempotency key, which the client makes where the call has none.
 *
 * A service of another make is understood as far as it keeps to the interface: an error whose body
 * it words otherwise becomes the error that its status means.
 *
 * @example
 * ```ts
 * import { createClient } from 'dealwright/client';
 *
 * const api = createClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * const result = await api.createDeal(
 *   {
 *     partner_id: 'order-1',
 *     contractor_email: 'user@example.com',
 *     name: 'Deal name',
 *     description: 'Deal description',
 *     budget: '1000.00',
 *     currency: 'EUR',
 *     sub_category_id: 75,
 *   },
 *   { idempotencyKey: 'order-1' },
 * );
 * if (result.isErr()) console.error(result.error.code);
 * ```
 */
export function createClient(options: ClientOptions): DealwrightClient {
  const { call, send, upload, download } = createOperations(readSettings(options));
  const list =
    (route: Route): PartnerApi['listCategories'] =>
    (given) =>
      call(route, route.path, given);
  const create =
    <T, E extends AnyError>(route: Route) =>
    (input: unknown, given?: ClientCallOptions): ResultAsync<T, E> =>
      send(route, route.path, input, given);
  const ofDeal =
    <T, E extends AnyError>(route: Route) =>
    (id: unknown, given?: ClientReadOptions): ResultAsync<T, E> =>
      call(route, pathOf(route, id), given);
  const store =
    (route: Route) =>
    (
      id: unknown,
      file: ClientFileUpload,
      given?: ClientUploadOptions,
    ): ReturnType<PartnerApi['uploadFile']> =>
      upload(route, pathOf(route, id), file, given);
  const command = (route: Route) => (id: unknown, input: unknown, given?: ClientCallOptions) =>
    send(route, pathOf(route, id), input, given);
  const commands = Object.values(routes)
    .filter(({ by, input }) => by === 'partner_id' && input === 'command')
    .map((route) => [route.operation, command(route)]);

  return {
    // the rows of commands are those of the interface
    ...(Object.fromEntries(commands) as PartnerCommands<DealDetails, TransportError>),
    registerContractor: create(routes.registerContractor),
    createDeal: create(routes.createDeal),
    createDealV2: create(routes.createDealV2),
    listCategories: list(routes.listCategories),
    listCategoryTree: list(routes.listCategoryTree),
    retrieveDeal: ofDeal(routes.retrieveDeal),
    retrieveDealDetails: ofDeal(routes.retrieveDealDetails),
    listWorkFiles: ofDeal(routes.listWorkFiles),
    listEmployerDeals(query, given) {
      const { path, members } = routes.listEmployerDeals;
      return call(routes.listEmployerDeals, path + encodeQuery(query, members), given);
    },
    downloadWorkFile(id, file_id, given) {
      const route = routes.downloadWorkFile;
      return download(route, pathOf(route, id), file_id, given);
    },
    uploadFile: store(routes.uploadFile),
    uploadWorkFile: store(routes.uploadWorkFile),
  };
}

/** The path of a deal; what is not an id names no deal, in process too. */
function pathOf(route: Route, id: unknown): string | undefined {
  if (route.by !== 'id') return pathByPartnerId(route, id);
  const isId = Number.isSafeInteger(id) && Number(id) > 0;
  return isId ? route.path.replace('{id}', String(id)) : undefined;
}
