import { createMarketplace } from 'dealwright';
import { type Store, ulidOf, type WriteSet } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { consumption, delivery, webhookWrite } from '../../spec/store/writes.js';
import { acme } from '../faces/world.js';
import { relayHost } from '../relay/kit.js';
import { amending, okOf, withOffer } from './terms-world.js';

interface Page {
  readonly results: readonly { readonly id: string; readonly type: string }[];
  readonly next: string;
}
type List = (query: { page_size: number; after?: string }) => PromiseLike<Page>;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** All pages of a feed, to the one that leads to itself. */
async function walk(list: List): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list({ page_size: 100, ...(after !== undefined && { after }) });
    if (page.next === after) return pages;
    pages.push(page);
    after = page.next;
  }
}

/** A deal with 40 events of 12 kB and others, and the bytes of each read of events. */
async function withLongEvents() {
  const deal = await withOffer();
  await deal.acceptOffer();
  const message = '\u0001'.repeat(2_000);
  for (let at = 0; at < 40; at += 1) {
    await deal.propose('partner', amending({ title: `Title ${at}` }, message));
  }
  const reads: number[] = [];
  const { store } = deal.ports;
  const watched: Store = {
    ...store,
    events: {
      async after(tenant, cursor, limit) {
        const found = await store.events.after(tenant, cursor, limit);
        reads.push(bytesOf(found._unsafeUnwrap()));
        return found;
      },
      async of(tenant, subject, sequence, limit) {
        const found = await store.events.of(tenant, subject, sequence, limit);
        reads.push(bytesOf(found._unsafeUnwrap()));
        return found;
      },
    },
  };
  const marketplace = createMarketplace({ ...deal.ports, store: watched });
  const { partner_id, payment_token } = deal;
  const api = marketplace.partner(acme);
  const operator = marketplace.operator('sandbox').partner(acme.partner);
  const freelancer = marketplace.freelancer('sandbox', payment_token);
  const all = (await deal.events()).map(({ id }) => id);
  const lists = {
    feed: (query) => okOf(api.listEvents(query)),
    'feed of a type': (query) => okOf(api.listEvents({ ...query, type: 'proposal.created' })),
    'time line': (query) => okOf(api.listDealEvents(partner_id, query)),
    "operator's time line": (query) => okOf(operator.listDealEvents(partner_id, query)),
    "freelancer's time line": (query) => okOf(freelancer.listEvents(query)),
  } satisfies Record<string, List>;
  return { all, reads, lists };
}

describe('pages of long events', async () => {
  const { all, reads, lists } = await withLongEvents();

  it.each(Object.entries(lists))('end before 256 kB: %s', async (name, list) => {
    reads.length = 0;
    const pages = await walk(list);
    const results = pages.flatMap((page) => page.results);
    const ids = results.map(({ id }) => id);
    if (name === 'feed of a type') {
      expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['proposal.created']));
      expect(ids).toEqual(all.filter((id) => ids.includes(id)));
      expect(ids).toHaveLength(40);
    } else {
      expect(ids).toEqual(all);
    }
    for (const page of pages) expect(bytesOf(page.results)).toBeLessThanOrEqual(256_000);
    // no page is shorter than it must be
    for (const page of pages.slice(0, -1)) {
      expect(bytesOf(page.results)).toBeGreaterThan(256_000 - 2 * 14_000);
    }
    expect(Math.max(...reads)).toBeLessThan(300_000);
  });
});

it('a page that is full of a type leads to what follows its last event, of every type', async () => {
  const deal = await withOffer();
  await deal.acceptOffer();
  for (const title of ['One', 'Two']) await deal.propose('partner', amending({ title }));
  const all = (await deal.events()).map(({ type }) => type);
  const type = 'deal.accepted';
  const { results, next } = await okOf(deal.api.listEvents({ type, page_size: 1 }));
  expect(results.map((each) => each.type)).toEqual([type]);
  const rest = await okOf(deal.api.listEvents({ after: next, page_size: 100 }));
  expect(rest.results.map((each) => each.type)).toEqual(all.slice(all.indexOf(type) + 1));
  expect(rest.results).not.toHaveLength(0);
});

it('pages of deliveries with many attempts end before 256 kB, in each of the three lists', async () => {
  const deal = await withOffer();
  const { store } = deal.ports;
  const start = Date.UTC(2026, 0, 1);
  const webhook = ulidOf(start, new Uint8Array(16));
  const consumer = `webhook:${webhook}`;
  const write = async (set: WriteSet) => okOf(Promise.resolve(store.commit(acme, set)));
  await write(webhookWrite(webhook, { ends_at: null, types: null }));
  await write(consumption(consumer, { failing_since: null, ends_at: null }));
  const attempts = JSON.stringify(Array(50).fill([start, 'a reason why there was no answer']));
  const given = { subject: `deal:${deal.partner_id}`, status: 'failed', attempts } as const;
  const ids = Array.from({ length: 60 }, (_, at) => ulidOf(start + at, new Uint8Array(16)));
  for (const [at, id] of ids.entries()) {
    const failed_at = new Date(start + at).toISOString();
    await write(delivery(consumer, id, { ...given, failed_at }));
  }
  const { secrets, webhooks } = relayHost().ports;
  const ports = { ...deal.ports, ...(secrets && { secrets }), ...(webhooks && { webhooks }) };
  const api = createMarketplace(ports).partner(acme);
  for (const list of [
    (query: object) => api.listDeliveries(webhook, query),
    (query: object) => api.listDealDeliveries(deal.partner_id, query),
    (query: object) => api.listFailedDeliveries(query),
  ]) {
    const found: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await okOf(list({ page_size: 100, ...(cursor !== undefined && { cursor }) }));
      sizes.push(bytesOf(page.results));
      found.unshift(...page.results.map(({ id }) => id).reverse());
      cursor = page.next;
    }
    expect(found).toEqual(ids);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256_000);
  }
});
