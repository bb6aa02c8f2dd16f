import type { Stored } from '../../src/domain/records/records.js';
import { check, equal, isEqual } from '../expectations.js';
import { sessionWith } from './session.js';
import { acme, acmeLive, allEvents, ask, eventPage, globex, group } from './subject.js';
import { committed, creation, eventOf, numbers, present, registration, writeOf } from './writes.js';

/** One or two events about a contractor. */
const told = (at: number, key: string) => ({
  events: Array.from({ length: 1 + (at % 2) }, () => eventOf('contractor', key)),
});

/** The promise of the log: every event, once, in order, for every read. */
export const events = group(
  'events',
  {
    must: {
      '7/store/log-in-order':
        'A log has every event of its tenant once, in the order of their writes, in pages of any size.',
      '7/store/log-again':
        'The events after a cursor are read any number of times, with those that were added since.',
      '7.6/store/cursor-at-the-end':
        'A page without events has a cursor too, after which later events are read.',
      '7/store/log-end':
        'Each page of a log, and its tenant in the list of tenants, has the cursor after the last event of that log.',
      '7.1/store/events-of-a-subject':
        'The events of one subject are read in their order, after any sequence, without those of another subject or tenant.',
      '7.6/store/invalid-cursor':
        'A cursor that the store did not give is answered as `invalid_cursor`.',
      '7/store/no-event-is-passed':
        'A reader that follows many writers gets each event once: no cursor passes an event that a slower write adds later.',
    },
  },
  (define) => {
    define('7/store/log-in-order', async (store) => {
      const session = sessionWith(store);
      for (let at = 0; at < 5; at += 1) {
        for (const tenant of [acme, globex, acmeLive]) {
          await session.commit(tenant, registration(`${at} of ${tenant.partner}`), committed);
          const own = await numbers(store, tenant, 1);
          await session.commit(tenant, creation(`deal ${at}`, own), committed);
        }
      }
      for (const tenant of [acme, globex, acmeLive]) {
        for (const limit of [1, 2, 3, 9, 10, 11]) {
          const expected = session.model.events(tenant);
          equal(await allEvents(store, tenant, limit), expected, `pages of ${limit}`);
        }
      }
    });

    define('7/store/log-again', async (store) => {
      const session = sessionWith(store);
      const written = session.model.events(acme);
      const write = (at: number) => session.commit(acme, registration(`${at}`), committed);
      for (const at of [0, 1, 2]) await write(at);
      await store.settled?.();
      const first = await eventPage(store, acme, undefined, 2);
      equal(first.events, written.slice(0, 2), 'the first page');
      for (let time = 0; time < 2; time += 1) {
        const second = await eventPage(store, acme, first.cursor, 2);
        equal(second.events, written.slice(2, 3), 'what comes after it');
      }
      for (const at of [3, 4]) await write(at);
      await store.settled?.();
      const more = await eventPage(store, acme, first.cursor, 9);
      equal(more.events, written.slice(2), 'more by now');
      const again = await eventPage(store, acme, undefined, 2);
      equal(again, { ...first, end: again.end }, 'the beginning, once more');
    });

    define('7.6/store/cursor-at-the-end', async (store) => {
      const session = sessionWith(store);
      let { cursor } = await eventPage(store, acme, undefined, 10);
      for (let at = 0; at < 3; at += 1) {
        const empty = await eventPage(store, acme, cursor, 10);
        equal(empty.events, [], 'nothing yet');
        await session.commit(acme, registration(`${at}`), committed);
        await store.settled?.();
        const page = await eventPage(store, acme, empty.cursor, 10);
        equal(page.events, session.model.events(acme).slice(-1), 'the new event');
        cursor = page.cursor;
      }
    });

    define('7/store/log-end', async (store) => {
      const session = sessionWith(store);
      let end = '';
      for (let at = 0; at < 4; at += 1) {
        for (const tenant of [acme, globex, acmeLive]) {
          const write = { ...registration(`${at} ${tenant.partner}`), ...told(at, tenant.partner) };
          await session.commit(tenant, write, committed);
        }
        await store.settled?.();
        for (const tenant of [acme, globex, acmeLive]) {
          const all = await eventPage(store, tenant, undefined, 100);
          equal(all.cursor, all.end, 'the cursor after the last event');
          for (const limit of [1, 2, 100]) {
            const first = await eventPage(store, tenant, undefined, limit);
            equal(first.end, all.end, `the end on a page of ${limit}`);
            const next = await eventPage(store, tenant, first.cursor, limit);
            equal(next.end, all.end, `the end on the page after it`);
          }
          const tenants = await ask(store.tenants(undefined, 100));
          const found = tenants.find(({ tenant: each }) => isEqual(each, tenant));
          equal(found, { tenant, end: all.end }, 'the end with its tenant');
          equal(
            await ask(store.events.after(tenant, all.end, 9)),
            { ...all, events: [] },
            'no more',
          );
        }
        const fresh = end === '' ? undefined : await eventPage(store, acme, end, 100);
        const written = session.model.events(acme).slice(-1 - (at % 2));
        if (fresh !== undefined) equal(fresh.events, written, 'what came after the last end');
        ({ end } = await eventPage(store, acme, undefined, 1));
      }
    });

    define('7.1/store/events-of-a-subject', async (store) => {
      const session = sessionWith(store);
      const subjects = ['one', 'One', 'one ', 'żółć 😀', '%'];
      for (const [at, key] of subjects.entries()) {
        await session.commit(acme, { ...registration(key), ...told(at, key) }, committed);
      }
      // other tenants write about the same names, and their events are in their own logs
      for (const [tenant, at] of [
        [globex, 0],
        [acme, 1],
        [globex, 1],
        [acme, 0],
      ] as const) {
        const more = writeOf({
          expect: [present('contractor', 'one')],
          subject: { kind: 'contractor', key: 'one' },
          ...told(at, 'one'),
        });
        await session.commit(tenant, more, committed);
        await session.commit(acmeLive, registration(`one ${at} ${tenant.partner}`), committed);
      }
      await store.settled?.();
      for (const key of [...subjects, 'two', '', 'one  ']) {
        for (const tenant of [acme, globex, acmeLive]) {
          for (const sequence of [0, 1, 2, 3, 4, 5, 6, 7, 1000, Number.MAX_SAFE_INTEGER]) {
            const limit = 1 + (sequence % 3);
            const subject = `contractor:${key}`;
            const found = await ask(store.events.of(tenant, subject, sequence, limit));
            const expected = session.model.eventsOf(tenant, subject, sequence, limit);
            equal(found, expected, `${limit} events of ${subject} after ${sequence}`);
          }
        }
      }
      equal(await ask(store.events.of(acme, 'one', 0, 9)), [], 'nothing of a part of a subject');
      await session.compare();
    });

    define('7.6/store/invalid-cursor', async (store) => {
      equal(await ask(store.commit(acme, registration())), committed, 'a write');
      const strange = ['', ' ', 'x', '-1', '0.5', "'; --", '\u0000', '\ud800', '9'.repeat(400)];
      for (const cursor of [...strange, 'a'.repeat(100_000)]) {
        equal(await ask(store.events.after(acme, cursor, 10)), 'invalid_cursor', 'the answer');
      }
    });

    define('7/store/no-event-is-passed', async (store) => {
      const count = 40;
      const writes = Array.from({ length: count }, (_, at) => registration(`${at}`));
      const answers = writes.map((write) => ask(store.commit(acme, write)));
      const finished = Promise.all(answers);
      // the first failure ends the case, and is reported there
      finished.catch(() => undefined);
      const seen: Stored<'event'>[] = [];
      const ends = new Map<string, number>();
      let cursor: string | undefined;
      const follow = async () => {
        const page = await eventPage(store, acme, cursor, count);
        seen.push(...page.events);
        cursor = page.cursor;
        ends.set(page.end, seen.length);
      };
      // a reader that waits for no write would keep a store that reads at once from ever writing
      for (const answer of answers) {
        await follow();
        await answer;
      }
      await finished;
      await store.settled?.();
      await follow();
      const ids = seen.map(({ id }) => id).sort();
      const written = writes.flatMap((write) => write.events.map(({ id }) => id));
      equal(ids, written.sort(), 'all of them, once');
      for (const [end, before] of ends) {
        const { events: after } = await eventPage(store, acme, end, count);
        equal(
          after,
          seen.slice(seen.length - after.length),
          'what comes after an end that was told',
        );
        check(after.length <= seen.length - before, 'no event that a page shows is beyond its end');
      }
    });
  },
);
