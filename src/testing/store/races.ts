import { check, equal } from '../expectations.js';
import {
  acme,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  globex,
  knownKey,
  registration,
} from './subject.js';

const many = Array.from({ length: 40 }, (_, index) => index);

/** Every add is one decision, however many come at once. */
export function races(define: DefineCase): void {
  define('of 40 adds of one partner_id, of both versions, one wins', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const before = await allEvents(store, acme);
    const outcomes = await Promise.all(
      many.map((index) =>
        index % 2 === 0
          ? ask(store.deals.add(acme, addition(acme, 'deal')))
          : ask(store.dealsV2.add(acme, additionV2(acme, 'deal'))),
      ),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1, 'the winners');
    for (const outcome of outcomes) {
      if (outcome.outcome === 'created') continue;
      equal(outcome, { outcome: 'exists', by: 'partner_id' }, 'a loser');
    }
    const isOne = (await ask(store.deals.byPartnerId(acme, 'deal'))) !== undefined;
    const isTwo = (await ask(store.dealsV2.byPartnerId(acme, 'deal'))) !== undefined;
    check(isOne !== isTwo, 'the deal is of one version');
    equal((await allEvents(store, acme)).length, before.length + 1, 'one event more');
  });

  define('of 40 adds with one key, of both versions, one wins', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const idempotency = { key: 'key', fingerprint: 'f' };
    const outcomes = await Promise.all(
      many.map((index) => {
        const partner_id = `deal-${index % 7}`;
        return index % 2 === 0
          ? ask(store.deals.add(acme, addition(acme, partner_id, idempotency)))
          : ask(store.dealsV2.add(acme, additionV2(acme, partner_id, idempotency)));
      }),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1, 'the winners');
    const losers = outcomes.filter(({ outcome }) => outcome !== 'created');
    for (const loser of losers) {
      check(
        loser.outcome === 'exists' && loser.by === 'idempotency_key',
        'the key is judged first',
      );
      equal(loser, losers[0], 'the first answer');
    }
    const winner = outcomes.find(({ outcome }) => outcome === 'created');
    if (winner !== undefined && 'id' in winner) {
      const first = { fingerprint: 'f', ids: { id: winner.id, stage_ids: winner.stage_ids } };
      equal(losers[0], { outcome: 'exists', by: 'idempotency_key', first }, "the winner's answer");
    }
  });

  define('of 40 registrations of one address one wins', async (store) => {
    const outcomes = await Promise.all(
      many.map((index) => {
        const tenant = index % 2 === 0 ? acme : globex;
        return ask(store.contractors.add(tenant, registration(tenant)));
      }),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1, 'the winners');
    const events = [...(await allEvents(store, acme)), ...(await allEvents(store, globex))];
    equal(events.length, 1, 'the number of events');
  });

  define('of 40 registrations with one key one wins', async (store) => {
    const idempotency = { key: 'key', fingerprint: 'f' };
    const outcomes = await Promise.all(
      many.map((index) => {
        const key = { ...knownKey, email_key: `user-${index % 7}@example.com` };
        return ask(store.contractors.add(acme, registration(acme, key, idempotency)));
      }),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1, 'the winners');
    for (const outcome of outcomes) {
      check(outcome.outcome === 'created' || outcome.by === 'idempotency_key', 'key first');
    }
    equal((await allEvents(store, acme)).length, 1, 'the number of events');
  });

  define('40 adds of different deals give 40 deals and 80 stages', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const outcomes = await Promise.all(
      many.map((index) => {
        const tenant = index % 2 === 0 ? acme : globex;
        return ask(store.deals.add(tenant, addition(tenant, `deal-${index}`)));
      }),
    );
    const created = outcomes.flatMap((each) => (each.outcome === 'created' ? [each] : []));
    const deals = new Set(created.map(({ id }) => id));
    const stages = new Set(created.flatMap(({ stage_ids }) => stage_ids));
    equal([deals.size, stages.size], [40, 80], 'the numbers of different ids');
  });

  define('a contractor that is registered at the same time is there, or is not', async (store) => {
    const [deal] = await Promise.all([
      ask(store.deals.add(acme, addition(acme, 'deal'))),
      ask(store.contractors.add(acme, registration(acme))),
    ]);
    const stored = await ask(store.deals.byPartnerId(acme, 'deal'));
    equal(stored !== undefined, deal.outcome === 'created', 'the deal is there if it was created');
    const events = await allEvents(store, acme);
    equal(events.length, deal.outcome === 'created' ? 2 : 1, 'the number of events');
  });
}
