import { createMemoryStore } from 'dealwright/memory';
import type { DealFilter, DealRange, Tenant } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertInOrder, listDeals } from '../../../adapters/memory/deal-list.js';
import type { Entry } from '../../../adapters/memory/tables.js';
import { rowOf } from '../../../spec/store/rows.js';
import { creation, move } from '../../../spec/store/writes.js';

const tenant: Tenant = { environment: 'sandbox', partner: 'acme' };
const start = Date.UTC(2026, 0, 1);
const timeOf = (millisecond: number) => new Date(start + millisecond).toISOString();
const attemptOf = (number: number) => `01KDVE${String(number).padStart(20, '0')}`;
const positionOf = (number: number) => ({
  created_at: timeOf(number),
  attempt: attemptOf(number),
});

/** Every 1000th is of another freelancer, and has other statuses. */
function entryOf(number: number, millisecond = number): Entry {
  const isRare = number % 1000 === 0;
  const row = rowOf('deal', {
    partner_id: `deal-${number}`,
    id: number,
    email_key: isRare ? 'rare@example.com' : 'freelancer@example.com',
    status: isRare ? 'accepted' : 'created',
    freelancer_status: isRare ? 'accepted' : 'new',
    created_at: timeOf(millisecond),
  });
  return { tenant, row, attempt: attemptOf(number), version: 1, isWhole: false, parts: {} };
}

/** A list of any length that makes a deal at each read, and counts the reads. */
function countingList(length: number) {
  let reads = 0;
  const list = new Proxy<Entry[]>([], {
    get(target, name) {
      if (name === 'length') return length;
      if (typeof name !== 'string' || !/^\d+$/.test(name)) return Reflect.get(target, name);
      const index = Number(name);
      if (index >= length) return undefined;
      reads += 1;
      return entryOf(index);
    },
  });
  const count = () => {
    const counted = reads;
    reads = 0;
    return counted;
  };
  return { list, count };
}

const idsOf = (list: readonly Entry[], filter: DealFilter, range: DealRange) =>
  listDeals(list, new Map(), filter, range).map(({ partner_id }) => partner_id);

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
  ] as const)('at depth %i, %s, is found by looking at itself and 21 more', (depth, direction) => {
    const { list, count } = countingList(million);
    const at = direction === 'older' ? million - 1 - depth : depth;
    const ids = idsOf(list, {}, { direction, from: positionOf(at), limit });
    const newest = direction === 'older' ? at - 1 : at + limit;
    expect(ids).toEqual(Array.from({ length: limit }, (_, each) => `deal-${newest - each}`));
    expect(count()).toBeLessThanOrEqual(limit + 21);
  });

  it('is found by its times without looking at what lies before and after', () => {
    const { list, count } = countingList(million);
    const filter = { created_from: timeOf(1000), created_to: timeOf(1050) };
    const expected = Array.from({ length: 50 }, (_, each) => `deal-${1049 - each}`);
    for (const direction of ['older', 'newer'] as const) {
      expect(idsOf(list, filter, { direction, from: undefined, limit })).toEqual(expected);
      expect(count()).toBeLessThanOrEqual(50 + 3 * 21);
    }
    // positions outside the range of times, on either side
    const before = { direction: 'newer', from: positionOf(3), limit } as const;
    expect(idsOf(list, filter, before)).toEqual(expected);
    const after = { direction: 'older', from: positionOf(million - 3), limit } as const;
    expect(idsOf(list, filter, after)).toEqual(expected);
    expect(count()).toBeLessThanOrEqual(2 * (50 + 3 * 21));
    expect(idsOf(list, filter, { ...before, direction: 'older' })).toEqual([]);
    expect(idsOf(list, filter, { ...after, direction: 'newer' })).toEqual([]);
    expect(count()).toBeLessThanOrEqual(6 * 21);
  });
});

