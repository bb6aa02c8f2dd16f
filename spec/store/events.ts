import type { Stored } from '../../src/domain/records.js';
import { equal } from '../expectations.js';
import { sessionWith } from './session.js';
import { acme, acmeLive, allEvents, ask, type DefineCase, eventPage, globex } from './subject.js';
import { committed, creation, numbers, registration } from './writes.js';

/** What the log promises: every event, once, in order, as often as a reader asks. */
export function events(define: DefineCase): void {
  define('gives events in the order of their writes, in pages of any size', async (store) => {
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

  define('gives what comes after a cursor again and again', async (store) => {
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
    equal(await eventPage(store, acme, undefined, 2), first, 'the beginning, once more');
  });

  define('gives a cursor at the end, from which later events are seen', async (store) => {
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

  define('refuses a cursor that it did not give', async (store) => {
    equal(await ask(store.commit(acme, registration())), committed, 'a write');
    const strange = ['', ' ', 'x', '-1', '0.5', "'; --", '\u0000', '\ud800', '9'.repeat(400)];
    for (const cursor of [...strange, 'a'.repeat(100_000)]) {
      equal(await ask(store.events.after(acme, cursor, 10)), 'invalid_cursor', 'the answer');
    }
  });

  define('loses no event to a reader that follows many writers', async (store) => {
    const count = 40;
    const writes = Array.from({ length: count }, (_, at) => registration(`${at}`));
    const answers = writes.map((write) => ask(store.commit(acme, write)));
    const finished = Promise.all(answers);
    // the first that fails ends the case, and is told there
    finished.catch(() => undefined);
    const seen: Stored<'event'>[] = [];
    let cursor: string | undefined;
    const follow = async () => {
      const page = await eventPage(store, acme, cursor, count);
      seen.push(...page.events);
      cursor = page.cursor;
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
  });
}
