import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import { acme, allEvents, ask, scribble } from '../store/subject.js';
import { createDeal, move, registration, upload } from '../store/writes.js';
import { fill, placeOf, tenants } from './filled.js';
import { copyOf, dumped, group, ordered, rankOf, streamed } from './subject.js';

/** The records of a dump. */
export const dumps = group(
  'dump',
  {
    must: {
      '8/archive/every-record': 'A dump has every record as it was written, with its tenant.',
      '8/archive/order':
        "A dump comes kind by kind, parents first; a tenant's deals come oldest first, and its events in the order of its log.",
      '8/archive/one-moment':
        'A dump has the records of one moment: a write that comes while it is read is in the next dump alone.',
      '8/archive/left-early':
        'A reader may leave a dump early: the next dump is complete, and the store takes writes.',
      '8/archive/copies':
        'A store shares nothing with the records of a dump or a restore: a change of them changes nothing in it.',
    },
  },
  (define) => {
    define('8/archive/every-record', async (stores) => {
      const from = await stores.from();
      const { records } = await fill(from);
      equal(ordered(await dumped(from)), records, 'all records');
    });

    define('8/archive/order', async (stores) => {
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
        const own = records.filter(
          (each) => JSON.stringify(each.tenant) === JSON.stringify(tenant),
        );
        const places = own.filter(({ kind }) => kind === 'deal').map(placeOf);
        check(places.length > 1, 'deals of several tenants');
        equal(places, [...places].sort(), 'the oldest deal first');
        const events = own.flatMap((each) => (each.kind === 'event' ? [each.row] : []));
        equal(events, await allEvents(from, tenant), 'events in the order of their log');
      }
    });

    define('8/archive/one-moment', async (stores) => {
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

    define('8/archive/left-early', async (stores) => {
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

    define('8/archive/copies', async (stores) => {
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
  },
);
