import { type ListedKind, type Row, shapeOf } from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { RecordRange } from '../../src/ports/store.js';
import type { WriteSet } from '../../src/ports/write-set.js';
import { equal } from '../expectations.js';
import { listedKinds } from './rows.js';
import { type Session, sessionWith } from './session.js';
import { acme, acmeLive, ask, globex, group, recordByKey, type StoreSubject } from './subject.js';
import {
  absent,
  changeOf,
  claim,
  committed,
  consumption,
  creation,
  delivery,
  eventOf,
  insertOf,
  never,
  numbers,
  present,
  refused,
  webhookWrite,
  writeOf,
} from './writes.js';

/** In the order of their code points: JavaScript compares the last two the other way round. */
const keys = ['%', '0', '00', 'A', 'Z', '_', 'a', 'a ', 'a!', 'ab', 'b', 'é', '\uffff', '😀'];
/** Before, between and after them, and none of them. */
const others = ['', '!', '000', 'B', 'a!!', 'c', '😁'];

const makers: Readonly<Record<ListedKind, (key: string, parent: string) => WriteSet>> = {
  webhook: (key) => webhookWrite(key),
  consumer: (key) => consumption(key),
  delivery: (key, parent) => delivery(parent, key),
  sandbox_clock: (key) =>
    writeOf({
      expect: [absent('sandbox_clock', key)],
      insert: [insertOf('sandbox_clock', { name: key })],
    }),
  unmatched_report: (key) =>
    writeOf({
      expect: [absent('unmatched_report', key)],
      insert: [insertOf('unmatched_report', { id: key })],
    }),
  proposal: (key, parent) => underDeal('proposal', key, parent, { id: key }),
  terms: (key, parent) => underDeal('terms', key, parent, { terms_key: key }),
};

/** A write that inserts a record under a deal. */
function underDeal<K extends 'proposal' | 'terms'>(
  kind: K,
  key: string,
  partner_id: string,
  given: Partial<Row<K>>,
): WriteSet {
  return writeOf({
    expect: [absent(kind, key), present('deal', partner_id)],
    insert: [insertOf<'proposal' | 'terms'>(kind, { ...given, partner_id })],
  });
}

/** Makes a consumer and a deal of this name: the parents of the records that are listed. */
async function makeParents(store: StoreSubject, session: Session, tenant: Tenant, name: string) {
  const [id = 0] = await numbers(store, tenant, 1);
  await session.commit(tenant, consumption(name), committed);
  await session.commit(tenant, creation(name, [id]), committed);
}

/** Asserts that a range is that of the model. */
async function compareRange(
  store: StoreSubject,
  { model }: Session,
  tenant: Tenant,
  kind: ListedKind,
  range: RecordRange,
): Promise<void> {
  const found = await ask(store.records.list(tenant, kind, range));
  const what = `${kind} of ${tenant.partner} in the range ${JSON.stringify(range)}`;
  equal(found, model.records(tenant, kind, range), what);
}

