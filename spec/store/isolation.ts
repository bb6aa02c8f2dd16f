import { equal } from '../expectations.js';
import { changed, changeOf, changeOfV2 } from './changes.js';
import { createDeal } from './deals.js';
import {
  acme,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  knownKey,
  registration,
  scribble,
} from './subject.js';

const key = { key: 'key', fingerprint: 'f' };
const copy = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, copy(each)]);
  return (
    Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
  ) as T;
};

/** What is stored and what is handed over are never the same object. */
export function isolation(define: DefineCase): void {
  define('does not keep what it was given', async (store) => {
    const contractor = copy(registration(acme));
    const deal = copy(addition(acme, 'deal'));
    const dealV2 = copy(additionV2(acme, 'v2'));
    const expected = copy({ contractor, deal, dealV2 });
    await ask(store.contractors.add(acme, contractor));
    await ask(store.deals.add(acme, deal));
    await ask(store.dealsV2.add(acme, dealV2));
    for (const given of [contractor, deal, dealV2]) scribble(given);

    const read = await ask(store.contractors.byKey(acme, knownKey));
    equal(read?.value, expected.contractor.contractor, 'the contractor');
    const first = (await ask(store.deals.byPartnerId(acme, 'deal')))?.value;
    equal(first?.name, expected.deal.deal.name, 'the deal');
    equal(
      first?.stages.map(({ id: _, work_files: __, ...stage }) => stage),
      expected.deal.deal.stages,
      'its stages',
    );
    const second = await ask(store.dealsV2.byPartnerId(acme, 'v2'));
    equal(second?.value, expected.dealV2.deal, 'the 2.0 deal');
    equal(
      await allEvents(store, acme),
      [expected.contractor, expected.deal, expected.dealV2].flatMap(({ events }) => events),
      'the events',
    );
  });

  define('does not keep what was saved to it', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const { id } = await createDeal(store);
    const deal = copy((await ask(store.deals.byId(acme, id)))?.value);
    const dealV2 = copy(additionV2(acme, 'v2').deal);
    await ask(store.dealsV2.add(acme, { ...additionV2(acme, 'v2'), deal: dealV2 }));
    if (deal === undefined) throw new Error('the deal is there');
    const change = copy(changeOf(acme, deal, 1));
    const changeV2 = copy(changeOfV2(acme, 'v2', 1));
    const expected = copy({ deal: changed(deal, change), change, changeV2 });
    await ask(store.deals.save(acme, change));
    await ask(store.dealsV2.save(acme, changeV2));
    for (const given of [change, changeV2]) scribble(given);

    equal((await ask(store.deals.byId(acme, id)))?.value, expected.deal, 'the deal');
    const { status, freelancer_status } = expected.changeV2;
    const read = await ask(store.dealsV2.byPartnerId(acme, 'v2'));
    equal(read?.value, { ...dealV2, status, freelancer_status }, 'the 2.0 deal');
    const last = (await allEvents(store, acme)).slice(-2);
    equal(last, [...expected.change.events, ...expected.changeV2.events], 'the events');
  });

  define('does not hand out what it keeps', async (store) => {
    const { contractors, deals, dealsV2, events } = store;
    await ask(contractors.add(acme, registration(acme, knownKey, key)));
    const created = await ask(deals.add(acme, addition(acme, 'deal', key)));
    const id = created.outcome === 'created' ? created.id : 0;
    const otherKey = { key: 'other', fingerprint: 'f' };
    await ask(dealsV2.add(acme, additionV2(acme, 'v2', otherKey)));
    const readAll = async () => [
      await ask(contractors.byKey(acme, knownKey)),
      await ask(deals.byId(acme, id)),
      await ask(deals.byPartnerId(acme, 'deal')),
      await ask(dealsV2.byPartnerId(acme, 'v2')),
      await ask(contractors.add(acme, registration(acme, knownKey, key))),
      await ask(deals.add(acme, addition(acme, 'deal', key))),
      await ask(dealsV2.add(acme, additionV2(acme, 'v2', otherKey))),
      await ask(events.after(acme, undefined, 10)),
    ];
    await store.settled?.();
    const expected = copy(await readAll());
    scribble(created);
    for (const read of await readAll()) scribble(read);
    equal(await readAll(), expected, 'what is read after somebody wrote over it');
  });
}
