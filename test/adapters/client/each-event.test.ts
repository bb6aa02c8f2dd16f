import type { DomainEvent, EventQuery, EventsPage } from 'dealwright';
import { eachEvent, eachEventPage } from 'dealwright/client';
import * as fc from 'fast-check';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2 } from '../../kit/requests.js';
import { createOfflineClient } from './service.js';

/** A service with so many events; a page shows those that pass the filter. */
function createFeed(events: number, isShown: (at: number) => boolean = () => true) {
  const asked: (string | undefined)[] = [];
  const all = Array.from({ length: events }, (_, at) => ({ id: String(at) }) as DomainEvent);
  return {
    asked,
    all,
    api: {
      listEvents: async ({ after, page_size = 20 }: EventQuery = {}) => {
        asked.push(after);
        const begin = Number(after ?? 0);
        const page = all.slice(begin, begin + page_size);
        const results = page.filter(({ id }) => isShown(Number(id)));
        return ok<EventsPage, never>({ results, next: String(begin + page.length) });
      },
    },
  };
}

const idsOf = async (events: ReturnType<typeof eachEvent>) => {
  const ids: string[] = [];
  for await (const event of events) ids.push(event._unsafeUnwrap().id);
  return ids;
};

describe('eachEvent', () => {
  it('gives every event once and in order, however short the pages are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        async (events, page_size, shown) => {
          const { api } = createFeed(events, (at) => shown[at] === true);
          const expected = shown.slice(0, events).flatMap((is, at) => (is ? [String(at)] : []));
          expect(await idsOf(eachEvent(api, { page_size }))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('begins where it is told', async () => {
    const { api } = createFeed(9);
    expect(await idsOf(eachEvent(api, { after: '7' }))).toEqual(['7', '8']);
  });

  it('ends with an error', async () => {
    const broken = { code: 'unavailable' } as const;
    const { api } = createFeed(3);
    const listEvents = async (query?: EventQuery) =>
      query?.after === '2' ? err(broken) : api.listEvents(query);
    const results: unknown[] = [];
    for await (const each of eachEvent({ listEvents }, { page_size: 2 })) {
      results.push(each.isOk() ? each.value.id : each.error);
    }
    expect(results).toEqual(['0', '1', broken]);
  });

  it('does not read a page again and again that leads to itself', async () => {
    const { all } = createFeed(1);
    const listEvents = async () => ok<EventsPage, never>({ results: all, next: '0' });
    const codes: unknown[] = [];
    for await (const page of eachEventPage({ listEvents }, { after: '0' })) {
      codes.push(page.isOk() ? page.value.results.length : page.error.code);
    }
    expect(codes).toEqual([1, 'unexpected_response']);
  });

  it('reads the feed of a service', async () => {
    const client = createOfflineClient();
    for (const partner_id of ['first', 'second', 'third']) {
      (await client.createDealV2({ ...dealV2, partner_id }))._unsafeUnwrap();
    }
    const subjects: string[] = [];
    for await (const event of eachEvent(client, { page_size: 2 })) {
      subjects.push(event._unsafeUnwrap().subject);
    }
    expect(subjects).toEqual(['deal:first', 'deal:second', 'deal:third']);
  });
});

describe('following', () => {
  it('waits at the end for what comes, until it is aborted', async () => {
    const { api, all, asked } = createFeed(2);
    const stop = new AbortController();
    const options = { follow: true, pause: 1, signal: stop.signal };
    const ids: string[] = [];
    for await (const event of eachEvent(api, { page_size: 2 }, options)) {
      const { id } = event._unsafeUnwrap();
      ids.push(id);
      if (id === '1') setTimeout(() => all.push({ id: '2' } as DomainEvent), 5);
      if (id === '2') stop.abort();
    }
    expect(ids).toEqual(['0', '1', '2']);
    expect(asked.slice(0, 2)).toEqual([undefined, '2']);
  });

  it('ends its wait when it is aborted, however long the pause is', async () => {
    const { api } = createFeed(0);
    const stop = new AbortController();
    const pages: unknown[] = [];
    const options = { follow: true, pause: 2 ** 40, signal: stop.signal };
    setTimeout(() => stop.abort(), 5);
    for await (const page of eachEventPage(api, { after: '0' }, options)) pages.push(page);
    expect(pages).toHaveLength(1);
  });
});
