import { fromMinorUnits } from '../../src/domain/money.js';
import { check, equal } from '../expectations.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  dealOf,
  dealV2Of,
  globex,
  knownKey,
  registration,
  type StoreSubject,
} from './subject.js';

const byPartnerId = { outcome: 'exists', by: 'partner_id' };
const missing = { outcome: 'contractor_missing' };
const key = { key: 'Key', fingerprint: 'first' };

/** Stores a 1.0 deal, whose contractor is registered, and gives its ids. */
export async function createDeal(
  { deals }: StoreSubject,
  tenant = acme,
  partner_id = 'deal',
  idempotency = undefined as typeof key | undefined,
) {
  const outcome = await ask(deals.add(tenant, addition(tenant, partner_id, idempotency)));
  check(outcome.outcome === 'created', `the deal ${partner_id} is created`);
  return { id: outcome.id, stage_ids: outcome.stage_ids };
}

/** What the deal repositories promise of adding and reading. */
export function deals(define: DefineCase): void {
  define('keeps a 1.0 deal as it was given, with ids for it and its stages', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const given = addition(acme, 'deal 😀 "\\');
    const budget = fromMinorUnits(-99_999_999_999_999_999_999n);
    const deal = {
      ...given.deal,
      budget,
      work_days: Number.MIN_SAFE_INTEGER,
      sub_category_id: Number.MAX_SAFE_INTEGER,
      description: 'Zażółć 😀\u2028\n'.repeat(3000),
    };
    const outcome = await ask(store.deals.add(acme, { ...given, deal }));
    check(outcome.outcome === 'created', 'it is created');
    const { id, stage_ids } = outcome;
    const isId = (value: number) => Number.isSafeInteger(value) && value > 0;
    check(isId(id) && stage_ids.length === 2 && stage_ids.every(isId), 'ids are positive integers');
    check(stage_ids[0] !== stage_ids[1], 'each stage has its own');
    const stages = deal.stages.map((stage, index) => ({
      ...stage,
      id: stage_ids[index],
      work_files: [],
    }));
    const expected = { value: { ...deal, id, stages }, version: 1 };
    equal(await ask(store.deals.byId(acme, id)), expected, 'by id');
    equal(await ask(store.deals.byPartnerId(acme, deal.partner_id)), expected, 'by partner_id');
    const events = (await allEvents(store, acme)).slice(1);
    equal(events, given.events, 'its event, after that of the contractor');
  });

  define('keeps any moment that a deal can be created at, in its order', async (store) => {
    const moments = [
      '0000-01-01T00:00:00.000Z',
      '0099-12-31T23:59:59.999Z',
      '1582-10-10T00:00:00.000Z',
    ];
    moments.push('2016-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z');
    for (const created_at of moments) {
      const given = additionV2(acme, created_at);
      await ask(store.dealsV2.add(acme, { ...given, deal: { ...given.deal, created_at } }));
      const read = await ask(store.dealsV2.byPartnerId(acme, created_at));
      equal(read?.value.created_at, created_at, 'the moment');
    }
    const all = { direction: 'older', from: undefined, limit: 101 } as const;
    const listed = await ask(store.dealIndex.list(acme, {}, all));
    const times = listed.map(({ entry }) => entry.created_at);
    equal(times, [...moments].reverse(), 'newest first');
  });

  define('keeps a 2.0 deal as it was given', async (store) => {
    const given = additionV2(acme, 'deal');
    const amount = fromMinorUnits(99_999_999_999_999_999_999n);
    const deal = { ...given.deal, amount };
    equal(await ask(store.dealsV2.add(acme, { ...given, deal })), { outcome: 'created' }, 'it is');
    const expected = { value: deal, version: 1 };
    equal(await ask(store.dealsV2.byPartnerId(acme, 'deal')), expected, 'by partner_id');
    equal(await allEvents(store, acme), given.events, 'its event');
  });

  define('gives ids that no other deal or stage of the environment has', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const deals = new Set<number>();
    const stages = new Set<number>();
    for (let index = 0; index < 6; index += 1) {
      for (const tenant of [acme, globex]) {
        const { id, stage_ids } = await createDeal(store, tenant, `deal-${index}`);
        deals.add(id);
        for (const stage_id of stage_ids) stages.add(stage_id);
      }
    }
    equal([deals.size, stages.size], [12, 24], 'the numbers of different ids');
  });

  define('keeps a partner_id to one deal of both versions', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const { id } = await createDeal(store, acme, 'one');
    await ask(store.dealsV2.add(acme, additionV2(acme, 'two')));
    const before = await allEvents(store, acme);
    for (const partner_id of ['one', 'two']) {
      equal(await ask(store.deals.add(acme, addition(acme, partner_id))), byPartnerId, '1.0');
      equal(await ask(store.dealsV2.add(acme, additionV2(acme, partner_id))), byPartnerId, '2.0');
    }
    equal(await ask(store.dealsV2.byPartnerId(acme, 'one')), undefined, 'not of 2.0');
    equal(await ask(store.deals.byPartnerId(acme, 'two')), undefined, 'not of 1.0');
    equal((await ask(store.deals.byId(acme, id)))?.value.partner_id, 'one', 'unchanged');
    equal(await allEvents(store, acme), before, 'no event more');
  });

  define('compares a partner_id exactly', async (store) => {
    const alike = ['id', 'ID', 'id ', ' id', '\u00e9', 'e\u0301', 'ß', 'ss', 'ﬁ', 'fi', 'İ', 'i'];
    const names = ['__proto__', 'constructor', 'toString', '%', '_', "'", '\\', '0', '00'];
    for (const partner_id of [...alike, ...names]) {
      const given = additionV2(acme, partner_id);
      equal(await ask(store.dealsV2.add(acme, given)), { outcome: 'created' }, partner_id);
    }
    for (const partner_id of [...alike, ...names]) {
      const read = await ask(store.dealsV2.byPartnerId(acme, partner_id));
      equal(read?.value.partner_id, partner_id, 'the deal');
    }
  });

  define('keeps tenants apart', async (store) => {
    const { deals, dealsV2 } = store;
    for (const tenant of [acme, acmeLive]) {
      await ask(store.contractors.add(tenant, registration(tenant)));
    }
    const { id } = await createDeal(store, acme, 'deal', key);
    const tenants = [globex, acmeLive, { ...acme, partner: 'ACME' }, { ...acme, partner: 'acme ' }];
    for (const tenant of tenants) {
      equal(await ask(deals.byId(tenant, id)), undefined, 'not by id');
      equal(await ask(deals.byPartnerId(tenant, 'deal')), undefined, 'not by partner_id');
      const own = additionV2(tenant, 'deal', key);
      equal(await ask(dealsV2.add(tenant, own)), { outcome: 'created' }, 'the same names are free');
      equal((await ask(dealsV2.byPartnerId(tenant, 'deal')))?.value, own.deal, 'its own');
      equal(await ask(dealsV2.byPartnerId(acme, 'deal')), undefined, 'not seen by the first');
    }
  });

  define('refuses a 1.0 deal without its contractor, and keeps nothing of it', async (store) => {
    const { deals, contractors } = store;
    equal(await ask(deals.add(acme, addition(acme, 'deal', key))), missing, 'nobody there');
    await ask(contractors.add(acmeLive, registration(acmeLive)));
    const own = { register: 'acme', email_key: 'user@example.com' };
    await ask(contractors.add(acme, registration(acme, own)));
    equal(await ask(deals.add(acme, addition(acme, 'deal', key))), missing, 'only elsewhere');
    equal(await ask(deals.byPartnerId(acme, 'deal')), undefined, 'no deal');
    equal((await allEvents(store, acme)).length, 1, 'no event');
    const registered = await ask(deals.add(acme, addition(acme, 'other', undefined, own)));
    equal(registered.outcome, 'created', 'in the register that the deal names');
    await ask(contractors.add(acme, registration(acme)));
    const later = await ask(deals.add(acme, addition(acme, 'deal', key)));
    equal(later.outcome, 'created', 'name and key are free');
  });

  define('judges key, then partner_id, then contractor', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const ids = await createDeal(store, acme, 'deal', key);
    const nobody = { ...knownKey, email_key: 'nobody@example.com' };
    const second = { key: 'Key', fingerprint: 'second' };
    const byKey = {
      outcome: 'exists',
      by: 'idempotency_key',
      first: { fingerprint: 'first', ids },
    };
    for (const partner_id of ['deal', 'new']) {
      const given = addition(acme, partner_id, second, nobody);
      equal(await ask(store.deals.add(acme, given)), byKey, 'the key is first');
      const given2 = additionV2(acme, partner_id, second);
      equal(await ask(store.dealsV2.add(acme, given2)), byKey, 'in the other version too');
    }
    const free = { key: 'key', fingerprint: 'first' };
    for (const idempotency of [undefined, free]) {
      const given = addition(acme, 'deal', idempotency, nobody);
      equal(await ask(store.deals.add(acme, given)), byPartnerId, 'then the partner_id');
    }
    const given = addition(acme, 'new', free, nobody);
    equal(await ask(store.deals.add(acme, given)), missing, 'then the contractor');
    equal(
      await ask(store.dealsV2.add(acme, additionV2(acme, 'new', free))),
      { outcome: 'created' },
      'refusals keep no key',
    );
  });

  define('gives the first answer of a 2.0 deal with its token', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const given = additionV2(acme, 'deal', key);
    await ask(store.dealsV2.add(acme, given));
    const { payment_token } = given.deal;
    const first = { fingerprint: 'first', payment_token };
    const byKey = { outcome: 'exists', by: 'idempotency_key', first };
    equal(await ask(store.dealsV2.add(acme, additionV2(acme, 'deal', key))), byKey, 'to 2.0');
    equal(await ask(store.deals.add(acme, addition(acme, 'other', key))), byKey, 'to 1.0');
    equal((await ask(store.dealsV2.byPartnerId(acme, 'deal')))?.value, given.deal, 'the deal');
  });

  define('keeps nothing of one deal in another', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const { stages, ...terms } = dealOf('three');
    const three = [...stages, ...stages.slice(0, 1)];
    const given = { ...addition(acme, 'three'), deal: { ...terms, stages: three } };
    const outcome = await ask(store.deals.add(acme, given));
    await createDeal(store, acme, 'two');
    await ask(store.dealsV2.add(acme, { ...additionV2(acme, 'v2'), deal: dealV2Of('v2') }));
    equal(outcome.outcome === 'created' && outcome.stage_ids.length, 3, 'three stages');
    const names = (await ask(store.deals.byPartnerId(acme, 'three')))?.value.stages;
    equal(
      names?.map(({ name }) => name),
      ['First', 'Second', 'First'],
      'in their order',
    );
    equal((await ask(store.deals.byPartnerId(acme, 'two')))?.value.stages.length, 2, 'two stages');
  });
}
