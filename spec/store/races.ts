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

  define('of adds whose keys and partner_ids cross, each loses to one that won', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const outcomes = await Promise.all(
      many.map(async (index) => {
        const partner_id = `deal-${index % 5}`;
        const key = `key-${index % 8}`;
        const idempotency = { key, fingerprint: key };
        const outcome =
          index % 2 === 0
            ? await ask(store.deals.add(acme, addition(acme, partner_id, idempotency)))
            : await ask(store.dealsV2.add(acme, additionV2(acme, partner_id, idempotency)));
        return { partner_id, key, outcome };
      }),
    );
    const winners = outcomes.filter(({ outcome }) => outcome.outcome === 'created');
    const deals = new Set(winners.map(({ partner_id }) => partner_id));
    const keys = new Set(winners.map(({ key }) => key));
    equal([deals.size, keys.size], [winners.length, winners.length], 'a winner has its own');
    for (const { partner_id, key, outcome } of outcomes) {
      if (outcome.outcome !== 'exists') continue;
      if (outcome.by === 'partner_id') {
        check(deals.has(partner_id), 'a partner_id is taken by a winner');
        continue;
      }
      check(keys.has(key) && outcome.first.fingerprint === key, 'so is a key');
      const winner = winners.find((each) => each.key === key)?.outcome;
      const ids = winner !== undefined && 'id' in winner ? winner.id : undefined;
      equal(outcome.first.ids?.id, ids, "the winner's answer");
    }
    const events = await allEvents(store, acme);
    equal(events.length, winners.length + 1, 'an event for each that is there');
  });

  define('of registrations whose keys and addresses cross, the same', async (store) => {
    const outcomes = await Promise.all(
      many.map(async (index) => {
        const email_key = `user-${index % 5}@example.com`;
        const key = `key-${index % 8}`;
        const given = registration(acme, { ...knownKey, email_key }, { key, fingerprint: key });
        return { email_key, key, outcome: await ask(store.contractors.add(acme, given)) };
      }),
    );
    const winners = outcomes.filter(({ outcome }) => outcome.outcome === 'created');
    const emails = new Set(winners.map(({ email_key }) => email_key));
    const keys = new Set(winners.map(({ key }) => key));
    equal([emails.size, keys.size], [winners.length, winners.length], 'a winner has its own');
    for (const { email_key, key, outcome } of outcomes) {
      if (outcome.outcome === 'created') continue;
      const isTold = outcome.by === 'email' ? emails.has(email_key) : keys.has(key);
      check(isTold, 'a loser is told of a winner');
    }
    equal((await allEvents(store, acme)).length, winners.length, 'an event for each that is there');
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
