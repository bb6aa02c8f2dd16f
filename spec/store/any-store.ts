import type { AddDealOutcome, AddDealV2Outcome, DealIds } from '../../src/ports/deal-repository.js';
import type { StorePorts } from '../../src/ports/marketplace-ports.js';
import { check, equal } from '../expectations.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  ask,
  contractorOf,
  globex,
  registration,
} from './subject.js';

/** The parts of a store. */
export type AnyStore = Pick<StorePorts, 'contractors' | 'deals' | 'dealsV2'> & {
  readonly dealIndex: Pick<StorePorts['dealIndex'], 'byPartnerId'>;
};

/** Defines a case that gets a store of its own. */
export type DefineAnyCase = (name: string, body: (store: AnyStore) => Promise<void>) => void;

const key = { key: 'key', fingerprint: 'first' };
const otherInput = { key: 'key', fingerprint: 'second' };
const byPartnerId = { outcome: 'exists', by: 'partner_id' };
const missing = { outcome: 'contractor_missing' };

/** Registers the contractor that deals are for. */
async function register({ contractors }: AnyStore, tenant = acme): Promise<void> {
  equal(await ask(contractors.add(tenant, registration(tenant))), { outcome: 'created' }, 'it');
}

/** The ids of a deal that is there: a repeat is answered by its store, or by its service. */
function idsOf(outcome: AddDealOutcome): DealIds {
  const ids = outcome.outcome === 'created' ? outcome : undefined;
  const first =
    outcome.outcome === 'exists' && outcome.by === 'idempotency_key' ? outcome.first : undefined;
  const { id, stage_ids } = ids ?? first?.ids ?? { id: 0, stage_ids: [] };
  check(Number.isSafeInteger(id) && id > 0 && stage_ids.length > 0, 'there are ids');
  return { id, stage_ids };
}

/** The token of a deal that was created: the one that was given, or the service's own. */
function tokenOf(outcome: AddDealV2Outcome, given: string): string {
  check(outcome.outcome === 'created', 'the deal is created');
  return outcome.payment_token ?? given;
}

function refusedByKey(outcome: AddDealOutcome | AddDealV2Outcome, fingerprint: string): void {
  check(
    outcome.outcome === 'exists' && outcome.by === 'idempotency_key',
    'the key is judged before anything else',
  );
  check(outcome.first.fingerprint !== fingerprint, 'it stands for other input');
}

