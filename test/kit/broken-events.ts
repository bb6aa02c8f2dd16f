import type { EventsPage, PartnerApi } from 'dealwright';
import { errAsync, okAsync } from 'neverthrow';

/** The view of a healthy marketplace, with a mistake. */
export type Mistake = (api: PartnerApi<never>) => PartnerApi<never>;

/** A feed with a change in every page. */
function withFeed(change: (page: EventsPage, after: string | undefined) => EventsPage): Mistake {
  return (api) => ({
    ...api,
    listEvents: (query, options) =>
      api.listEvents(query, options).map((page) => change(page, query?.after)),
  });
}

/** Mistakes with events and webhooks, each with the case that finds it. */
export const eventMistakes: Readonly<
  Record<string, { readonly make: Mistake; readonly foundBy: string }>
> = {
  'tells the newest event first': {
    make: withFeed((page) => ({ ...page, results: [...page.results].reverse() })),
    foundBy: '7.6/feed/pages',
  },
  'tells an event again on the next page': {
    make: withFeed((page, after) => ({
      ...page,
      results: after === undefined ? page.results : page.results.slice(0, 1).concat(page.results),
    })),
    foundBy: '7.6/feed/pages',
  },
  'begins anew at the end of a feed': {
    make: withFeed((page) => (page.results.length === 0 ? { ...page, next: '0' } : page)),
    foundBy: '7.6/feed/next',
  },
  'tells everything whatever is asked for': {
    make: (api) => ({
      ...api,
      listEvents: ({ type: _, ...query } = {}, options) => api.listEvents(query, options),
    }),
    foundBy: '7.1/feed/types',
  },
  'gives a deal that is not there a time line': {
    make: (api) => ({
      ...api,
      listDealEvents: (partner_id, query, options) =>
        api
          .listDealEvents(partner_id, query, options)
          .orElse((error) =>
            error.code === 'not_found' ? okAsync({ results: [], next: '0' }) : errAsync(error),
          ),
    }),
    foundBy: '2.5/time-line/no-deal (no deal)',
  },
  'tells the tax number of a contractor': {
    make: withFeed((page) => ({
      ...page,
      results: page.results.map((event) =>
        event.type === 'contractor.registered'
          ? { ...event, data: { ...event.data, tax_id: '22-345/6781' } }
          : event,
      ),
    })),
    foundBy: '7/events/no-secret (of a contractor)',
  },
  'takes any cursor': {
    make: (api) => ({
      ...api,
      listEvents: (query, options) =>
        api
          .listEvents(query, options)
          .orElse((error) =>
            error.code === 'invalid_cursor' ? api.listEvents({}, options) : errAsync(error),
          ),
    }),
    foundBy: '7.6/feed/invalid-query (of a feed)',
  },
  'shows a secret again': {
    make: (api) => ({
      ...api,
      retrieveWebhook: (id, options) =>
        api.retrieveWebhook(id, options).map((found) => ({ ...found, secret: 'whsec_AAAA' })),
    }),
    foundBy: '7.2/webhook/secret-once',
  },
  'does not rotate': {
    make: (api) => {
      let first = '';
      return {
        ...api,
        createWebhook: (input, options) =>
          api.createWebhook(input, options).map((made) => {
            first = made.secret;
            return made;
          }),
        rotateWebhook: (id, options) =>
          api.rotateWebhook(id, options).map((made) => ({ ...made, secret: first })),
      };
    },
    foundBy: '7.2/webhook/rotate',
  },
  'forgets every webhook with the one that is deleted': {
    make: (api) => {
      let isDeleted = false;
      return {
        ...api,
        deleteWebhook: (id, options) => {
          isDeleted = true;
          return api.deleteWebhook(id, options);
        },
        listWebhooks: (options) => api.listWebhooks(options).map((all) => (isDeleted ? [] : all)),
      };
    },
    foundBy: '7.2/webhook/delete',
  },
  'delivers a test again': {
    make: (api) => ({
      ...api,
      redeliver: (id, delivery_id, options) =>
        api
          .redeliver(id, delivery_id, options)
          .orElse((error) =>
            error.code === 'not_found' ? api.testWebhook(id, options) : errAsync(error),
          ),
    }),
    foundBy: '7.8/webhook/test',
  },
};