/** Records found by keys, one by one and in their order. */
export const listedRecords = group(
  'records by their keys',
  {
    must: {
      '2.1/store/record-by-key': 'A record is found by its exact key, within its tenant only.',
      '7.8/store/records-in-order':
        'Records are listed in the order of the code points of their keys, upwards or downwards, after any key.',
      '7.8/store/records-under-one':
        'A list of the records under one record has all of these, and no others.',
      '7.8/store/records-are-current': 'A list of records shows their current values.',
      '7.8/store/webhook-as-subject':
        'A webhook is the subject of writes, with a version and events of its own, like a deal.',
      '7.3/store/expected-null':
        'An expectation that lists `null` for a field holds if the field has no value, or another value of the list.',
    },
  },
  (define) => {
    define('2.1/store/record-by-key', async (store) => {
      const session = sessionWith(store);
      for (const tenant of [acme, globex]) {
        await makeParents(store, session, tenant, 'one');
      }
      for (const kind of listedKinds) {
        for (const key of ['One', 'two', 'żółć 😀']) {
          await session.commit(acme, makers[kind](key, 'one'), committed);
        }
        for (const key of ['One', 'one', 'ONE', 'one ', '', 'two', 'żółć 😀', 'null']) {
          for (const tenant of [acme, globex, acmeLive]) {
            const found = await ask(recordByKey(store, tenant, kind, key));
            const expected = session.model.of(tenant).find(kind, key);
            equal(found, expected, `the ${kind} "${key}" of ${tenant.partner}`);
          }
        }
      }
      await session.compare();
    });

    define('7.8/store/records-in-order', async (store) => {
      const session = sessionWith(store);
      for (const parent of ['first', 'second']) {
        await makeParents(store, session, acme, parent);
      }
      for (const kind of listedKinds) {
        // in no order
        for (const [at] of keys.entries()) {
          const key = keys[(at * 5) % keys.length] ?? '';
          await session.commit(
            acme,
            makers[kind](key, at % 3 === 0 ? 'second' : 'first'),
            committed,
          );
        }
        for (const direction of ['ascending', 'descending'] as const) {
          for (const limit of [1, 3, keys.length + 9]) {
            await compareRange(store, session, acme, kind, { direction, limit });
            await compareRange(store, session, globex, kind, { direction, limit });
          }
          for (const after of [...keys, ...others]) {
            await compareRange(store, session, acme, kind, { direction, after, limit: 2 });
          }
        }
      }
      await session.compare();
    });

    define('7.8/store/records-under-one', async (store) => {
      const session = sessionWith(store);
      const parents = ['a', 'a ', 'a!', 'A', 'ab'];
      const kinds = listedKinds.filter((kind) => shapeOf(kind).under !== undefined);
      for (const [at, parent] of parents.entries()) {
        await makeParents(store, session, acme, parent);
        // so that the keys under one parent are before, between and after those under another
        for (const nth of [0, 1, 2]) {
          for (const kind of kinds) {
            await session.commit(acme, makers[kind](`${nth} ${(at * 2) % 5}`, parent), committed);
          }
        }
      }
      for (const kind of kinds) {
        for (const under of [...parents, 'b', '']) {
          for (const direction of ['ascending', 'descending'] as const) {
            const range = { under, direction };
            for (const limit of [1, 2, 3, 4]) {
              await compareRange(store, session, acme, kind, { ...range, limit });
            }
            for (const after of ['', '0 4', '1 2', '1 9', '3']) {
              await compareRange(store, session, acme, kind, { ...range, after, limit: 2 });
            }
            for (const tenant of [globex, acmeLive]) {
              await compareRange(store, session, tenant, kind, { ...range, limit: 4 });
            }
          }
        }
      }
      await session.compare();
    });

    define('7.8/store/records-are-current', async (store) => {
      const session = sessionWith(store);
      await session.commit(acme, consumption('consumer'), committed);
      await session.commit(acme, delivery('consumer', 'one', { due_at: '2026' }), committed);
      await session.commit(acme, claim('consumer', [null], 'own'), committed);
      const set = { status: 'delivered', attempts: '[{}]', tries: 1, due_at: null };
      const delivered = writeOf({
        expect: [present('delivery', 'one', { status: ['pending'] })],
        change: [changeOf('delivery', 'one', set)],
      });
      await session.commit(acme, delivered, committed);
      for (const range of [{}, { under: 'consumer' }]) {
        const whole = { direction: 'descending', limit: 5, ...range } as const;
        const [found] = await ask(store.records.list(acme, 'delivery', whole));
        equal([found?.status, found?.tries, found?.due_at], ['delivered', 1, null], 'the delivery');
      }
      const found = await ask(store.records.byKey(acme, 'consumer', 'consumer'));
      equal(found?.lease, 'own', 'the consumer');
      await session.compare();
    });

    define('7.8/store/webhook-as-subject', async (store) => {
      const session = sessionWith(store);
      const subject = { kind: 'webhook', key: 'hook' } as const;
      const told = (count: number) =>
        Array.from({ length: count }, () => eventOf('webhook', subject.key));
      await session.commit(acme, { ...webhookWrite('hook'), events: told(2) }, committed);
      await session.commit(globex, webhookWrite('hook'), committed);
      const disabled = writeOf({
        expect: [present('webhook', 'hook', { version: [2], status: ['enabled'] })],
        change: [changeOf('webhook', 'hook', { status: 'disabled', disabled_reason: 'gone' })],
        subject,
        events: told(1),
      });
      await session.commit(acme, disabled, committed);
      await session.commit(acme, disabled, refused(0));
      const silent = writeOf({ expect: [present('webhook', 'hook')], subject, events: told(2) });
      await session.commit(acme, silent, committed);
      const found = await ask(store.records.byKey(acme, 'webhook', 'hook'));
      equal([found?.version, found?.status], [5, 'disabled'], 'the webhook');
      const sequences = session.model.events(acme).map(({ sequence }) => sequence);
      equal(sequences, [1, 2, 3, 4, 5], 'the sequences of its events');
      await session.compare();
    });

    define('7.3/store/expected-null', async (store) => {
      const session = sessionWith(store);
      await session.commit(acme, consumption('free'), committed);
      const leased_until = '2026-01-01T00:00:00.000Z';
      await session.commit(acme, consumption('taken', { lease: 'own', leased_until }), committed);
      const asked = [
        ['free', { lease: [null] }, true],
        ['free', { lease: ['own', null] }, true],
        ['free', { lease: ['own'] }, false],
        ['free', { lease: ['null', 'NULL', ''] }, false],
        ['free', { lease: [null], leased_until: [null] }, true],
        ['free', { lease: [null], leased_until: [leased_until] }, false],
        ['free', { lease: [] }, false],
        ['taken', { lease: [null] }, false],
        ['taken', { lease: [null, 'own'] }, true],
        ['taken', { lease: ['Own', 'own '] }, false],
        ['taken', { lease: ['own'], leased_until: [null] }, false],
        ['taken', { leased_until: [null, leased_until] }, true],
      ] as const;
      for (const [name, where, doesHold] of asked) {
        const write = writeOf({ expect: [present('consumer', name, where), never] });
        await session.commit(acme, write, refused(doesHold ? 1 : 0));
      }
      const released = writeOf({
        expect: [present('consumer', 'taken', { lease: ['own'] })],
        change: [changeOf('consumer', 'taken', { lease: null, leased_until: null })],
      });
      await session.commit(acme, released, committed);
      await session.commit(acme, released, refused(0));
      await session.commit(acme, claim('taken', [null], 'other'), committed);
      await session.compare();
    });
  },
);
