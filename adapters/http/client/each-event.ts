import type {
  DomainEvent,
  EventQuery,
  EventsPage,
  ReadOptions,
  UnexpectedResponse,
} from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import { longestWait } from '../../shared/options.js';
import type { AbortSignalLike } from './fetch-like.js';
import { plainError } from './read-reply.js';
import { readLanguage } from './settings.js';

/** The part of a `PartnerApi` that a feed needs. */
interface EventLister<Options, E> {
  listEvents(query?: EventQuery, options?: Options): PromiseLike<Result<EventsPage, E>>;
}

/** The options of `eachEvent` and `eachEventPage`. */
export interface FollowOptions {
  /** Whether to wait for more events at the end of the feed; default `false`. */
  readonly follow?: boolean;
  /** Milliseconds between two requests at the end of the feed; default 10,000. */
  readonly pause?: number;
  /** Ends the wait for more events. A client also ends its request under way. */
  readonly signal?: AbortSignalLike;
}

/**
 * The pages of a feed, the oldest first, one request each, from `query.after` on. It works over any
 * `PartnerApi`, in process too. Keep `next` of each page that you have processed: `query.after` of
 * another call goes on from there. With a filter of types, a page may be short or empty although
 * there are more. The last Result is the last page or the error that ended it.
 *
 * With `{ follow: true }` there is no last page: at the end it waits for `pause` milliseconds and
 * reads again, until `signal` is aborted.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 * import { eachEventPage } from 'dealwright/client';
 *
 * async function readOn(api: PartnerApi, after: string): Promise<string> {
 *   let reached = after;
 *   for await (const page of eachEventPage(api, { after, page_size: 100 })) {
 *     if (page.isErr()) break;
 *     for (const event of page.value.results) console.log(event.sequence, event.type);
 *     reached = page.value.next;
 *   }
 *   return reached;
 * }
 * ```
 */
export async function* eachEventPage<Options extends ReadOptions, E>(
  api: EventLister<Options, E>,
  query?: EventQuery,
  options?: Options & FollowOptions,
): AsyncGenerator<Result<EventsPage, E | UnexpectedResponse>, void, undefined> {
  const { follow = false, pause = 10_000, signal } = options ?? {};
  let after = query?.after;
  for (;;) {
    const page = await api.listEvents(after === undefined ? query : { ...query, after }, options);
    yield page;
    if (page.isErr()) return;
    const { results, next } = page.value;
    const isEnd = next === after;
    if (isEnd && results.length > 0) {
      // the same page would come again and again
      const call = { language: readLanguage(options?.language), settings: { token: '' } };
      yield err(Object.freeze({ ...plainError('unexpected_response', call), status: 200 }));
      return;
    }
    if (isEnd && !follow) return;
    after = next;
    if (isEnd) await waited(pause, signal);
    if (isEnd && signal?.aborted) return;
  }
}

/**
 * The events of `eachEventPage`, one by one. An error is the last Result. To go on in another
 * process, read pages instead and keep their `next`.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 * import { eachEvent } from 'dealwright/client';
 *
 * async function print(api: PartnerApi): Promise<void> {
 *   for await (const event of eachEvent(api, { type: 'deal.accepted,deal.declined' })) {
 *     console.log(event.isOk() ? event.value.subject : event.error.message);
 *   }
 * }
 * ```
 */
export async function* eachEvent<Options extends ReadOptions, E>(
  api: EventLister<Options, E>,
  query?: EventQuery,
  options?: Options & FollowOptions,
): AsyncGenerator<Result<DomainEvent, E | UnexpectedResponse>, void, undefined> {
  for await (const page of eachEventPage(api, query, options)) {
    if (page.isErr()) yield err(page.error);
    else for (const event of page.value.results) yield ok(event);
  }
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
function waited(pause: number, signal: AbortSignalLike | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener?.('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(pause, longestWait));
    signal?.addEventListener('abort', end);
    // the signal was aborted while the page was read
    if (signal?.aborted) end();
  });
}
