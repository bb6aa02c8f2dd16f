import type { DealDetails, PartnerApi, PartnerCommands, TransportError } from 'dealwright';
import { type Result, ResultAsync } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { routes } from '../wire/routes.js';
import { makeCall } from './call.js';
import type { Call } from './call-settings.js';
import type { ClientFileUpload, ClientUploadOptions, DealwrightClient } from './client-api.js';
import { encodeInput, encodeQuery } from './encode-input.js';
import { asJson, encodeUpload, type Sendable } from './encode-upload.js';
import { releaseContent } from './file-source.js';
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
  const settings = readSettings(options);
  const call = <T, E extends AnyError>(
    route: Route,
    path: string | undefined,
    given: ClientUploadOptions | undefined,
    encode: (call: Call) => Sendable | undefined = () => ({}),
  ): ResultAsync<T, E> => {
    // the table of answers and the row of the route say which answer and errors are the operation's
    const made = makeCall(settings, route, path, given, encode) as Promise<Result<T, E>>;
    return new ResultAsync(made).mapErr(frozen);
  };
  const create =
    <T, E extends AnyError>(route: Route) =>
    (input: unknown, given?: ClientUploadOptions): ResultAsync<T, E> =>
      call(route, route.path, given, () => asJson(encodeInput(input, route.members)));
  const list =
    (route: Route): PartnerApi['listCategories'] =>
    (given) =>
      call(route, route.path, given);
  const ofDeal =
    <T, E extends AnyError>(route: Route) =>
    (id: unknown, given?: ClientUploadOptions): ResultAsync<T, E> =>
      call(route, pathOf(route, id), given);
  const upload =
    (route: Route) =>
    (
      id: unknown,
      file: ClientFileUpload,
      given?: ClientUploadOptions,
    ): ReturnType<PartnerApi['uploadFile']> => {
      const stored: ReturnType<PartnerApi['uploadFile']> = call(
        route,
        pathOf(route, id),
        given,
        ({ onProgress }) => encodeUpload(file, onProgress),
      );
      // where it was refused unread, what the content comes from is still open
      return stored.orTee(() => void releaseContent(file).catch(() => undefined));
    };
  const command = (route: Route) => (id: unknown, input: unknown, given?: ClientUploadOptions) =>
    call(route, pathOf(route, id), given, () =>
      asJson(encodeInput(input === undefined ? {} : input, route.members)),
    );
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
    downloadWorkFile(partner_id, file_id, given) {
      const route = routes.downloadWorkFile;
      const path = isPathPart(file_id) ? pathOf(route, partner_id) : undefined;
      const found: ReturnType<PartnerApi['downloadWorkFile']> = call(
        route,
        path?.replace('{file_id}', file_id),
        given,
      );
      return found.map((file) => ({ ...file, id: file_id }));
    },
    uploadFile: upload(routes.uploadFile),
    uploadWorkFile: upload(routes.uploadWorkFile),
  };
}

const frozen = <E>(error: E): E => Object.freeze(error);

/**
 * The path of a deal; what is not an id names no deal, in process too. Paths cannot carry every text:
 * URL parsers collapse dots, and proxies mangle escapes.
 */
function pathOf({ path, by }: Route, id: unknown): string | undefined {
  if (by === 'id') {
    const isId = Number.isSafeInteger(id) && Number(id) > 0;
    return isId ? path.replace('{id}', String(id)) : undefined;
  }
  if (typeof id !== 'string' || !/^[^\0\p{Cs}]{1,40}$/u.test(id)) return undefined;
  // an id that is a word of a path is one only as a parameter
  return isPathPart(id)
    ? path.replace('{partner_id}', id)
    : `${path.replace('{partner_id}', 'by-id')}?${new URLSearchParams({ partner_id: id })}`;
}

/** Says whether a text can stand in a path, where it is no word of the path itself. */
function isPathPart(text: unknown): boolean {
  return typeof text === 'string' && /^(?!\.\.?$|by-id$)[\w.~-]+$/.test(text);
}
