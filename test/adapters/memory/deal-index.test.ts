import { fromMinorUnits } from 'dealwright';
import type { DealFilter, DealStretch, DealV2Addition, Tenant } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDealIndex, placeOf } from '../../../adapters/memory/deal-index.js';
import { createDealsV2 } from '../../../adapters/memory/deals.js';
import { createShelves, type StoredDealV2, shelfOf } from '../../../adapters/memory/shelves.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const start = Date.UTC(2026, 0, 1);
const timeOf = (millisecond: number) => new Date(start + millisecond).toISOString();
const eventId = (number: number) => `01KDVE${String(number).padStart(20, '0')}`;

function storedOf(number: number, millisecond = number): StoredDealV2 {
  const created_at = timeOf(millisecond);
  return {
    api_version: '2.0',
    position: { created_at, event_id: eventId(number) },
    idempotency: undefined,
    value: {
      partner_id: `deal-${number}`,
      email_freelancer: 'freelancer@example.com',
      title: 'Title',
      description: 'Description',
      subcategory_id: 75,
      amount: fromMinorUnits(50_000n),
      currency: 'PLN',
      copyright_transfer: 'none',
      freelancer_language: 'pl',
      payment_token: 'a-token-of-this-test-01',
      status: number % 2 === 0 ? 'created' : 'accepted',
      freelancer_status: 'new',
      created_at,
    },
    version: 1,
  };
}

function additionOf({ value, position }: StoredDealV2): DealV2Addition {
  const { partner_id, title, currency, subcategory_id, email_freelancer } = value;
  return {
    deal: value,
    events: [
      {
        id: position.event_id,
        type: 'deal.created',
        ...acme,
        subject: `deal:${partner_id}`,
        sequence: 1,
        at: value.created_at,
        data: {
          api_version: '2.0',
          partner_id,
          email_freelancer,
          title,
          amount: '500.00',
          currency,
          subcategory_id,
        },
      },
    ],
    idempotency: undefined,
  };
}

/** A list of any length that makes a deal when it is read, and counts how often that is. */
function countingList(length: number) {
  let reads = 0;
  const list = new Proxy<StoredDealV2[]>([], {
    get(target, name) {
      if (name === 'length') return length;
      if (typeof name !== 'string' || !/^\d+$/.test(name)) return Reflect.get(target, name);
      const index = Number(name);
      if (index >= length) return undefined;
      reads += 1;
      return storedOf(index);
    },
  });
  const count = () => {
    const counted = reads;
    reads = 0;
    return counted;
  };
  return { list, count };
}

function indexOver(list: StoredDealV2[]) {
  const shelves = createShelves();
  const shelf = shelfOf(shelves, acme);
  shelves.sandbox.tenants.set('acme', { ...shelf, inOrder: list });
  return createDealIndex(shelves);
}

async function idsOf(
  index: ReturnType<typeof createDealIndex>,
  filter: DealFilter,
  stretch: DealStretch,
): Promise<readonly string[]> {
  const listed = (await index.list(acme, filter, stretch))._unsafeUnwrap();
  return listed.map(({ entry }) => entry.partner_id);
}

/** Gives a deal another status, as of now. */
async function move(
  dealsV2: ReturnType<typeof createDealsV2>,
  number: number,
  status: StoredDealV2['value']['status'],
): Promise<void> {
  const { partner_id, freelancer_status } = storedOf(number).value;
  const found = (await dealsV2.byPartnerId(acme, partner_id))._unsafeUnwrap();
  const version = found?.version ?? 0;
  const event = { ...additionOf(storedOf(number)).events[0], sequence: version + 1 };
  const saved = await dealsV2.save(acme, {
    partner_id,
    version,
    status,
    freelancer_status,
    events: [event as never],
  });
  expect(saved._unsafeUnwrap()).toBe('saved');
}

