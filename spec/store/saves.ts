import type { Deal } from '../../src/domain/deal.js';
import { check, equal } from '../expectations.js';
import { changed, changeOf, changeOfV2 } from './changes.js';
import { createDeal } from './deals.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
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

/** What saving promises: the version that was read decides, and nothing but statuses changes. */
export function saves(define: DefineCase): void {
  define('moves a 1.0 deal of the version that was read on', async (store) => {
    const deal = await storedDeal(store);
    const before = await allEvents(store, acme);
    const change = changeOf(acme, deal, 1, {}, 2);
    equal(await ask(store.deals.save(acme, change)), 'saved', 'the outcome');
    const moved = changed(deal, change);
    const expected = { value: moved, version: 3 };
    equal(await ask(store.deals.byId(acme, deal.id)), expected, 'by id');
    equal(await ask(store.deals.byPartnerId(acme, 'deal')), expected, 'by partner_id');
    equal(await allEvents(store, acme), [...before, ...change.events], 'the events');

    const [, second = { id: 0 }] = deal.stages;
    const next = changeOf(acme, deal, 3, {
      status: 'cancelled',
      freelancer_status: 'removed',
      stages: [{ id: second.id, status: 'cancelled' }],
    });
    equal(await ask(store.deals.save(acme, next)), 'saved', 'the next save');
    const last = { value: changed(moved, next), version: 4 };
    equal(await ask(store.deals.byId(acme, deal.id)), last, 'of one stage, without the other');
    const none = changeOf(acme, deal, 4, { stages: [] });
    equal(await ask(store.deals.save(acme, none)), 'saved', 'a save without a stage');
    const same = { value: changed(last.value, none), version: 5 };
    equal(await ask(store.deals.byId(acme, deal.id)), same, 'the stages stay');
  });

  define('moves a 2.0 deal of the version that was read on', async (store) => {
    const given = additionV2(acme, 'deal', key);
    await ask(store.dealsV2.add(acme, given));
    const change = changeOfV2(acme, 'deal', 1);
    equal(await ask(store.dealsV2.save(acme, change)), 'saved', 'the outcome');
    const { status, freelancer_status } = change;
    const expected = { value: { ...given.deal, status, freelancer_status }, version: 2 };
    equal(await ask(store.dealsV2.byPartnerId(acme, 'deal')), expected, 'the deal');
    equal(await allEvents(store, acme), [...given.events, ...change.events], 'the events');
    const retry = await ask(store.dealsV2.add(acme, additionV2(acme, 'deal', key)));
    const first = { fingerprint: 'f', payment_token: given.deal.payment_token };
    equal(retry, { outcome: 'exists', by: 'idempotency_key', first }, 'the first answer stays');
  });

  define('refuses a version that is no longer, or not yet, the stored one', async (store) => {
    const deal = await storedDeal(store);
    const given = additionV2(acme, 'v2');
    await ask(store.dealsV2.add(acme, given));
    await ask(store.deals.save(acme, changeOf(acme, deal, 1)));
    await ask(store.dealsV2.save(acme, changeOfV2(acme, 'v2', 1)));
    const before = await allEvents(store, acme);
    const read = async () => [
      await ask(store.deals.byId(acme, deal.id)),
      await ask(store.dealsV2.byPartnerId(acme, 'v2')),
    ];
    const stored = await read();
    for (const version of [0, 1, 3]) {
      const statuses = { status: 'cancelled' } as const;
      const change = changeOf(acme, deal, version, statuses);
      equal(await ask(store.deals.save(acme, change)), 'stale', '1.0');
      const changeV2 = changeOfV2(acme, 'v2', version, statuses);
      equal(await ask(store.dealsV2.save(acme, changeV2)), 'stale', '2.0');
    }
    equal(await read(), stored, 'the deals');
    equal(await allEvents(store, acme), before, 'no event more');
  });

  define('finds nothing to save to elsewhere', async (store) => {
    const deal = await storedDeal(store);
    await ask(store.dealsV2.add(acme, additionV2(acme, 'v2')));
    for (const tenant of [globex, acmeLive]) {
      const change = changeOf(tenant, deal, 1);
      equal(await ask(store.deals.save(tenant, change)), 'missing', 'another tenant');
      const changeV2 = changeOfV2(tenant, 'v2', 1);
      equal(await ask(store.dealsV2.save(tenant, changeV2)), 'missing', 'another tenant');
      equal(await allEvents(store, tenant), [], 'no event there');
    }
    for (const id of [deal.id + 1000, 0, -1, Number.MAX_SAFE_INTEGER]) {
      const change = changeOf(acme, { ...deal, id }, 1);
      equal(await ask(store.deals.save(acme, change)), 'missing', `the id ${id}`);
    }
    for (const partner_id of ['deal', 'none', 'V2']) {
      const change = changeOfV2(acme, partner_id, 1);
      equal(await ask(store.dealsV2.save(acme, change)), 'missing', `no 2.0 deal ${partner_id}`);
    }
    equal(await ask(store.deals.byId(acme, deal.id)), { value: deal, version: 1 }, 'unchanged');
  });

  define('lets one of many saves of the same version win', async (store) => {
    const deal = await storedDeal(store);
    const before = await allEvents(store, acme);
    const changes = Array.from({ length: 10 }, (_, index) =>
      changeOf(acme, deal, 1, { status: index % 2 === 0 ? 'accepted' : 'cancelled' }),
    );
    const outcomes = await Promise.all(
      changes.map((change) => ask(store.deals.save(acme, change))),
    );
    equal(outcomes.filter((outcome) => outcome === 'saved').length, 1, 'the number of winners');
    equal(outcomes.filter((outcome) => outcome === 'stale').length, 9, 'the number of losers');
    const winner = changes[outcomes.indexOf('saved')];
    check(winner !== undefined, 'there is a winner');
    const expected = { value: changed(deal, winner), version: 2 };
    equal(await ask(store.deals.byId(acme, deal.id)), expected, "the winner's deal");
    const more = (await allEvents(store, acme)).slice(before.length);
    equal(more, winner.events, "the winner's event");
  });

  define('keeps the first answer of a 1.0 deal however it moves on', async (store) => {
    const deal = await storedDeal(store);
    await ask(store.deals.save(acme, changeOf(acme, deal, 1)));
    const ids = { id: deal.id, stage_ids: deal.stages.map(({ id }) => id) };
    const retry = await ask(store.deals.add(acme, addition(acme, 'deal', key)));
    const first = { fingerprint: 'f', ids };
    equal(retry, { outcome: 'exists', by: 'idempotency_key', first }, 'the first answer');
  });
}