describe('a page that a thousandth of the deals is in', () => {
  const thousands = 30;
  const rare = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, each) => `deal-${(from - each) * 1000}`);

  it.each<DealFilter>([
    { email_key: 'rare@example.com' },
    { status: 'accepted' },
    { freelancer_status: 'accepted' },
    { email_key: 'rare@example.com', status: 'accepted', freelancer_status: 'accepted' },
  ])('by %j is found by looking at it alone, once all deals were seen', (filter) => {
    const seen = new Set<number>();
    const watched = (number: number) =>
      new Proxy(entryOf(number), {
        get(entry, name) {
          seen.add(number);
          return Reflect.get(entry, name);
        },
      });
    const list = Array.from({ length: thousands * 1000 }, (_, number) => watched(number));
    const newest = { direction: 'older', from: undefined, limit: 10 } as const;
    expect(idsOf(list, filter, newest)).toEqual(rare(thousands - 1, thousands - 10));
    expect(seen.size).toBe(list.length);

    seen.clear();
    const from = positionOf((thousands - 10) * 1000);
    const second = idsOf(list, filter, { ...newest, from });
    expect(second).toEqual(rare(thousands - 11, thousands - 20));
    const back = idsOf(list, filter, { direction: 'newer', from, limit: 10 });
    expect(back).toEqual(rare(thousands - 1, thousands - 9));
    expect([...seen].filter((number) => number % 1000 !== 0)).toEqual([]);

    seen.clear();
    for (let number = list.length; number <= thousands * 1000; number += 1) {
      list.push(watched(number));
    }
    expect(idsOf(list, filter, newest)).toEqual(rare(thousands, thousands - 9));
    expect([...seen].filter((number) => number % 1000 !== 0)).toEqual([]);
  });

  it('is another one once a deal that was in it has moved on', async () => {
    const store = createMemoryStore();
    const create = async (number: number) => {
      const created_at = timeOf(number);
      const write = creation(`${number}`, [number + 1], { created_at, email_key: 'a@b' });
      expect((await store.commit(tenant, write)).isOk()).toBe(true);
    };
    const moveOn = async (number: number, version: number, status: 'cancelled' | 'created') => {
      const write = move(`${number}`, version, { status });
      expect((await store.commit(tenant, write))._unsafeUnwrap().outcome).toBe('committed');
    };
    const found = async (filter: DealFilter) => {
      const range = { direction: 'older', from: undefined, limit: 10 } as const;
      const listed = (await store.deals.list(tenant, filter, range))._unsafeUnwrap();
      return listed.map(({ partner_id }) => partner_id).join(' ');
    };
    for (const number of [0, 2, 4]) await create(number);
    expect(await found({ status: 'created' })).toBe('4 2 0');
    expect(await found({ status: 'created', email_key: 'a@b' })).toBe('4 2 0');
    // older than all entries of the lists, and of a deal that they do not have
    for (const number of [1, 3]) await create(number);
    for (const number of [2, 3]) await moveOn(number, 1, 'cancelled');
    for (const more of [{}, { email_key: 'a@b' }]) {
      expect(await found({ ...more, status: 'created' })).toBe('4 1 0');
      expect(await found({ ...more, status: 'cancelled' })).toBe('3 2');
      expect(await found({ ...more, status: 'accepted' })).toBe('');
    }
    await moveOn(2, 2, 'created');
    expect(await found({ status: 'created' })).toBe('4 2 1 0');
    expect(await found({ status: 'cancelled' })).toBe('3');
  });
});

describe('deals that arrive out of order', () => {
  it('are listed by the time they were created, and within it by their attempts', () => {
    const times = fc.record(
      {
        created_from: fc.nat({ max: 9 }).map(timeOf),
        created_to: fc.nat({ max: 9 }).map(timeOf),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const arriving = fc
      .array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 30 })
      .map((moments) => moments.map((moment, number) => entryOf(number, moment)))
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    fc.assert(
      fc.property(arriving, fc.integer({ min: 1, max: 7 }), times, (all, limit, filter) => {
        const list: Entry[] = [];
        for (const entry of all) insertInOrder(list, entry);
        const { created_from = '', created_to = '~' } = filter;
        const placeOf = ({ row, attempt }: Entry) => `${row['created_at']}${attempt}`;
        const expected = all
          .filter(({ row }) => created_from <= String(row['created_at']))
          .filter(({ row }) => String(row['created_at']) < created_to)
          .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
          .map(({ row }) => row['partner_id']);
        for (const direction of ['older', 'newer'] as const) {
          const pages: (readonly string[])[] = [];
          let from: DealRange['from'];
          for (;;) {
            const page = listDeals(list, new Map(), filter, { direction, from, limit });
            if (page.length === 0) break;
            // a list that loops fails here instead of never ending
            expect(pages.length).toBeLessThanOrEqual(all.length);
            pages.push(page.map(({ partner_id }) => partner_id));
            from = direction === 'older' ? page.at(-1) : page[0];
          }
          expect((direction === 'older' ? pages : pages.reverse()).flat()).toEqual(expected);
        }
      }),
    );
  });
});
