import type { DomainEvent } from '../../src/domain/events.js';
import { check, equal } from '../expectations.js';
import {
  acme,
  acmeLive,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  eventPage,
  globex,
  registration,
} from './subject.js';

/** What `EventLog` promises: every event, once, in order, as often as one asks. */
export function eventLog(define: DefineCase): void {
  define('gives events in the order of their writes, in pages of any size', async (store) => {
    const written: DomainEvent[] = [];
    for (let index = 0; index < 10; index += 1) {
      const given = additionV2(acme, `deal-${index}`);
      await ask(store.dealsV2.add(acme, given));
      written.push(...given.events);
    }
    for (const limit of [1, 2, 3, 9, 10, 11]) {
      equal(await allEvents(store, acme, limit), written, `pages of ${limit}`);
    }
  });

  define('gives what is behind a cursor again and again', async (store) => {
    const { dealsV2 } = store;
    const given = Array.from({ length: 5 }, (_, index) => additionV2(acme, `deal-${index}`));
    const written = given.flatMap((each) => each.events);
    for (const each of given.slice(0, 3)) await ask(dealsV2.add(acme, each));
    await store.settled?.();
    const first = await eventPage(store, acme, undefined, 2);
    equal(first.events, written.slice(0, 2), 'the first page');
    for (let time = 0; time < 2; time += 1) {
      const second = await eventPage(store, acme, first.cursor, 2);
      equal(second.events, written.slice(2, 3), 'what is behind it');
    }
    for (const each of given.slice(3)) await ask(dealsV2.add(acme, each));
    await store.settled?.();
    const more = await eventPage(store, acme, first.cursor, 9);
    equal(more.events, written.slice(2), 'more by now');
    equal(await eventPage(store, acme, undefined, 2), first, 'the beginning, once more');
  });

  define('gives a cursor at the end, from which later events are seen', async (store) => {
    let { cursor } = await eventPage(store, acme, undefined, 10);
    for (let index = 0; index < 3; index += 1) {
      const empty = await eventPage(store, acme, cursor, 10);
      equal(empty.events, [], 'nothing yet');
      const given = additionV2(acme, `deal-${index}`);
      await ask(store.dealsV2.add(acme, given));
      await store.settled?.();
      const page = await eventPage(store, acme, empty.cursor, 10);
      equal(page.events, given.events, 'the new event');
      cursor = page.cursor;
    }
  });

  define('says of a cursor that it did not give that it is none', async (store) => {
    await ask(store.dealsV2.add(acme, additionV2(acme, 'deal')));
    const strange = ['', ' ', 'x', '-1', '0.5', "'; --", '\u0000', '\ud800', '9'.repeat(400)];
    for (const cursor of [...strange, 'a'.repeat(100_000)]) {
      equal(await ask(store.events.after(acme, cursor, 10)), 'invalid_cursor', 'the answer');
    }
  });

  define('keeps the events of tenants apart', async (store) => {
    const tenants = [acme, globex, acmeLive];
    const written: DomainEvent[][] = [];
    for (const tenant of tenants) {
      const given = additionV2(tenant, 'deal');
      const contractor = registration(tenant, { register: tenant.partner, email_key: 'a@b' });
      await ask(store.dealsV2.add(tenant, given));
      await ask(store.contractors.add(tenant, contractor));
      written.push([...given.events, ...contractor.events]);
    }
    for (const [index, tenant] of tenants.entries()) {
      equal(await allEvents(store, tenant), written[index], `the events of ${tenant.partner}`);
    }
  });

  define('loses no event to a reader that follows many writers', async (store) => {
    const count = 40;
    const given = Array.from({ length: count }, (_, index) => additionV2(acme, `deal-${index}`));
    const writes = given.map((each) => ask(store.dealsV2.add(acme, each)));
    const finished = Promise.all(writes);
    // the first that fails ends the case, and is told there
    finished.catch(() => undefined);
    const seen: DomainEvent[] = [];
    let cursor: string | undefined;
    const follow = async () => {
      const page = await eventPage(store, acme, cursor, count);
      seen.push(...page.events);
      cursor = page.cursor;
    };
    // a reader that waits for no write would keep a store that reads at once from ever writing
    for (const write of writes) {
      await follow();
      await write;
    }
    await finished;
    await store.settled?.();
    await follow();
    const ids = seen.map(({ id }) => id).sort();
    equal(ids, given.flatMap(({ events }) => events.map(({ id }) => id)).sort(), 'all, once');
    check(seen.length === count, 'none twice');
  });
}
