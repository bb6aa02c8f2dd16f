import type { StoreRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import { changeOfV2 } from '../store/changes.js';
import { createDeal } from '../store/deals.js';
import {
  acme,
  additionV2,
  ask,
  fileAddition,
  registration,
  scribble,
  workFileOf,
} from '../store/subject.js';
import { fill } from './filled.js';
import { copyOf, type DefineArchiveCase, dumped, ordered, rankOf, streamed } from './subject.js';

/** What a dump is, beside complete. */
export function dumps(define: DefineArchiveCase): void {
  define('gives contractors, then deals as lists have them, then events', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const records = await dumped(from);
    const ranks = records.map(rankOf);
    equal(
      ranks,
      [...ranks].sort((a, b) => a - b),
      'contractors, deals, events',
    );
    const places = new Map<string, string[]>();
    for (const record of records) {
      if (record.record !== 'deal' && record.record !== 'deal_v2') continue;
      const tenant = JSON.stringify(record.tenant);
      const place = `${record.deal.created_at} ${record.event_id}`;
      places.set(tenant, [...(places.get(tenant) ?? []), place]);
    }
    for (const each of places.values()) equal(each, [...each].sort(), 'the oldest deal first');
    check(places.size > 1, 'deals of several tenants');
  });

  define('gives what was there at one moment, whatever is written meanwhile', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const { id, stage_ids } = await createDeal(from, acme, 'known');
    await ask(from.dealsV2.add(acme, additionV2(acme, 'known 2')));
    const before = ordered(await dumped(from));
    const reading = from.archive.dump()[Symbol.asyncIterator]();
    const records: StoreRecord[] = [];
    let next = await reading.next();
    const other = { register: 'later', email_key: 'later@example.com' };
    await ask(from.contractors.add(acme, registration(acme, other)));
    await createDeal(from, acme, 'later');
    await ask(from.dealsV2.add(acme, additionV2(acme, 'later 2')));
    await ask(from.dealsV2.save(acme, changeOfV2(acme, 'known 2', 1)));
    const file = workFileOf(stage_ids[0] ?? 0);
    const later = { key: 'later', fingerprint: 'later' };
    await ask(from.deals.addWorkFile(acme, fileAddition(acme, id, 1, file, later, 'known')));
    while (next.done !== true) {
      records.push(next.value);
      next = await reading.next();
    }
    equal(ordered(records), before, 'nothing that came later');
    // three that were added, and five events
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
    await ask(from.dealsV2.add(acme, additionV2(acme, 'later')));
    equal((await dumped(from)).length, before.length + 2, 'the store goes on');
  });

  define('shares nothing with who reads and writes records', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const before = copyOf(ordered(await dumped(from)));
    for (const record of await dumped(from)) scribble(record);
    equal(ordered(await dumped(from)), before, 'a reader that writes all over its records');
    const into = await stores.into();
    const given = copyOf(await dumped(from));
    await into.archive.restore(streamed(given));
    for (const record of given) scribble(record);
    equal(ordered(await dumped(into)), before, 'a writer that does');
  });
}