describe('the place of a position', () => {
  it('is the number of deals that are older, whatever the list', () => {
    const moments = fc.array(fc.nat({ max: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(moments, fc.nat({ max: 6 }), fc.nat({ max: 45 }), (all, moment, number) => {
        const list = [...all].sort((a, b) => a - b).map((each, at) => storedOf(at, each));
        const position = { created_at: timeOf(moment), event_id: eventId(number) };
        const older = list.filter(
          ({ position: { created_at, event_id } }) =>
            created_at < position.created_at ||
            (created_at === position.created_at && event_id < position.event_id),
        );
        expect(placeOf(list, position)).toBe(older.length);
      }),
    );
  });

  it('is found in a million deals by looking at 20', () => {
    const { list, count } = countingList(1_000_000);
    for (const number of [0, 1, 499_999, 500_000, 999_998, 999_999]) {
      expect(placeOf(list, storedOf(number).position)).toBe(number);
      expect(count()).toBeLessThanOrEqual(20);
    }
    expect(placeOf(list, storedOf(1_000_000).position)).toBe(1_000_000);
  });
});

describe('a page of a million deals', () => {
  const million = 1_000_000;
  const limit = 100;

  it.each([
    [0, 'older'],
    [1, 'older'],
    [million / 2, 'older'],
    [million - 101, 'older'],
    [0, 'newer'],
    [million / 2, 'newer'],
  ] as const)(
    'at depth %i, %s, is found by looking at itself and 21 more',
    async (depth, direction) => {
      const { list, count } = countingList(million);
      const at = direction === 'older' ? million - 1 - depth : depth;
      const from = storedOf(at).position;
      const ids = await idsOf(indexOver(list), {}, { direction, from, limit });
      const newest = direction === 'older' ? at - 1 : at + limit;
      expect(ids).toEqual(Array.from({ length: limit }, (_, each) => `deal-${newest - each}`));
      expect(count()).toBeLessThanOrEqual(limit + 21);
    },
  );

  it('is found by its times without looking at what lies before and behind', async () => {
    const { list, count } = countingList(million);
    const index = indexOver(list);
    const filter = { created_from: timeOf(1000), created_to: timeOf(1050) };
    const expected = Array.from({ length: 50 }, (_, each) => `deal-${1049 - each}`);
    for (const direction of ['older', 'newer'] as const) {
      expect(await idsOf(index, filter, { direction, from: undefined, limit })).toEqual(expected);
      expect(count()).toBeLessThanOrEqual(50 + 3 * 21);
    }
    // from outside the times, on either side
    const before = { direction: 'newer', from: storedOf(3).position, limit } as const;
    expect(await idsOf(index, filter, before)).toEqual(expected);
    const behind = { direction: 'older', from: storedOf(million - 3).position, limit } as const;
    expect(await idsOf(index, filter, behind)).toEqual(expected);
    expect(count()).toBeLessThanOrEqual(2 * (50 + 3 * 21));
    expect(await idsOf(index, filter, { ...before, direction: 'older' })).toEqual([]);
    expect(await idsOf(index, filter, { ...behind, direction: 'newer' })).toEqual([]);
    expect(count()).toBeLessThanOrEqual(6 * 21);
  });
});

/** Every 1000th is somebody else's, is accepted, and is sought by its status of the freelancer. */
function sparse(number: number): StoredDealV2 {
  const stored = storedOf(number);
  const isRare = number % 1000 === 0;
  const email_freelancer = isRare ? 'Rare@Example.com' : 'freelancer@example.com';
  const status = isRare ? 'accepted' : 'created';
  const freelancer_status = isRare ? 'accepted' : 'new';
  return { ...stored, value: { ...stored.value, email_freelancer, status, freelancer_status } };
}

describe('a page that a thousandth of the deals is in', () => {
  const thousands = 30;
  const rare = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, each) => `deal-${(from - each) * 1000}`);

  it.each<DealFilter>([
    { email_key: 'rare@example.com' },
    { status: 'accepted' },
    { freelancer_status: 'accepted' },
    { email_key: 'rare@example.com', status: 'accepted', freelancer_status: 'accepted' },
  ])('by %j is found by looking at it alone, once all deals were seen', async (filter) => {
    const seen = new Set<number>();
    const watched = (number: number) =>
      new Proxy(sparse(number), {
        get(stored, name) {
          seen.add(number);
          return Reflect.get(stored, name);
        },
      });
    const list = Array.from({ length: thousands * 1000 }, (_, number) => watched(number));
    const index = indexOver(list);
    const newest = { direction: 'older', from: undefined, limit: 10 } as const;
    expect(await idsOf(index, filter, newest)).toEqual(rare(thousands - 1, thousands - 10));
    expect(seen.size).toBe(list.length);

    seen.clear();
    const from = sparse((thousands - 10) * 1000).position;
    const second = await idsOf(index, filter, { ...newest, from });
    expect(second).toEqual(rare(thousands - 11, thousands - 20));
    const back = await idsOf(index, filter, { direction: 'newer', from, limit: 10 });
    expect(back).toEqual(rare(thousands - 1, thousands - 9));
    expect([...seen].filter((number) => number % 1000 !== 0)).toEqual([]);

    seen.clear();
    for (let number = list.length; number <= thousands * 1000; number += 1) {
      list.push(watched(number));
    }
    expect(await idsOf(index, filter, newest)).toEqual(rare(thousands, thousands - 9));
    expect([...seen].filter((number) => number % 1000 !== 0)).toEqual([]);
  });

  it('is another one once a deal that was in it has moved on', async () => {
    const shelves = createShelves();
    const dealsV2 = createDealsV2(shelves);
    for (const number of [0, 2, 4]) await dealsV2.add(acme, additionOf(storedOf(number)));
    const index = createDealIndex(shelves);
    const stretch = { direction: 'older', from: undefined, limit: 10 } as const;
    const both = { email_key: 'freelancer@example.com', status: 'created' } as const;
    for (const filter of [{ status: 'created' }, both] as const) {
      expect(await idsOf(index, filter, stretch)).toEqual(['deal-4', 'deal-2', 'deal-0']);
    }
    // older than what the lists have seen, and of a deal that they have not
    for (const number of [1, 3]) await dealsV2.add(acme, additionOf(storedOf(number)));
    for (const number of [2, 3]) await move(dealsV2, number, 'cancelled');
    for (const more of [{}, { email_key: both.email_key }]) {
      const of = (status: 'created' | 'accepted' | 'cancelled') =>
        idsOf(index, { ...more, status }, stretch);
      expect(await of('created')).toEqual(['deal-4', 'deal-0']);
      expect(await of('cancelled')).toEqual(['deal-3', 'deal-2']);
      expect(await of('accepted')).toEqual(['deal-1']);
    }
    await move(dealsV2, 2, 'created');
    expect(await idsOf(index, both, stretch)).toEqual(['deal-4', 'deal-2', 'deal-0']);
    expect(await idsOf(index, { status: 'cancelled' }, stretch)).toEqual(['deal-3']);
  });
});

