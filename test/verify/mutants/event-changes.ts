import { answering, asking, pathOf, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

export type Members = Record<string, unknown>;
type Fetch = Mutant['fetch'];

export interface Page {
  readonly results: readonly Members[];
  readonly next: unknown;
}

export const queryOf = ({ url }: Pick<Request, 'url'>) => new URL(url).searchParams;

export const isFeed = (request: Request) => pathOf(request) === '/api/2.0/event/';
export const isTimeLine = (request: Request) => /\/deal\/[^/]+\/event\/$/.test(pathOf(request));
const isPage = (request: Request) => isFeed(request) || isTimeLine(request);

/** Changes the pages of feeds and time lines. */
export const inPages = (change: (page: Page, request: Request) => unknown, fits = isPage): Fetch =>
  answering((response, request) =>
    fits(request) && response.ok
      ? withMembers(response, ({ data }) => ({ data: change(data as Page, request) }))
      : response,
  );

/** Changes, drops or adds events. */
export const inEvents = (
  change: (event: Members) => Members | readonly Members[],
  fits = isPage,
): Fetch =>
  inPages(({ results, ...page }) => ({ ...page, results: results.flatMap(change) }), fits);

/** Changes those of one type. */
export const inEventsOf = (type: string, change: (event: Members) => Members | Members[]): Fetch =>
  inEvents((event) => (event['type'] === type ? change(event) : event));

/** The event with other members of its data. */
export const withData = (event: Members, change: Members): Members => ({
  ...event,
  data: { ...Object(event['data']), ...change },
});

/** Changes the parameters of requests for pages. */
export const inQueries = (change: (query: URLSearchParams, request: Request) => void): Fetch =>
  asking((request) => {
    if (!isPage(request)) return request;
    const url = new URL(request.url);
    change(url.searchParams, request);
    return new Request(url, request);
  });

/** Emits an event more for each request that is repeated and answered like this. */
export const extraEvent =
  (isRepeat: (status: number, count: number, request: Request) => boolean): Fetch =>
  (forward) => {
    const extra = new Set<string>();
    const counts = new Map<string, number>();
    const show = inEvents((event) => {
      const text = JSON.stringify(event);
      const isExtra = [...extra].some((name) => text.includes(name));
      return isExtra ? [event, { ...event, id: `${event['id']}`.replace(/..$/, 'ZZ') }] : event;
    })(forward);
    return async (request) => {
      if (request.method !== 'POST') return show(request);
      const text = await request.clone().text();
      const key = pathOf(request) + text;
      const count = 1 + (counts.get(key) ?? 0);
      counts.set(key, count);
      const response = await forward(request);
      if (isRepeat(response.status, count, request)) {
        const { email, partner_id } = JSON.parse(text);
        extra.add(email ?? partner_id ?? pathOf(request).split('/')[4]);
      }
      return response;
    };
  };

/** A server whose partners are mixed up: those requests are answered as for the first one. */
export const asFirstPartner = (fits: (request: Request) => boolean): Fetch =>
  asking((request) => {
    if (!fits(request)) return request;
    const headers = new Headers(request.headers);
    headers.set('authorization', 'Token sandbox-acme');
    return new Request(request, { headers });
  });
