import * as fc from 'fast-check';
import { check, equal } from '../expectations.js';
import { hammerStore, losingAnswers } from './hammer.js';
import { type Call, sessionWith } from './session.js';
import { acme, ask, globex, group, type StoreSubject } from './subject.js';
import {
  claim,
  committed,
  consumption,
  creation,
  move,
  numbers,
  present,
  provided,
  registration,
  under,
  upload,
} from './writes.js';

/** Sends 40 writes at once, asserts how many are committed, and that the store agrees. */
async function race(
  store: StoreSubject,
  made: number | undefined,
  callOf: (at: number, next: () => number) => Call,
  ...before: readonly Call[]
) {
  const session = sessionWith(store);
  for (const call of before) await session.commit(...call, committed);
  const free = [...(await numbers(store, acme, 80))];
  const calls = Array.from({ length: 40 }, (_, at) => callOf(at, () => free.pop() ?? 0));
  const outcomes = await session.race(calls);
  const count = outcomes.filter(({ outcome }) => outcome === 'committed').length;
  if (made !== undefined) equal(count, made, 'the number of writes that are made');
  await session.compare();
}

/** Every write is one decision, even if many come at once. */
export const races = group(
  'writes at the same time',
  {
    must: {
      '2.2/store/race-for-a-partner-id':
        'Of 40 creates at once with one `partner_id`, one is made.',
      '2.7/store/race-for-a-key':
        'Of 40 writes at once under one idempotency key, one is made, and the others get its answer.',
      '2.7/store/race-for-keys-and-names':
        'Of writes at once that share keys and names crosswise, each is made, or refused because of one that is made.',
      '2.3/store/race-for-a-contractor':
        'Of 40 registrations of one contractor at once, by two partners, one is made.',
      '2.2/store/race-of-different-deals':
        'Of 40 creates at once of different deals, by two partners, all are made.',
      '6/store/race-for-a-version':
        'Of 40 writes at once that expect one version of a deal, one is made.',
      '6.2/store/race-for-a-bound':
        'Of 40 files at once for a deal that takes five, five are stored.',
      '6.4/store/race-of-files': 'Of 200 files at once for one deal, all are stored.',
      '8/store/hammer':
        'All answers to many clients at once agree with the stored records, even if answers are lost and writes come again.',
      '7.3/store/race-for-a-claim':
        'Of 20 claims of one consumer at once, one is made, whether the consumer is free or claimed before.',
      '2.3/store/race-with-a-registration':
        'A deal whose contractor is registered at the same time is either stored, or refused and stored when it comes again.',
    },
  },
  (define) => {
    define('2.2/store/race-for-a-partner-id', (store) =>
      race(store, 1, (_, next) => [acme, creation('deal', [next(), next()])]),
    );

    define('2.7/store/race-for-a-key', (store) =>
      race(store, 1, (at, next) => {
        const answer = { fingerprint: `${at}`, answer: `{"at":${at}}` };
        return [acme, under('deal key', creation(`deal ${at % 7}`, [next()]), answer)];
      }),
    );

    define('2.7/store/race-for-keys-and-names', (store) =>
      race(store, undefined, (at, next) => {
        const write = at % 2 === 0 ? creation(`${at % 5}`, [next()]) : registration(`${at % 5}`);
        return [acme, under(`${at % 8}`, write, { fingerprint: `${at}` })];
      }),
    );

    define('2.3/store/race-for-a-contractor', (store) =>
      race(store, 1, (at) => [at % 2 === 0 ? acme : globex, registration()]),
    );

    define('2.2/store/race-of-different-deals', (store) =>
      race(store, 40, (at, next) => [
        at % 2 === 0 ? acme : globex,
        creation(`deal ${at}`, [next(), next()]),
      ]),
    );

    define('6/store/race-for-a-version', async (store) => {
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      const change = (at: number): Call => {
        const status = at % 2 === 0 ? 'accepted' : 'cancelled';
        if (at % 3 > 0) return [acme, move('deal', 1, { status })];
        const version = present('deal', 'deal', { version: [1] });
        return [acme, provided(upload('deal', stage), version)];
      };
      await race(store, 1, change, [acme, creation('deal', [id, stage])]);
    });

    define('6.2/store/race-for-a-bound', async (store) => {
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      const deal: Call = [acme, creation('deal', [id, stage])];
      await race(store, 5, () => [acme, upload('deal', stage, {}, 5)], deal);
    });

    define('6.4/store/race-of-files', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      await session.commit(acme, creation('deal', [id, stage]), committed);
      const files = Array.from({ length: 200 }, () => [acme, upload('deal', stage)] as const);
      const outcomes = await session.race(files);
      for (const outcome of outcomes) equal(outcome, committed, 'each of them');
      const deal = await ask(store.deals.byId(acme, id, ['work_file']));
      equal([deal?.deal.version, deal?.work_file.length], [201, 200], 'the deal');
      await session.compare();
    });

    define('8/store/hammer', async (store) => {
      const lossy = losingAnswers(store, (nth) =>
        nth % 5 === 0 ? 'after' : nth % 7 === 0 ? 'before' : undefined,
      );
      const [seed = 0] = fc.sample(fc.integer(), 1);
      const report = await hammerStore([store, lossy], { clients: 16, calls: 300, seed });
      check(report.committed > 50 && report.refused > 20, 'writes are made and refused');
      check(report.sentAgain > 10 && report.failed === 0, 'some are sent again');
    });

    define('7.3/store/race-for-a-claim', async (store) => {
      const session = sessionWith(store);
      await session.commit(acme, consumption('consumer'), committed);
      let lease: string | null = null;
      for (let round = 0; round < 3; round += 1) {
        const claims = Array.from({ length: 20 }, (_, at) =>
          claim('consumer', [lease], `${round} ${at}`),
        );
        const outcomes = await Promise.all(claims.map((each) => ask(store.commit(acme, each))));
        const made = claims.filter((_, at) => outcomes[at]?.outcome === 'committed');
        equal(made.length, 1, 'the number of claims that are made');
        for (const each of made) await session.model.commit(acme, each);
        const found = await ask(store.records.byKey(acme, 'consumer', 'consumer'));
        equal(found, session.model.of(acme).find('consumer', 'consumer'), 'the consumer');
        lease = found?.lease ?? null;
      }
      await session.compare();
    });

    define('2.3/store/race-with-a-registration', async (store) => {
      const own = await numbers(store, acme, 1);
      const write = provided(creation('deal', own), present('contractor', 'user@example.com'));
      const [deal] = await Promise.all([
        ask(store.commit(acme, write)),
        ask(store.commit(globex, registration())),
      ]);
      const stored = await ask(store.deals.byPartnerId(acme, 'deal', []));
      const isMade = deal.outcome === 'committed';
      check((stored !== undefined) === isMade, 'the deal is there if its write was made');
      equal(await ask(store.commit(acme, write)), committed, 'it can be made now');
    });
  },
);