describe('deals that arrive out of order', () => {
  it('are listed by the time they were created, and within it by their events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 7 }),
        fc.record(
          {
            created_from: fc.nat({ max: 9 }).map(timeOf),
            created_to: fc.nat({ max: 9 }).map(timeOf),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
        async (moments, order, limit, filter) => {
          const all = moments.map((moment, number) => storedOf(number, moment));
          const shelves = createShelves();
          const dealsV2 = createDealsV2(shelves);
          const arriving = all
            .map((stored) => ({ stored, rank: order.next().value as number }))
            .sort((a, b) => a.rank - b.rank);
          for (const { stored } of arriving) await dealsV2.add(acme, additionOf(stored));
          const key = ({ position }: StoredDealV2) => position.created_at + position.event_id;
          const expected = all
            .filter(({ value: { created_at } }) => {
              const { created_from, created_to } = filter;
              return (
                (created_from === undefined || created_at >= created_from) &&
                (created_to === undefined || created_at < created_to)
              );
            })
            .sort((a, b) => (key(a) < key(b) ? 1 : -1))
            .map(({ value }) => value.partner_id);
          const index = createDealIndex(shelves);
          for (const direction of ['older', 'newer'] as const) {
            const pages: (readonly string[])[] = [];
            let from: DealStretch['from'];
            for (;;) {
              const stretch = { direction, from, limit };
              const page = (await index.list(acme, filter, stretch))._unsafeUnwrap();
              if (page.length === 0) break;
              // a list that goes in circles fails here instead of never ending
              expect(pages.length).toBeLessThanOrEqual(all.length);
              pages.push(page.map(({ entry }) => entry.partner_id));
              from = (direction === 'older' ? page.at(-1) : page[0])?.position;
            }
            expect((direction === 'older' ? pages : pages.reverse()).flat()).toEqual(expected);
          }
        },
      ),
    );
  });

  it('keep their place when they are saved', async () => {
    const shelves = createShelves();
    const dealsV2 = createDealsV2(shelves);
    for (const number of [1, 0, 2]) await dealsV2.add(acme, additionOf(storedOf(number)));
    await move(dealsV2, 0, 'cancelled');
    const index = createDealIndex(shelves);
    const stretch = { direction: 'older', from: undefined, limit: 10 } as const;
    expect(await idsOf(index, {}, stretch)).toEqual(['deal-2', 'deal-1', 'deal-0']);
    expect(await idsOf(index, { status: 'cancelled' }, stretch)).toEqual(['deal-0']);
  });
});
