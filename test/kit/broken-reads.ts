import { ok } from 'neverthrow';
import {
  type BrokenStores,
  createGoodStore,
  settle,
  withDealsV2,
  withEvents,
} from './store-parts.js';

/** Mistakes in what is read. */
export const brokenReads: BrokenStores = {
  'rounds money to a number': {
    make: () =>
      withDealsV2(({ dealsV2 }) => ({
        byPartnerId: async (tenant, partner_id) => {
          const read = await settle(dealsV2.byPartnerId(tenant, partner_id));
          if (read === undefined) return ok(undefined);
          const amount = BigInt(Number(read.value.amount)) as typeof read.value.amount;
          return ok({ ...read, value: { ...read.value, amount } });
        },
      })),
    foundBy: 'keeps a 2.0 deal as it was given',
  },
  'gives events newest first': {
    make: () => withEvents((page) => ({ ...page, events: [...page.events].reverse() })),
    foundBy: 'gives events in the order of their writes, in pages of any size',
  },
  'moves the cursor by the limit': {
    make: () =>
      withEvents((page, cursor = '0', limit) => ({
        ...page,
        cursor: String(Number(cursor) + limit),
      })),
    foundBy: 'gives a cursor at the end, from which later events are seen',
  },
  'does not move its cursor on': {
    make: () => withEvents((page, cursor = '0') => ({ ...page, cursor })),
    foundBy: 'gives events in the order of their writes, in pages of any size',
  },
  'begins anew with a cursor that it does not know': {
    make: () => {
      const store = createGoodStore();
      return {
        ...store,
        events: {
          after: async (tenant, cursor, limit) => {
            const page = await settle(store.events.after(tenant, cursor, limit));
            return page === 'invalid_cursor'
              ? store.events.after(tenant, undefined, limit)
              : ok(page);
          },
        },
      };
    },
    foundBy: 'says of a cursor that it did not give that it is none',
  },
  'gives each event once': {
    make: () => {
      const given = new Set<string>();
      return withEvents((page) => {
        const fresh = page.events.filter(({ id }) => !given.has(id));
        for (const { id } of fresh) given.add(id);
        return { ...page, events: fresh };
      });
    },
    foundBy: 'gives what is behind a cursor again and again',
  },
};
