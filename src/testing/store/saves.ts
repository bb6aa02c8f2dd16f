import type { Deal } from '../../domain/deal.js';
import { check, equal } from '../expectations.js';
import { createDeal } from './deals.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  dealEvent,
  dealV2Of,
  globex,
  registration,
  type StoreSubject,
} from './subject.js';

const key = { key: 'key', fingerprint: 'f' };

async function storedDeal(store: StoreSubject): Promise<Deal> {
  await ask(store.contractors.add(acme, registration(acme)));
  const { id } = await createDeal(store, acme, 'deal', key);
  const read = await ask(store.deals.byId(acme, id));
  check(read !== undefined, 'the deal is there');
  return read.value;
}

/** What saving promises: the version that was read decides. */
export function saves(define: DefineCase): void {
  define('replaces a 1.0 deal of the version that was read', async (store) => {
    const deal = await storedDeal(store);
    const before = await allEvents(store, acme);
    const accepted: Deal = {
      ...deal,
      status: 'accepted',
      freelancer_status: 'accepted',
      stages: deal.stages.map((stage) => ({ ...stage, status: 'submitted' })),
    };
    const events = [dealEvent(acme, 'deal', 2), dealEvent(acme, 'deal', 3)];
    equal(await ask(store.deals.save(acme, accepted, 1, events)), 'saved', 'the outcome');
    const expected = { value: accepted, version: 3 };
    equal(await ask(store.deals.byId(acme, deal.id)), expected, 'by id');
    equal(await ask(store.deals.byPartnerId(acme, 'deal')), expected, 'by partner_id');
    equal(await allEvents(store, acme), [...before, ...events], 'the events');

    const next = [dealEvent(acme, 'deal', 4)];
    equal(await ask(store.deals.save(acme, deal, 3, next)), 'saved', 'the next save');
    equal(await ask(store.deals.byId(acme, deal.id)), { value: deal, version: 4 }, 'the deal');
  });

  define('replaces a 2.0 deal of the version that was read', async (store) => {
    const given = additionV2(acme, 'deal', key);
    await ask(store.dealsV2.add(acme, given));
    const accepted = { ...given.deal, status: 'accepted', freelancer_status: 'accepted' } as const;
    const events = [dealEvent(acme, 'deal', 2)];
    equal(await ask(store.dealsV2.save(acme, accepted, 1, events)), 'saved', 'the outcome');
    const expected = { value: accepted, version: 2 };
    equal(await ask(store.dealsV2.byPartnerId(acme, 'deal')), expected, 'the deal');
    equal(await allEvents(store, acme), [...given.events, ...events], 'the events');
    const retry = await ask(store.dealsV2.add(acme, additionV2(acme, 'deal', key)));
    const first = { fingerprint: 'f', payment_token: given.deal.payment_token };
    equal(retry, { outcome: 'exists', by: 'idempotency_key', first }, 'the first answer stays');
  });

  define('refuses a version that is no longer, or not yet, the stored one', async (store) => {
    const deal = await storedDeal(store);
    const given = additionV2(acme, 'v2');
    await ask(store.dealsV2.add(acme, given));
    await ask(store.deals.save(acme, deal, 1, [dealEvent(acme, 'deal', 2)]));
    await ask(store.dealsV2.save(acme, given.deal, 1, [dealEvent(acme, 'v2', 2)]));
    const before = await allEvents(store, acme);
    const changed: Deal = { ...deal, status: 'cancelled' };
    const changedV2 = { ...given.deal, status: 'cancelled' } as const;
    for (const version of [0, 1, 3]) {
      const events = [dealEvent(acme, 'deal', version + 1)];
      equal(await ask(store.deals.save(acme, changed, version, events)), 'stale', '1.0');
      equal(await ask(store.dealsV2.save(acme, changedV2, version, events)), 'stale', '2.0');
    }
    equal(await ask(store.deals.byId(acme, deal.id)), { value: deal, version: 2 }, 'the deal');
    const read = await ask(store.dealsV2.byPartnerId(acme, 'v2'));
    equal(read, { value: given.deal, version: 2 }, 'the 2.0 deal');
    equal(await allEvents(store, acme), before, 'no event more');
  });

  define('finds nothing to save to elsewhere', async (store) => {
    const deal = await storedDeal(store);
    await ask(store.dealsV2.add(acme, additionV2(acme, 'v2')));
    const events = [dealEvent(acme, 'deal', 2)];
    for (const tenant of [globex, acmeLive]) {
      equal(await ask(store.deals.save(tenant, deal, 1, events)), 'missing', 'another tenant');
      const foreign = dealV2Of('v2');
      equal(await ask(store.dealsV2.save(tenant, foreign, 1, events)), 'missing', 'another tenant');
      equal(await allEvents(store, tenant), [], 'no event there');
    }
    const nowhere = { ...deal, partner_id: 'nowhere' };
    equal(await ask(store.deals.save(acme, nowhere, 1, events)), 'missing', 'no such deal');
    const renumbered = { ...deal, id: deal.id + 1000 };
    equal(await ask(store.deals.save(acme, renumbered, 1, events)), 'missing', 'another id');
    const otherVersion = { ...deal, partner_id: 'v2' };
    equal(await ask(store.deals.save(acme, otherVersion, 1, events)), 'missing', 'one of 2.0');
    equal(
      await ask(store.dealsV2.save(acme, dealV2Of('deal'), 1, events)),
      'missing',
      'one of 1.0',
    );
    equal(await ask(store.dealsV2.save(acme, dealV2Of('none'), 1, events)), 'missing', 'none');
    equal(await ask(store.deals.byId(acme, deal.id)), { value: deal, version: 1 }, 'unchanged');
  });

  define('lets one of many saves of the same version win', async (store) => {
    const deal = await storedDeal(store);
    const before = await allEvents(store, acme);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ask(
          store.deals.save(acme, { ...deal, name: `Name ${index}` }, 1, [
            dealEvent(acme, 'deal', 2),
          ]),
        ),
      ),
    );
    equal(outcomes.filter((outcome) => outcome === 'saved').length, 1, 'the number of winners');
    equal(outcomes.filter((outcome) => outcome === 'stale').length, 9, 'the number of losers');
    const winner = `Name ${outcomes.indexOf('saved')}`;
    const read = await ask(store.deals.byId(acme, deal.id));
    equal([read?.value.name, read?.version], [winner, 2], "the winner's deal");
    equal((await allEvents(store, acme)).length, before.length + 1, 'one event more');
  });

  define('keeps the first answer of a 1.0 deal however it moves on', async (store) => {
    const deal = await storedDeal(store);
    await ask(
      store.deals.save(acme, { ...deal, status: 'accepted' }, 1, [dealEvent(acme, 'deal', 2)]),
    );
    const ids = { id: deal.id, stage_ids: deal.stages.map(({ id }) => id) };
    const retry = await ask(store.deals.add(acme, addition(acme, 'deal', key)));
    const first = { fingerprint: 'f', ids };
    equal(retry, { outcome: 'exists', by: 'idempotency_key', first }, 'the first answer');
  });
}
