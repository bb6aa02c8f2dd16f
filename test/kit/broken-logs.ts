import type { Stored, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, createPause, type Fault, paging, settle } from './store-parts.js';

const logged = '7/store/log-in-order';
const ends = '7/store/log-end';
const subjects = '7.1/store/events-of-a-subject';
const follows = '7/store/no-event-is-passed';

type Events = readonly Stored<'event'>[];

/** Returns changed events of a subject. */
const retelling =
  (change: (events: Events, sequence: number, limit: number) => Events): Fault =>
  ({ events }) => ({
    events: {
      ...events,
      async of(tenant, subject, sequence, limit) {
        const found = await settle(events.of(tenant, subject, sequence, limit));
        return ok(change(found, sequence, limit));
      },
    },
  });

/** Moves the end in a page. */
const ending = (by: number) =>
  paging((page) => ({ ...page, end: String(Math.max(0, Number(page.end) + by)) }));

const nameOf = ({ environment, partner }: Tenant) => `${environment} ${partner}`;

/** Stores with a mistake in their logs, and a law that it breaks. */
export const brokenLogs: BrokenStores = {
  'loses an event': [
    paging((page) => ({ ...page, events: page.events.filter((_, at) => at !== 4) })),
    logged,
  ],
  'gives an event twice': [
    paging((page) => {
      const [first, ...events] = page.events;
      return { ...page, events: first === undefined ? [] : [first, first, ...events] };
    }),
    follows,
  ],
  'turns two events of one page': [
    paging((page) => {
      const [first, second, ...events] = page.events;
      if (first === undefined || second === undefined) return page;
      return { ...page, events: [second, first, ...events] };
    }),
    logged,
  ],
  'shows an event before its write is decided': [
    (store) => {
      const early = new Map<string, Stored<'event'>[]>();
      const pause = createPause();
      return {
        async commit(tenant, write) {
          const name = nameOf(tenant);
          const shown = write.events.map((event, at) => ({ ...event, sequence: at + 1 }));
          early.set(name, [...(early.get(name) ?? []), ...shown]);
          await pause();
          const outcome = await settle(store.commit(tenant, write));
          early.set(
            name,
            (early.get(name) ?? []).filter((each) => !shown.includes(each as never)),
          );
          return ok(outcome);
        },
        events: {
          ...store.events,
          async after(tenant, cursor, limit) {
            const page = await settle(store.events.after(tenant, cursor, limit));
            if (page === 'invalid_cursor') return ok(page);
            const events = [...page.events, ...(early.get(nameOf(tenant)) ?? [])].slice(0, limit);
            return ok({ ...page, events });
          },
        },
      };
    },
    follows,
  ],
  'passes an event whose write is slow': [
    (store) => {
      // every fourth write shows its events after those that came later
      const hidden = new Set<string>();
      let nth = 0;
      return {
        async commit(tenant, write) {
          nth += 1;
          const isSlow = nth % 4 === 0;
          for (const { id } of isSlow ? write.events : []) hidden.add(id);
          const outcome = await settle(store.commit(tenant, write));
          if (isSlow) {
            for (let turn = 0; turn < 50; turn += 1) await undefined;
            for (const { id } of write.events) hidden.delete(id);
          }
          return ok(outcome);
        },
        ...paging((page) => ({
          ...page,
          events: page.events.filter(({ id }) => !hidden.has(id)),
        }))(store),
      };
    },
    follows,
  ],
  'says of a log that it ends too early': [ending(-1), ends],
  'says of a log that it goes on': [ending(1), ends],
  'says of a page that the log ends with it': [
    paging((page) => ({ ...page, end: page.cursor })),
    ends,
  ],
  'says of tenants where their logs ended once': [
    ({ tenants }) => {
      const known = new Map<string, string>();
      return {
        async tenants(...args) {
          const found = await settle(tenants(...args));
          return ok(
            found.map(({ tenant, end }) => {
              const name = nameOf(tenant);
              known.set(name, known.get(name) ?? end);
              return { tenant, end: known.get(name) ?? '' };
            }),
          );
        },
      };
    },
    ends,
  ],
  'gives the events of a subject the last first': [
    retelling((events) => [...events].reverse()),
    subjects,
  ],
  'gives the event that a subject was read up to once more': [
    ({ events }) => ({
      events: {
        ...events,
        of: (tenant, subject, sequence, limit) =>
          events.of(tenant, subject, Math.max(0, sequence - 1), limit),
      },
    }),
    subjects,
  ],
  'counts the events of a subject in place of their sequences': [
    ({ events }) => ({
      events: {
        ...events,
        async of(tenant, subject, sequence, limit) {
          const all = await settle(events.of(tenant, subject, 0, 1_000));
          return ok(all.slice(sequence, sequence + limit));
        },
      },
    }),
    subjects,
  ],
  'gives all events of a subject, whatever the limit': [
    ({ events }) => ({
      events: {
        ...events,
        of: (tenant, subject, sequence) => events.of(tenant, subject, sequence, 1_000),
      },
    }),
    subjects,
  ],
  'gives the events of a subject that begins alike': [
    ({ events }) => ({
      events: {
        ...events,
        of: (tenant, subject, ...rest) => events.of(tenant, subject.trimEnd(), ...rest),
      },
    }),
    subjects,
  ],
};
