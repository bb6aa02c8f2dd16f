import type { Expectation } from '../../src/ports/write-set.js';
import { equal } from '../expectations.js';
import { sessionWith } from './session.js';
import { acme, acmeLive, globex, group } from './subject.js';
import {
  absent,
  committed,
  creation,
  move,
  never,
  numbers,
  present,
  provided,
  refused,
  registration,
  under,
  upload,
  webhookWrite,
  writeOf,
} from './writes.js';

const first = (expectation: number, fingerprint: string, answer: string) => ({
  ...refused(expectation),
  first: { fingerprint, answer },
});

/** Expectations, and writes whose expectations do not hold. */
export const refusals = group(
  'what refuses a write',
  {
    must: {
      '7/store/all-or-nothing':
        'A write is stored as a whole, with its events, or it is refused and nothing of it is stored.',
      '2.7/store/order-of-judgement':
        'The expectations of a write are judged in their order, and a refusal names the first one that does not hold.',
      '2.7/store/first-answer':
        'A write under an idempotency key that has an answer already is refused with that answer and its fingerprint, exactly as stored.',
      '6.2/store/expected-values':
        'An expectation that a record is present holds if each field that it names has one of the values that it lists, compared exactly.',
      '6.2/store/bounds-under-a-record':
        'An expectation of fewer records than a bound counts the records of that kind under one record, and no others.',
      '6.2/store/bounds-by-values':
        'An expectation of fewer records that lists values counts only the records whose fields have one of them.',
      '7.8/store/bounds-of-a-tenant':
        'An expectation of fewer records that names no parent counts all records of that kind that the tenant has.',
    },
  },
  (define) => {
    define('7/store/all-or-nothing', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0, ...more] = await numbers(store, acme, 4);
      await session.commit(acme, creation('deal', [id, stage]), committed);
      const before = session.model.events(acme).length;
      const writes = [
        under('deal new', creation('deal', more)),
        under('deal new', provided(creation('new', more), present('contractor', 'nobody'))),
        provided(registration('new@example.com'), present('deal', 'deal', { version: [2] })),
        provided(move('deal', 1, { status: 'accepted' }), never),
        under('file new', upload('deal', stage, {}, 0)),
        upload('other', stage),
      ];
      for (const write of writes) await session.commit(acme, write);
      for (const tenant of [globex, acmeLive]) await session.commit(tenant, upload('deal', stage));
      equal(session.model.events(acme).length, before, 'the number of events');
      equal(session.model.events(globex), [], 'the events of another');
      await session.compare();
      for (const write of [
        under('deal new', creation('new', more)),
        under('file new', upload('deal', stage)),
      ]) {
        await session.commit(acme, write, committed);
      }
      await session.compare();
    });

    define('2.7/store/order-of-judgement', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      await session.commit(acme, under('deal key', creation('deal', [id, stage])), committed);
      const failing: readonly Expectation[] = [
        absent('answer', 'deal key'),
        absent('deal', 'deal'),
        present('contractor', 'nobody@example.com'),
        present('deal', 'deal', { version: [7] }),
        never,
      ];
      const holding: readonly Expectation[] = [
        absent('answer', 'deal other'),
        absent('deal', 'other'),
        present('deal', 'deal', { version: [1] }),
        { fewer: 'stage', under: 'deal', than: 2 },
      ];
      for (const [at, one] of failing.entries()) {
        for (const other of failing) {
          const expect = [...holding.slice(0, at), one, other, ...holding.slice(at)];
          const answer = at === 0 ? first(0, 'Text', 'Text') : refused(Math.min(at, 4));
          await session.commit(acme, writeOf({ expect }), answer);
        }
      }
      await session.commit(acme, writeOf({ expect: [...holding] }), committed);
      await session.compare();
    });

    define('2.7/store/first-answer', async (store) => {
      const session = sessionWith(store);
      const answer = '{"b": "Zażółć 😀\\"", "a" :[1e3, null]}';
      const given = { fingerprint: 'first 😀', answer };
      const key = 'deal Key';
      const [id = 0, stage = 0, ...more] = await numbers(store, acme, 4);
      await session.commit(acme, under(key, creation('deal', [id, stage]), given), committed);
      await session.commit(acme, move('deal', 1, { status: 'accepted' }), committed);
      for (const write of [
        creation('deal', more),
        creation('other', more),
        upload('deal', stage),
      ]) {
        const again = under(key, write, { fingerprint: 'second' });
        await session.commit(acme, again, first(0, 'first 😀', answer));
        const later = { ...again, expect: [...write.expect.slice(0, 1), ...again.expect] };
        await session.commit(acme, later);
      }
      const lower = under('deal key', upload('deal', stage), { answer: '"lower"' });
      await session.commit(acme, lower, committed);
      const file = under('work_file Key', upload('deal', stage), { answer: '"file"' });
      await session.commit(acme, file, committed);
      for (const tenant of [globex, acmeLive]) {
        await session.commit(
          tenant,
          under(key, creation('deal', more), { answer: '2' }),
          committed,
        );
        await session.commit(tenant, under(key, creation('deal', more)), first(0, 'Text', '2'));
      }
      await session.compare();
    });

    define('6.2/store/expected-values', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0, other = 0, its = 0] = await numbers(store, acme, 4);
      await session.commit(acme, creation('deal', [id, stage]), committed);
      await session.commit(acme, creation('other', [other, its]), committed);
      const asked: readonly (readonly [Expectation, boolean])[] = [
        [present('deal', 'deal'), true],
        [present('deal', 'deal', {}), true],
        [present('deal', 'deal', { status: [] }), false],
        [present('deal', 'deal', { status: ['accepted', 'created', ''] }), true],
        [present('deal', 'deal', { status: ['accepted', 'Created', 'created '] }), false],
        [present('deal', 'deal', { status: ['created'], freelancer_status: ['invited'] }), false],
        [present('deal', 'deal', { status: ['accepted'], freelancer_status: ['new'] }), false],
        [present('deal', 'deal', { version: [1], status: ['created'] }), true],
        [present('deal', 'deal', { version: [0, 2, 11, -1] }), false],
        [present('deal', 'deal', { version: [3, 2, 1] }), true],
        [present('stage', stage, { partner_id: ['deal'], status: ['pending'] }), true],
        [present('stage', its, { partner_id: ['deal'] }), false],
        [present('stage', stage, { partner_id: ['Deal', 'other'] }), false],
        [present('stage', stage, { status: ['submitted'] }), false],
        [present('stage', stage + 1000), false],
        [present('deal', 'none', {}), false],
      ];
      for (const [expected, doesHold] of asked) {
        await session.commit(
          acme,
          writeOf({ expect: [expected, never] }),
          refused(doesHold ? 1 : 0),
        );
        await session.commit(globex, writeOf({ expect: [expected] }), refused(0));
      }
      await session.compare();
    });

    define('6.2/store/bounds-under-a-record', async (store) => {
      const session = sessionWith(store);
      const fewer = (kind: 'stage' | 'work_file', than: number, key = 'deal') =>
        ({ fewer: kind, under: key, than }) as const;
      const [id = 0, stage = 0, second = 0, other = 0, its = 0] = await numbers(store, acme, 5);
      await session.commit(acme, creation('deal', [id, stage, second]), committed);
      await session.commit(acme, creation('other', [other, its]), committed);
      await session.commit(globex, creation('deal', await numbers(store, globex, 4)), committed);
      for (let count = 0; count < 4; count += 1) {
        for (const than of [count - 1, count, count + 1]) {
          const expect = [fewer('work_file', than), never];
          await session.commit(acme, writeOf({ expect }), refused(count < than ? 1 : 0));
        }
        await session.commit(acme, upload('deal', stage, {}, count), refused(2));
        await session.commit(acme, upload('deal', stage, {}, count + 1), committed);
      }
      await session.commit(acme, upload('other', its, {}, 1), committed);
      const holding = [
        fewer('stage', 3),
        fewer('stage', 2, 'other'),
        fewer('work_file', 1, 'none'),
      ];
      await session.commit(acme, writeOf({ expect: [...holding, never] }), refused(3));
      await session.commit(acme, writeOf({ expect: [fewer('stage', 2)] }), refused(0));
      await session.commit(globex, writeOf({ expect: [fewer('stage', 4), never] }), refused(1));
      await session.commit(globex, writeOf({ expect: [fewer('work_file', 1), never] }), refused(1));
      await session.compare();
    });

    define('6.2/store/bounds-by-values', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0, second = 0] = await numbers(store, acme, 3);
      await session.commit(acme, creation('deal', [id, stage, second]), committed);
      for (const [of, row] of [
        [stage, { uploaded_by: 'partner', status: 'stored' }],
        [stage, { uploaded_by: 'freelancer', status: 'accepted' }],
        [stage, { uploaded_by: 'freelancer', status: 'superseded' }],
        [second, { uploaded_by: null, status: 'stored' }],
      ] as const) {
        await session.commit(acme, upload('deal', of, row, 10), committed);
      }
      const counts: readonly (readonly [Fewer<'work_file'>['where'], number])[] = [
        [{}, 4],
        [{ uploaded_by: ['freelancer'] }, 2],
        [{ uploaded_by: ['freelancer', null] }, 3],
        [{ uploaded_by: ['freelancer'], status: ['stored', 'accepted'] }, 1],
        [{ stage_id: [second] }, 1],
        [{ stage_id: [stage], uploaded_by: [null] }, 0],
        [{ status: [] }, 0],
      ];
      for (const [where, count] of counts) {
        for (const than of [count, count + 1]) {
          const expected = { fewer: 'work_file', under: 'deal', than, where } as const;
          const answer = refused(count < than ? 1 : 0);
          await session.commit(acme, writeOf({ expect: [expected, never] }), answer);
        }
      }
      await session.compare();
    });

    define('7.8/store/bounds-of-a-tenant', async (store) => {
      const session = sessionWith(store);
      const kept = (host: string, status: 'enabled' | 'deleted', key: string) =>
        webhookWrite(key, { host, status });
      await session.commit(acme, kept('one.example', 'enabled', 'a'), committed);
      await session.commit(acme, kept('one.example', 'deleted', 'b'), committed);
      await session.commit(acme, kept('two.example', 'enabled', 'c'), committed);
      await session.commit(globex, kept('one.example', 'enabled', 'a'), committed);
      const counts: readonly (readonly [Fewer<'webhook'>['where'], number])[] = [
        [{}, 3],
        [{ status: ['enabled', 'disabled'] }, 2],
        [{ status: ['enabled', 'disabled'], host: ['one.example'] }, 1],
        [{ host: ['three.example'] }, 0],
      ];
      for (const [where, count] of counts) {
        for (const than of [count, count + 1]) {
          const expected = { fewer: 'webhook', than, where } as const;
          const answer = refused(count < than ? 1 : 0);
          await session.commit(acme, writeOf({ expect: [expected, never] }), answer);
        }
      }
      await session.compare();
    });
  },
);

type Fewer<K> = Extract<Expectation, { readonly fewer: K }>;
