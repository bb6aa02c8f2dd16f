import { createMemoryStore } from 'dealwright/memory';
import type { DealFilter, DealRange, Tenant } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creation, move } from '../../../spec/store/writes.js';

const tenant: Tenant = { environment: 'sandbox', partner: 'acme' };
const start = Date.UTC(2026, 0, 1);
const timeOf = (millisecond: number) => new Date(start + millisecond).toISOString();
const attemptOf = (number: number) => `01KDVE${String(number).padStart(20, '0')}`;

describe('a page of the deals with a value', () => {
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
  it('are listed by the time they were created, and within it by their attempts', async () => {
    const times = fc.record(
      {
        created_from: fc.nat({ max: 9 }).map(timeOf),
        created_to: fc.nat({ max: 9 }).map(timeOf),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const arriving = fc
      .array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 30 })
      .map((moments) =>
        moments.map((moment, number) => ({
          partner_id: `deal-${number}`,
          created_at: timeOf(moment),
          attempt: attemptOf(number),
          id: number + 1,
        })),
      )
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
    await fc.assert(
      fc.asyncProperty(
        arriving,
        fc.integer({ min: 1, max: 7 }),
        times,
        async (all, limit, filter) => {
          const store = createMemoryStore();
          const whole = { direction: 'older', from: undefined, limit: 1 } as const;
          for (const { partner_id, created_at, attempt, id } of all) {
            const write = { ...creation(partner_id, [id], { created_at }), attempt };
            expect((await store.commit(tenant, write)).isOk()).toBe(true);
            // from the first deal on, the list is in use
            await store.deals.list(tenant, filter, whole);
          }
          const { created_from = '', created_to = '~' } = filter;
          const expected = all
            .filter(({ created_at }) => created_from <= created_at && created_at < created_to)
            .sort((a, b) => (a.created_at + a.attempt < b.created_at + b.attempt ? 1 : -1))
            .map(({ partner_id }) => partner_id);
          for (const direction of ['older', 'newer'] as const) {
            const pages: (readonly string[])[] = [];
            let from: DealRange['from'];
            for (;;) {
              const range = { direction, from, limit };
              const page = (await store.deals.list(tenant, filter, range))._unsafeUnwrap();
              if (page.length === 0) break;
              // a list that loops fails here instead of never ending
              expect(pages.length).toBeLessThanOrEqual(all.length);
              pages.push(page.map(({ partner_id }) => partner_id));
              from = direction === 'older' ? page.at(-1) : page[0];
            }
            expect((direction === 'older' ? pages : pages.reverse()).flat()).toEqual(expected);
          }
        },
      ),
    );
  });
});
