import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import { acme, allEvents, ask, scribble } from '../store/subject.js';
import { createDeal, move, registration, upload } from '../store/writes.js';
import { fill, placeOf, tenants } from './filled.js';
import { copyOf, type DefineArchiveCase, dumped, ordered, rankOf, streamed } from './subject.js';

/** The records of a dump. */
export function dumps(define: DefineArchiveCase): void {
  define('gives every record as it was written, with its tenant', async (stores) => {
    const from = await stores.from();
    const { records } = await fill(from);
    equal(ordered(await dumped(from)), records, 'all records');
  });

  define('gives kind by kind, deals as lists have them, events as logs do', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const records = await dumped(from);
    const ranks = records.map(rankOf);
    equal(
      ranks,
      [...ranks].sort((a, b) => a - b),
      'a kind comes after the one it is under',
    );
    for (const tenant of tenants) {
      const own = records.filter((each) => JSON.stringify(each.tenant) === JSON.stringify(tenant));
      const places = own.filter(({ kind }) => kind === 'deal').map(placeOf);
      check(places.length > 1, 'deals of several tenants');
      equal(places, [...places].sort(), 'the oldest deal first');
      const events = own.flatMap((each) => (each.kind === 'event' ? [each.row] : []));
      equal(events, await allEvents(from, tenant), 'events in the order of their log');
    }
  });

  define('gives what was there at one moment, not what is written meanwhile', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const [, stage = 0] = await createDeal(from, acme, 'known');
    const before = ordered(await dumped(from));
    const reading = from.archive.dump()[Symbol.asyncIterator]();
    const records: ArchiveRecord[] = [];
    let next = await reading.next();
    await ask(from.commit(acme, registration('later@example.com')));
    await createDeal(from, acme, 'later');
    await ask(from.commit(acme, move('known', 1, { status: 'accepted' })));
    await ask(from.commit(acme, upload('known', stage)));
    while (next.done !== true) {
      records.push(next.value);
      next = await reading.next();
    }
    equal(ordered(records), before, 'nothing that came later');
    // four inserts, and four events
    equal((await dumped(from)).length, before.length + 8, 'it is in the next dump');
  });

  define('may be left early, and read again', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const before = ordered(await dumped(from));
    for (let time = 0; time < 3; time += 1) {
      for await (const _ of from.archive.dump()) break;
    }
    equal(ordered(await dumped(from)), before, 'the same again');
    await createDeal(from, acme, 'later');
    equal((await dumped(from)).length, before.length + 3, 'the store goes on');
  });

  define('shares nothing with the reader and the writer of records', async (stores) => {
    const from = await stores.from();
    const { records } = await fill(from);
    for (const record of await dumped(from)) scribble(record);
    equal(ordered(await dumped(from)), records, 'after a reader wrote into its records');
    const into = await stores.into();
    const given = (await dumped(from)).map(copyOf);
    await into.archive.restore(streamed(given));
    for (const record of given) scribble(record);
    equal(ordered(await dumped(into)), records, 'after a writer wrote into its own');
  });
}
