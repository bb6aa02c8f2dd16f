import type { WriteSet } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, type Fault, paging, writing } from './store-parts.js';

const sent = '7.7/relay/event-as-in-feed';
const gone = '7.8/relay/gone';
const schedule = '7.7/relay/schedule';
const restart = '7.3/relay/ordered-over-restart';

type Set = Readonly<Record<string, unknown>>;

/** Keeps the position of the write before. */
const late: Fault = (store) => {
  let before: unknown;
  return {
    commit: (tenant, write) =>
      store.commit(tenant, {
        ...write,
        change: write.change.map((each) => {
          if (each.kind !== 'consumer' || !('position' in each.set)) return each;
          const { position, ...set } = each.set;
          const kept = before;
          before = position;
          return {
            ...each,
            set: kept === undefined ? set : { ...set, position: kept },
          } as typeof each;
        }),
      }),
  };
};

/** Makes another change of each record of a kind, or no change. */
const changing = (kind: string, change: (set: Set) => Set | undefined): Fault =>
  writing((write) => ({
    ...write,
    change: write.change.flatMap((each) => {
      const set = each.kind === kind ? change(each.set) : each.set;
      return set === undefined ? [] : ({ ...each, set } as (typeof write.change)[number]);
    }),
  }));

/** Leaves a member as it was. */
const forgetting = (kind: string, member: string): Fault =>
  changing(kind, ({ [member]: _, ...set }) => set);

/** Inserts only some of the rows. */
const inserting = (isInserted: (insert: WriteSet['insert'][number]) => boolean): Fault =>
  writing((write) => ({ ...write, insert: write.insert.filter(isInserted) }));

/** Does not check who has the lease of a consumer. */
const leasing: Fault = writing((write) => ({
  ...write,
  expect: write.expect.map((each) =>
    'present' in each && each.present === 'consumer'
      ? { present: each.present, key: each.key }
      : each,
  ),
}));

/** Stores that break a promise on which relays depend, and the case that finds it. */
export const brokenDeliveries: BrokenStores = {
  'forgets a retry': [
    (store) => ({
      due: (tenant, kind, ...rest) =>
        kind === 'delivery' ? ok([]) : store.due(tenant, kind, ...rest),
    }),
    schedule,
  ],
  'forgets the time of a retry': [forgetting('delivery', 'due_at'), schedule],
  'forgets the number of attempts': [forgetting('delivery', 'tries'), schedule],
  'gives what is due of every webhook': [
    (store) => ({ due: (tenant, kind, before, limit) => store.due(tenant, kind, before, limit) }),
    '7.3/relay/attempts-of-another-relay',
  ],
  'loses a delivery': [inserting(({ kind }) => kind !== 'delivery'), sent],
  'loses a delivery that failed': [
    inserting(({ kind, row }) => kind !== 'delivery' || row.status !== 'pending'),
    schedule,
  ],
  'forgets that a webhook was disabled': [
    changing('webhook', (set) => (set['status'] === 'disabled' ? undefined : set)),
    gone,
  ],
  'forgets the event that a webhook was disabled': [
    writing((write) => ({
      ...write,
      events: write.events.filter(({ type }) => type !== 'webhook.disabled'),
    })),
    gone,
  ],
  'forgets that a webhook was deleted': [
    changing('webhook', (set) => (set['status'] === 'deleted' ? undefined : set)),
    '7.2/relay/deleted-webhook',
  ],
  'forgets that a webhook was enabled': [
    changing('webhook', (set) => (set['status'] === 'enabled' ? undefined : set)),
    '7.8/relay/enabled-again',
  ],
  'forgets since when a webhook fails': [
    forgetting('consumer', 'failing_since'),
    '7.3/relay/five-days-of-failure',
  ],
  'forgets the secret before a rotation': [
    forgetting('webhook', 'previous_secret'),
    '7.2/relay/rotation',
  ],
  'forgets what is to be sent again': [
    changing('delivery', (set) => (set['tries'] === 0 ? undefined : set)),
    '7.7/relay/redelivery',
  ],
  'gives a lease twice': [leasing, '7.3/relay/no-duplicates'],
  'forgets whose a lease is': [forgetting('consumer', 'lease'), '7.3/relay/takeover'],
  'forgets until when a lease lasts': [
    forgetting('consumer', 'leased_until'),
    '7.3/relay/takeover',
  ],
  'loses the position': [forgetting('consumer', 'position'), '7.3/relay/subscription/restart'],
  'keeps a position one write late': [late, '7.3/relay/subscription/one-by-one'],
  'forgets what waits': [forgetting('consumer', 'held'), restart],
  'gives the lease of a subscription twice': [leasing, '7.3/relay/subscription/one-by-one-shared'],
  'forgets the number of attempts of a handler': [
    forgetting('delivery', 'tries'),
    '7.7/relay/subscription/gives-up',
  ],
  'forgets that an event was given up': [
    changing('delivery', (set) => (set['status'] === 'failed' ? undefined : set)),
    '7.7/relay/subscription/after-giving-up',
  ],
  'gives the events of one subject of a page alone': [
    paging((page) => ({
      ...page,
      events: page.events.filter(({ subject }) => subject === page.events[0]?.subject),
    })),
    '7/relay/subscription/wanted',
  ],
  'gives an event twice': [
    paging((page) => ({ ...page, events: page.events.flatMap((each) => [each, each]) })),
    sent,
  ],
  'skips an event': [
    paging((page) => ({
      ...page,
      events: page.events.filter(({ sequence }) => sequence !== 3),
    })),
    '7/relay/subscription/each-event',
  ],
  'gives the newest of a page first': [
    paging((page) => ({ ...page, events: [...page.events].reverse() })),
    '7.3/relay/pages-of-the-log',
  ],
  'gives a page again': [
    (store) => ({
      events: {
        ...store.events,
        async after(tenant, cursor, limit) {
          const page = await store.events.after(tenant, cursor, limit);
          // an empty page has the cursor of the beginning
          const isShort = page.isOk() && page.value !== 'invalid_cursor' && limit > 1;
          return isShort ? store.events.after(tenant, undefined, limit) : page;
        },
      },
    }),
    sent,
  ],
  'gives no events of one subject': [
    (store) => ({ events: { ...store.events, of: () => ok([]) } }),
    schedule,
  ],
  'gives the events of one subject from the beginning': [
    (store) => ({
      events: {
        ...store.events,
        of: (tenant, subject, _, limit) => store.events.of(tenant, subject, 0, limit),
      },
    }),
    restart,
  ],
};
