import {
  type CallOptions,
  isIdempotencyKey,
  type Language,
  type PartnerApi,
  type ReadOptions,
} from 'dealwright';
import { err, type Result, ResultAsync } from 'neverthrow';
import { type Route, routes } from '../routes.js';
import { fitsForm, formAround } from './encode-form.js';
import { encodeInput } from './encode-input.js';
import { encodeQuery } from './encode-query.js';
import { exchange } from './exchange.js';
import type { BlobLike } from './fetch-like.js';
import {
  categories,
  contractorRegistered,
  dealCreated,
  dealDetails,
  dealListPage,
  dealRetrieved,
  dealV2Created,
  type Shape,
  workFile,
} from './read-answers.js';
import { type AnyError, type CallFacts, plainError, readReply } from './read-reply.js';
import { type ClientOptions, readLanguage, readSettings, type Settings } from './settings.js';

/**
 * Makes a client of a service over HTTP: the same `PartnerApi` that `Marketplace.partner` gives in
 * process. Each call is one attempt; no call throws or rejects. A mistake in the options throws a
 * `TypeError` here. It needs web globals only: Node, Deno, Bun, Workers and browsers have them.
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
export function createClient(options: ClientOptions): PartnerApi {
  const settings = readSettings(options);
  const call = <T, E extends AnyError>(
    route: Route,
    shape: NoInfer<Shape<T>>,
    options: CallOptions | ReadOptions | undefined,
    request: () => Sent | undefined | Promise<Sent | undefined>,
  ): ResultAsync<T, E> =>
    // the row of the route says which errors are the operation's
    new ResultAsync(send(settings, route, shape, options, request) as Promise<Result<T, E>>);
  const create =
    <T, E extends AnyError>(
      route: Route & { readonly members: Readonly<Record<string, true>> },
      shape: NoInfer<Shape<T>>,
    ) =>
    (input: unknown, options?: CallOptions): ResultAsync<T, E> =>
      call(route, shape, options, () => asJson(route.path, encodeInput(input, route.members)));
  const read =
    <T, E extends AnyError>(route: Route, shape: NoInfer<Shape<T>>) =>
    (options?: ReadOptions): ResultAsync<T, E> =>
      call(route, shape, options, () => ({ path: route.path }));

  return {
    registerContractor: create(routes.registerContractor, contractorRegistered),
    createDeal: create(routes.createDeal, dealCreated),
    createDealV2: create(routes.createDealV2, dealV2Created),
    listCategories: read(routes.listCategories, categories),
    listCategoryTree: read(routes.listCategoryTree, categories),
    retrieveDeal: (id, options) =>
      call(routes.retrieveDeal, dealRetrieved, options, () => {
        const path = pathOfDeal(routes.retrieveDeal.path, id);
        return path === undefined ? undefined : { path };
      }),
    retrieveDealDetails: (partner_id, options) =>
      call(routes.retrieveDealDetails, dealDetails, options, () => pathOfDetails(partner_id)),
    listEmployerDeals: (query, options) =>
      call(routes.listEmployerDeals, dealListPage, options, () => ({
        path: routes.listEmployerDeals.path + encodeQuery(query, routes.listEmployerDeals.members),
      })),
    uploadFile: (id, upload, options) =>
      call(routes.uploadFile, workFile, options, () => {
        const path = pathOfDeal(routes.uploadFile.path, id);
        return path === undefined ? undefined : encodeUpload(path, upload);
      }),
  };
}

/** What is asked; nothing where it names no deal. */
interface Sent {
  readonly path: string;
  readonly type?: string;
  readonly body?: string | BlobLike;
}

function pathOfDeal(path: string, id: unknown): string | undefined {
  return Number.isSafeInteger(id) && Number(id) > 0 ? path.replace('{id}', String(id)) : undefined;
}

/** Paths cannot carry every text: URL parsers collapse dots, and proxies mangle escapes. */
function pathOfDetails(id: unknown): Sent | undefined {
  if (typeof id !== 'string' || !/^[^\0\p{Cs}]{1,40}$/u.test(id)) return undefined;
  const { retrieveDealDetails: row, retrieveDealDetailsByParameter: byParameter } = routes;
  return {
    path: /^(?!\.\.?$)[\w.~-]+$/.test(id)
      ? row.path.replace('{partner_id}', id)
      : `${byParameter.path}?${new URLSearchParams({ partner_id: id })}`,
  };
}

function asJson(path: string, body: string | undefined): Sent {
  if (body === undefined) throw new RangeError('the input is too large');
  return { path, type: 'application/json', body };
}

async function encodeUpload(path: string, upload: unknown): Promise<Sent> {
  const { name, content_type, stage_id, content } = { ...(upload as Record<string, unknown>) };
  if (!(content instanceof Uint8Array) || !fitsForm(name, content_type, stage_id)) {
    return asJson(path, encodeInput(upload, routes.uploadFile.members));
  }
  const boundary = `dealwright-${crypto.randomUUID()}`;
  const { head, tail } = formAround(name, content_type, stage_id, boundary);
  return {
    path,
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([head, content as Uint8Array<ArrayBuffer>, tail]),
  };
}

async function send<T>(
  settings: Settings,
  route: Route,
  shape: NoInfer<Shape<T>>,
  call: CallOptions | ReadOptions | undefined,
  request: () => Sent | undefined | Promise<Sent | undefined>,
): Promise<Result<T, AnyError>> {
  const { base, token, fetch, timeout } = settings;
  const isWrite = route.method === 'POST';
  const { language, key } = readCall(settings, isWrite, call);
  const facts: CallFacts = { route, language, hasOwnKey: key !== undefined, secret: token };
  if (key !== undefined && !isIdempotencyKey(key)) {
    return err(plainError('invalid_idempotency_key', facts));
  }
  let sent: Sent | undefined;
  try {
    sent = await request();
  } catch {
    return readReply(tooLarge, shape, facts);
  }
  if (sent === undefined) return err(plainError('not_found', facts));
  const headers: Record<string, string> = {
    ...settings.headers,
    Authorization: `Token ${token}`,
    Accept: 'application/json',
    'Accept-Language': language,
  };
  if (sent.type !== undefined) headers['Content-Type'] = sent.type;
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const { path, body } = sent;
  const { method } = route;
  const full = { method, headers, ...(body === undefined ? {} : { body }) };
  return readReply(await exchange(fetch, base + path, full, timeout), shape, facts);
}

const tooLarge = { sent: false, retryable: false, reason: 'the input is too large' };

/** A caller's options; one that cannot be read is a key that is none. */
function readCall(
  settings: Settings,
  isWrite: boolean,
  call: CallOptions | undefined,
): { readonly language: Language; readonly key: unknown } {
  try {
    return {
      language: readLanguage(call?.language ?? settings.language),
      key: isWrite ? call?.idempotencyKey : undefined,
    };
  } catch {
    return { language: settings.language, key: isWrite ? null : undefined };
  }
}
