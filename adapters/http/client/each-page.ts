import type {
  DealListItem,
  DealListPage,
  DealListQuery,
  ReadOptions,
  UnexpectedResponse,
} from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import { plainError } from './read-reply.js';
import { readLanguage } from './settings.js';

/** The part of a `PartnerApi` that a list needs. */
interface DealLister<Options, E> {
  listDeals(query?: DealListQuery, options?: Options): PromiseLike<Result<DealListPage, E>>;
}

/**
 * The pages of a list of deals, one request each, from `query.cursor` or the newest on. It works
 * over any `PartnerApi`, in process too. The last Result is the last page or the error that ended
 * the list; `query.cursor` of another call goes on from `next` of the page before. If `next` leads
 * to a page that was read already, the list ends with the error `unexpected_response`.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 * import { eachPage } from 'dealwright/client';
 *
 * async function count(api: PartnerApi): Promise<number> {
 *   let deals = 0;
 *   for await (const page of eachPage(api, { page_size: 100 })) {
 *     if (page.isErr()) throw new Error(page.error.code);
 *     deals += page.value.results.length;
 *   }
 *   return deals;
 * }
 * ```
 */
export async function* eachPage<Options extends ReadOptions, E>(
  api: DealLister<Options, E>,
  query?: DealListQuery,
  options?: Options,
): AsyncGenerator<Result<DealListPage, E | UnexpectedResponse>, void, undefined> {
  const seen = new Set([query?.cursor]);
  let asked = query;
  for (;;) {
    const page = await api.listDeals(asked, options);
    yield page;
    const cursor = page.isOk() ? page.value.next : null;
    if (cursor === null) return;
    if (seen.has(cursor)) {
      const call = { language: readLanguage(options?.language), settings: { token: '' } };
      yield err(Object.freeze({ ...plainError('unexpected_response', call), status: 200 }));
      return;
    }
    seen.add(cursor);
    asked = { ...query, cursor };
  }
}

/**
 * The deals of `eachPage`, one by one. An error is the last Result.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 * import { eachDeal } from 'dealwright/client';
 *
 * async function print(api: PartnerApi): Promise<void> {
 *   for await (const deal of eachDeal(api, { status: 'created' })) {
 *     console.log(deal.isOk() ? deal.value.partner_id : deal.error.message);
 *   }
 * }
 * ```
 */
export async function* eachDeal<Options extends ReadOptions, E>(
  api: DealLister<Options, E>,
  query?: DealListQuery,
  options?: Options,
): AsyncGenerator<Result<DealListItem, E | UnexpectedResponse>, void, undefined> {
  for await (const page of eachPage(api, query, options)) {
    if (page.isErr()) yield err(page.error);
    else for (const deal of page.value.results) yield ok(deal);
  }
}
