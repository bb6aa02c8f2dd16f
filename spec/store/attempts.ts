import { check, equal } from '../expectations.js';
import { changeOf, changeOfV2 } from './changes.js';
import { createDeal } from './deals.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  fileAddition,
  globex,
  registration,
  workFileOf,
} from './subject.js';

const taken = { outcome: 'exists', by: 'partner_id' };

/** What is sent again by one who does not know what became of it is there once. */
export function attempts(define: DefineCase): void {
  define('a contractor that is added again by the same attempt is created, once', async (store) => {
    const { contractors } = store;
    const given = registration(acme);
    for (let time = 0; time < 3; time += 1) {
      equal(await ask(contractors.add(acme, given)), { outcome: 'created' }, `time ${time}`);
    }
    const other = await ask(contractors.add(globex, registration(globex)));
    equal(other, { outcome: 'exists', by: 'email' }, 'another attempt');
    equal(await allEvents(store, acme), given.events, 'one event');
  });

  define('a deal that is added again by the same attempt is created, once', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const given = addition(acme, 'one');
    const givenV2 = additionV2(acme, 'two');
    const created = await ask(store.deals.add(acme, given));
    equal(created.outcome, 'created', 'the first time');
    await ask(store.dealsV2.add(acme, givenV2));
    const before = await allEvents(store, acme);
    const again = async (name: string) => {
      equal(await ask(store.deals.add(acme, given)), created, `1.0 ${name}`);
      equal(await ask(store.dealsV2.add(acme, givenV2)), { outcome: 'created' }, `2.0 ${name}`);
    };
    await again('again');
    equal(await allEvents(store, acme), before, 'no event more');

    const deal = (await ask(store.deals.byPartnerId(acme, 'one')))?.value;
    if (deal !== undefined) await ask(store.deals.save(acme, changeOf(acme, deal, 1)));
    await ask(store.dealsV2.save(acme, changeOfV2(acme, 'two', 1)));
    await again('after it has moved on');
    equal((await ask(store.deals.byPartnerId(acme, 'one')))?.version, 2, 'nothing is undone');
    equal((await ask(store.dealsV2.byPartnerId(acme, 'two')))?.version, 2, 'nothing is undone');
    equal(await ask(store.deals.add(acme, addition(acme, 'one'))), taken, 'another attempt');
    equal(await ask(store.dealsV2.add(acme, additionV2(acme, 'two'))), taken, 'another attempt');
    equal(await ask(store.deals.add(acme, addition(acme, 'two'))), taken, 'of the other version');
    const elsewhere = await ask(store.dealsV2.add(acmeLive, additionV2(acmeLive, 'two')));
    equal(elsewhere, { outcome: 'created' }, 'another environment');
  });

  define('a key is judged before the attempt, and gives the same answer', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const key = { key: 'key', fingerprint: 'f' };
    const given = addition(acme, 'one', key);
    const created = await ask(store.deals.add(acme, given));
    check(created.outcome === 'created', 'the first time');
    const ids = { id: created.id, stage_ids: created.stage_ids };
    const first = { fingerprint: 'f', ids };
    const again = { outcome: 'exists', by: 'idempotency_key', first };
    equal(await ask(store.deals.add(acme, given)), again, 'the second time');
    equal((await allEvents(store, acme)).length, 2, 'no event more');
  });

  define('of 20 sendings of one attempt all are created, and one deal is there', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const before = await allEvents(store, acme);
    const given = addition(acme, 'deal');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => ask(store.deals.add(acme, given))),
    );
    equal(outcomes[0]?.outcome, 'created', 'the first');
    for (const outcome of outcomes) equal(outcome, outcomes[0], 'the same ids');
    equal(await allEvents(store, acme), [...before, ...given.events], 'one event more');
  });

  define('a file that is added again by the same attempt is stored, once', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const { id, stage_ids } = await createDeal(store);
    const file = workFileOf(stage_ids[0] ?? 0);
    const stored = { outcome: 'stored' };
    const given = fileAddition(acme, id, 1, file);
    const sent = Array.from({ length: 20 }, () => ask(store.deals.addWorkFile(acme, given)));
    for (const outcome of await Promise.all(sent)) equal(outcome, stored, 'at the same time');
    const before = await allEvents(store, acme);
    equal(await ask(store.deals.addWorkFile(acme, given)), stored, 'later');
    const read = await ask(store.deals.byId(acme, id));
    equal([read?.version, read?.value.stages[0]?.work_files], [2, [file]], 'one file');
    equal(await allEvents(store, acme), before, 'no event more');
    const next = fileAddition(acme, id, 2, workFileOf(file.stage_id));
    equal(await ask(store.deals.addWorkFile(acme, next)), stored, 'another file');
    equal(await ask(store.deals.addWorkFile(acme, given)), stored, 'behind another');
    equal((await ask(store.deals.byId(acme, id)))?.version, 3, 'two files');
  });
}