/** What every store promises, also one whose ids, stages, tokens and events are another service's. */
export function anyStore(define: DefineAnyCase): void {
  define('gives a 1.0 deal back on the terms it was added with', async (store) => {
    await register(store);
    const given = addition(acme, 'deal 😀 "\\');
    const ids = idsOf(await ask(store.deals.add(acme, given)));
    const { stages: _, created_at: __, ...terms } = given.deal;
    for (const read of [
      await ask(store.deals.byId(acme, ids.id)),
      await ask(store.deals.byPartnerId(acme, given.deal.partner_id)),
      await ask(store.dealIndex.byPartnerId(acme, given.deal.partner_id)),
    ]) {
      check(read !== undefined && 'stages' in read.value, 'the deal is there');
      const { stages, created_at, ...found } = read.value;
      equal(found, { ...terms, id: ids.id }, 'its terms');
      equal(
        stages.map(({ id }) => id),
        ids.stage_ids,
        'its stages',
      );
      const sum = stages.reduce((all, { budget }) => all + budget, 0n);
      equal(sum, terms.budget, "the stages' budgets sum to the deal's");
      check(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(created_at), 'it was created at a time');
    }
    const none = [
      await ask(store.deals.byId(acme, ids.id + 1_000_000)),
      await ask(store.deals.byPartnerId(acme, 'other')),
      await ask(store.dealIndex.byPartnerId(acme, 'other')),
      await ask(store.dealsV2.byPartnerId(acme, given.deal.partner_id)),
    ];
    equal(none, [undefined, undefined, undefined, undefined], 'nothing else is');
  });

  define('gives a 2.0 deal back on the terms it was added with', async (store) => {
    const given = additionV2(acme, 'deal');
    const outcome = await ask(store.dealsV2.add(acme, given));
    const payment_token = tokenOf(outcome, given.deal.payment_token);
    for (const read of [
      await ask(store.dealsV2.byPartnerId(acme, 'deal')),
      await ask(store.dealIndex.byPartnerId(acme, 'deal')),
    ]) {
      check(read !== undefined, 'the deal is there');
      const { created_at } = read.value;
      equal(read.value, { ...given.deal, payment_token, created_at }, 'the deal');
    }
    equal(await ask(store.deals.byPartnerId(acme, 'deal')), undefined, 'no deal of 1.0');
  });

  define('registers a contractor once in an environment, for all partners', async (store) => {
    const { contractors } = store;
    await register(store);
    const again = { ...registration(acme), contractor: contractorOf('User@EXAMPLE.com') };
    const exists = { outcome: 'exists', by: 'email' };
    equal(await ask(contractors.add(acme, again)), exists, 'again');
    equal(await ask(contractors.add(globex, registration(globex))), exists, 'by another partner');
    await register(store, acmeLive);
  });

  define('keeps a partner_id to one deal, of either version', async (store) => {
    await register(store);
    const { id } = idsOf(await ask(store.deals.add(acme, addition(acme, 'one'))));
    await ask(store.dealsV2.add(acme, additionV2(acme, 'two')));
    for (const partner_id of ['one', 'two']) {
      equal(await ask(store.deals.add(acme, addition(acme, partner_id))), byPartnerId, '1.0');
      equal(await ask(store.dealsV2.add(acme, additionV2(acme, partner_id))), byPartnerId, '2.0');
    }
    equal((await ask(store.deals.byId(acme, id)))?.value.partner_id, 'one', 'the first is there');
    for (const alike of ['One', 'one ', ' one', '\u00e9', 'e\u0301', '__proto__', '.', 'a/b']) {
      const outcome = await ask(store.dealsV2.add(acme, additionV2(acme, alike)));
      check(outcome.outcome === 'created', `another name is free: ${alike}`);
      const read = await ask(store.dealsV2.byPartnerId(acme, alike));
      equal(read?.value.partner_id, alike, 'and found');
    }
  });

  define('keeps the deals of tenants apart', async (store) => {
    for (const tenant of [acme, acmeLive]) await register(store, tenant);
    const { id } = idsOf(await ask(store.deals.add(acme, addition(acme, 'deal', key))));
    const ids = new Set([id]);
    for (const tenant of [globex, acmeLive]) {
      if (tenant === globex) equal(await ask(store.deals.byId(tenant, id)), undefined, 'by id');
      equal(await ask(store.deals.byPartnerId(tenant, 'deal')), undefined, 'by partner_id');
      equal(await ask(store.dealIndex.byPartnerId(tenant, 'deal')), undefined, 'by the index');
      const own = await ask(store.deals.add(tenant, addition(tenant, 'deal', key)));
      check(own.outcome === 'created', 'name and key are its own');
      if (tenant === globex) ids.add(own.id);
    }
    equal(ids.size, 2, 'ids are of one deal in an environment');
  });

  define('misses a contractor who is not registered there', async (store) => {
    await register(store, acmeLive);
    equal(await ask(store.deals.add(acme, addition(acme, 'deal', key))), missing, 'elsewhere only');
    equal(await ask(store.deals.byPartnerId(acme, 'deal')), undefined, 'no deal');
    await register(store);
    idsOf(await ask(store.deals.add(acme, addition(acme, 'deal', key))));
  });

  define('answers a repeat under its key with the first answer', async (store) => {
    await register(store);
    const first = idsOf(await ask(store.deals.add(acme, addition(acme, 'deal', key))));
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const again = await ask(store.deals.add(acme, addition(acme, 'deal', key)));
      equal(idsOf(again), first, 'the ids');
    }
    const given = additionV2(acme, 'second', { key: 'second', fingerprint: 'f' });
    const created = await ask(store.dealsV2.add(acme, given));
    const token = tokenOf(created, given.deal.payment_token);
    const again = await ask(store.dealsV2.add(acme, given));
    const repeated =
      again.outcome === 'exists' && again.by === 'idempotency_key'
        ? again.first.payment_token
        : tokenOf(again, '');
    equal(repeated, token, 'the token');
  });

  define('judges the key, then the partner_id, then the contractor', async (store) => {
    await register(store);
    await ask(store.deals.add(acme, addition(acme, 'deal', key)));
    const stranger = (partner_id: string, idempotency?: typeof key) => {
      const given = addition(acme, partner_id, idempotency);
      const deal = { ...given.deal, contractor_email: 'nobody@example.com' };
      return { ...given, deal, contractor: { register: '', email_key: deal.contractor_email } };
    };
    for (const partner_id of ['deal', 'new']) {
      const outcome = await ask(store.deals.add(acme, stranger(partner_id, otherInput)));
      refusedByKey(outcome, otherInput.fingerprint);
      const ofV2 = additionV2(acme, partner_id, otherInput);
      refusedByKey(await ask(store.dealsV2.add(acme, ofV2)), otherInput.fingerprint);
    }
    equal(await ask(store.deals.add(acme, stranger('deal'))), byPartnerId, 'then the partner_id');
    equal(await ask(store.deals.add(acme, stranger('new'))), missing, 'then the contractor');
    equal(await ask(store.dealIndex.byPartnerId(acme, 'new')), undefined, 'nothing was kept');
  });

  define('lets one of 40 additions of a partner_id win, of both versions', async (store) => {
    await register(store);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? ask<AddDealOutcome | AddDealV2Outcome>(store.deals.add(acme, addition(acme, 'deal')))
          : ask(store.dealsV2.add(acme, additionV2(acme, 'deal'))),
      ),
    );
    const losers = outcomes.filter(({ outcome }) => outcome !== 'created');
    equal(
      losers,
      Array.from({ length: 39 }, () => byPartnerId),
      'all but one',
    );
  });
}
