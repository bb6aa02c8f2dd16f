import { equal } from '../expectations.js';
import { sessionWith } from './session.js';
import { acme, acmeLive, globex, group } from './subject.js';
import {
  committed,
  creation,
  move,
  numbers,
  present,
  provided,
  refused,
  registration,
  under,
  upload,
} from './writes.js';

/** A write that is sent again after its answer was lost is committed once. */
export const attempts = group(
  'writes that come again',
  {
    must: {
      '8/store/attempt-again':
        'A write that comes again with the same attempt is answered as committed, and is made once.',
      '8/store/attempt-before-refusal':
        'A write that was made is answered as committed when it comes again, even if its expectations no longer hold.',
      '2.7/store/refusal-is-not-kept':
        'A refusal is not stored: the same write is made when it comes again and its expectations hold.',
      '8/store/attempt-at-once':
        'A write that is sent 20 times at once is answered as committed each time, and is made once.',
    },
  },
  (define) => {
    define('8/store/attempt-again', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0, other = 0, ...more] = await numbers(store, acme, 6);
      const writes = [
        registration(),
        creation('deal', [id, stage]),
        under('deal key', creation('keyed', [other])),
        upload('deal', stage),
        under('work_file key', upload('deal', stage, {}, 2)),
      ];
      for (const write of writes) {
        for (let time = 0; time < 3; time += 1) await session.commit(acme, write, committed);
      }
      const before = session.model.events(acme).length;
      equal(before, writes.length, 'the number of events');
      await session.commit(acme, move('deal', 3, { status: 'accepted' }), committed);
      await session.commit(acme, upload('deal', stage), committed);
      for (const write of writes) await session.commit(acme, write, committed);
      await session.compare();
      const others = [
        registration(),
        creation('deal', more),
        under('deal key', creation('new', more)),
      ];
      for (const write of others) await session.commit(acme, write);
      await session.commit(globex, registration(), refused(0));
      await session.commit(acmeLive, writes[1] ?? registration(), committed);
      await session.compare();
    });

    define('8/store/attempt-before-refusal', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      const asked = present('deal', 'deal', { status: ['created'], version: [1] });
      await session.commit(acme, creation('deal', [id, stage]), committed);
      const file = provided(upload('deal', stage, {}, 1), asked);
      await session.commit(acme, file, committed);
      await session.commit(acme, move('deal', 2, { status: 'accepted' }), committed);
      await session.commit(acme, file, committed);
      await session.commit(acme, move('deal', 2, { status: 'accepted' }), refused(0));
      await session.compare();
    });

    define('2.7/store/refusal-is-not-kept', async (store) => {
      const session = sessionWith(store);
      const own = await numbers(store, acme, 2);
      const write = under(
        'deal key',
        provided(creation('deal', own), present('contractor', 'a@b')),
      );
      for (let time = 0; time < 2; time += 1) await session.commit(acme, write, refused(2));
      await session.commit(globex, registration('a@b'), committed);
      for (let time = 0; time < 2; time += 1) await session.commit(acme, write, committed);
      await session.compare();
    });

    define('8/store/attempt-at-once', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      const deal = under('deal key', creation('deal', [id, stage]));
      for (const write of [registration(), deal, upload('deal', stage, {}, 1)]) {
        const outcomes = await session.race(
          Array.from({ length: 20 }, () => [acme, write] as const),
        );
        for (const outcome of outcomes) equal(outcome, committed, 'each of them');
      }
      equal(session.model.events(acme).length, 3, 'the number of events');
      await session.compare();
    });
  },
);
