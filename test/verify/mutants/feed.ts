import { answering, asking, refusal, withMembers } from './changes.js';
import {
  asFirstPartner,
  inEvents,
  inPages,
  inQueries,
  isFeed,
  type Page,
  queryOf,
} from './event-changes.js';
import type { Mutant } from './mutant.js';

const inSizes = (change: (size: string) => string | undefined): Mutant['fetch'] =>
  inQueries((query) => {
    const size = change(query.get('page_size') ?? '');
    if (size === undefined) query.delete('page_size');
    else if (size !== '') query.set('page_size', size);
  });

/** Cursors that are valid for one filter alone. */
const boundCursors: Mutant['fetch'] = (forward) => {
  const bound = new Map<string, string>();
  const show = inPages((page, request) => {
    bound.set(String(page.next), queryOf(request).get('type') ?? '');
    return page;
  })(forward);
  return async (request) => {
    const query = queryOf(request);
    const filter = bound.get(query.get('after') ?? '');
    const isOther = isFeed(request) && filter !== undefined && filter !== (query.get('type') ?? '');
    return isOther ? refusal(400, 'invalid_cursor') : show(request);
  };
};

/** A queue: an event is read once. */
const queue: Mutant['fetch'] = (forward) => {
  const seen = new Set<unknown>();
  return inPages(({ results, next }) => {
    const fresh = results.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return { results: fresh, next };
  })(forward);
};

const withoutLast = ({ results, next }: Page): Page => ({
  results: results.length > 1 ? results.slice(0, -1) : results,
  next,
});

export const mutants: readonly Mutant[] = [
  {
    name: 'a page is a list',
    law: '7.1/events/feed',
    fetch: answering((response, request) =>
      isFeed(request) && response.ok
        ? withMembers(response, ({ data }) => ({ data: (data as Page).results }))
        : response,
    ),
  },
  {
    name: 'deals of 1.0 have no events',
    law: '7.1/events/own',
    fetch: inEvents((event) => (Object(event['data']).api_version === '1.0' ? [] : event)),
  },
  {
    name: 'all partners of an environment have one feed',
    law: '2.1/events/of-others',
    fetch: asFirstPartner(isFeed),
  },
  {
    name: 'a cursor says whose feed it is',
    law: '4/events/cursor-of-others',
    fetch: asFirstPartner((request) => isFeed(request) && queryOf(request).has('after')),
  },
  {
    name: 'the newest event is first',
    law: '7/events/order',
    fetch: inPages(({ results, next }) => ({ results: [...results].reverse(), next })),
  },
  { name: 'an event is read once', law: '7/events/again', fetch: queue },
  {
    name: 'only a full page has a cursor',
    law: '7.6/events/next',
    fetch: inPages(({ results, next }) => ({ results, next: results.length > 1 ? next : null })),
  },
  {
    name: 'the last page has no cursor',
    law: '7.6/events/next-of-empty',
    fetch: inPages(({ results, next }) => ({ results, next: results.length > 0 ? next : null })),
  },
  {
    name: 'the cursor of the end is the end for ever',
    law: '7.6/events/go-on',
    fetch: (forward) => {
      const ends = new Set<string>();
      const show = inPages((page) => {
        if (page.results.length === 0) ends.add(String(page.next));
        return page;
      })(forward);
      return async (request) => {
        const after = queryOf(request).get('after') ?? '';
        return ends.has(after)
          ? Response.json({ data: { results: [], next: after } })
          : show(request);
      };
    },
  },
  {
    name: 'the last event of a page is lost',
    law: '7.6/events/pages',
    fetch: inPages(withoutLast),
  },
  {
    name: 'a page has one event more',
    law: '7.6/events/page-size',
    fetch: inSizes((size) => (size === '' || size === '100' ? size : String(Number(size) + 1))),
  },
  {
    name: 'a page has 50 events by default',
    law: '7.6/events/page-size-default',
    fetch: inSizes((size) => size || '50'),
  },
  {
    name: 'a page has less than 100 events',
    law: '7.6/events/page-size-100',
    fetch: asking((request) =>
      queryOf(request).get('page_size') === '100' ? refusal(400, 'validation_failed') : request,
    ),
  },
  {
    name: 'a large page is cut down',
    law: '7.6/events/page-size-101',
    fetch: inSizes((size) => (Number(size) > 100 ? '100' : size)),
  },
  {
    name: 'a page of 101 is allowed',
    law: '7.6/events/page-size-101',
    fetch: inSizes((size) => (size === '101' ? '100' : size)),
  },
  {
    name: 'a page of none is a page of the usual size',
    law: '7.6/events/page-size-0',
    fetch: inSizes((size) => (size === '0' ? undefined : size)),
  },
  {
    name: 'a size that is no number is ignored',
    law: '1.6/events/page-size-form',
    fetch: inSizes((size) => (size === 'x' ? undefined : size)),
  },
  {
    name: 'a size is rounded',
    law: '1.6/events/page-size-form',
    fetch: inSizes((size) => size && (/^\d/.test(size) ? String(Number.parseInt(size, 10)) : size)),
  },
  {
    name: 'the filter is ignored',
    law: '7.1/events/type',
    fetch: inQueries((query) => query.delete('type')),
  },
  {
    name: 'a page with a filter is cut before it is filtered',
    law: '7.1/events/type-whole',
    fetch: inPages((page, request) => (queryOf(request).has('type') ? withoutLast(page) : page)),
  },
  {
    name: 'a type that is not known is 400',
    law: '7.9/events/type-unknown',
    fetch: asking((request) =>
      queryOf(request).get('type') === 'of.no.server' ? refusal(400, 'validation_failed') : request,
    ),
  },
  {
    name: 'a type is the beginning of others',
    law: '7.9/events/type-unknown',
    fetch: inQueries((query) => query.get('type') === 'deal' && query.delete('type')),
  },
  { name: 'cursors are bound to no filter', law: '7.6/events/type-later', fetch: boundCursors },
  { name: 'cursors are bound to their filter', law: '7.6/events/type-before', fetch: boundCursors },
  {
    name: 'a cursor that is garbage is the beginning',
    law: '4/events/cursor-garbage',
    fetch: inQueries((query) => query.get('after') === 'garbage' && query.delete('after')),
  },
];
