import * as fc from 'fast-check';
import {
  type AnyRow,
  type RecordKind,
  type Row,
  shapeOf,
} from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { WriteSet } from '../../src/ports/write-set.js';
import { textOf } from '../arbitraries-values.js';
import { equal, holds } from '../expectations.js';
import { anyValues, extremes, keyLike, plain, recordKinds, type Values } from './rows.js';
import { sessionWith } from './session.js';
import { acme, acmeLive, ask, globex, group, nextId, type StoreSubject } from './subject.js';
import {
  absent,
  changeOf,
  committed,
  creation,
  eventOf,
  insertOf,
  move,
  newDeal,
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

/** A webhook is always the subject of the write that makes it. */
const kindsOfOne = recordKinds.filter((kind) => kind !== 'webhook');

/** A write that makes a webhook, with any values. */
function anyWebhook(key: string, values?: Values): WriteSet {
  const id = keyLike('webhook', key);
  return { ...webhookWrite(id), insert: [insertOf('webhook', { id }, values)] };
}

/** A write that inserts a record of every other kind, those with a text for their key under this one. */
async function oneOfEach(store: StoreSubject, tenant: Tenant, key: string, values?: Values) {
  const [next = 0] = await numbers(store, tenant, kindsOfOne.length);
  const insert = kindsOfOne.map((kind, at) => {
    const shape = shapeOf(kind);
    const given: Record<string, string | number> = {};
    // each at its own time: the order of strange keys of one time is not tested here
    if (shape.isTimed)
      given['due_at'] = `2026-01-02T03:04:05.${String(next % 1000).padStart(3, '0')}Z`;
    if (kind === 'deal') given['payment_token'] = key;
    given[shape.key] = kind === 'work_file' ? nextId() : keyLike(kind, key);
    if (shape.number !== undefined) given[shape.number] = next + at;
    if (shape.under !== undefined) {
      given[shape.under.by] = keyLike(shape.under.kind as RecordKind, key);
    }
    const created = kind === 'deal' ? newDeal.created_at : undefined;
    const row = { ...given, ...(created && { created_at: created }) };
    return insertOf<RecordKind>(kind, row as Partial<Row<RecordKind>>, values);
  });
  const keys = insert.map(({ kind, row }) => [kind, (row as AnyRow)[shapeOf(kind).key]] as const);
  return writeOf({
    expect: keys.map(([kind, each]) => absent(kind, each ?? '')),
    insert,
    subject: { kind: 'deal', key },
    events: [eventOf('deal', key, values)],
  });
}

/** Writes whose expectations hold. */
export const commits = group(
  'writes',
  {
    must: {
      '1.2/store/values-are-kept':
        'A record of any kind is read with exactly the values that it was written with.',
      '1.4/store/largest-money':
        'Every field of money keeps its largest and its smallest amount to the cent, whether it is inserted or changed.',
      '2.2/store/keys-are-exact':
        'Keys of every kind are compared code point by code point: keys that differ in case, blanks or normal form name different records.',
      '4/store/any-moment':
        'A deal may be created at any moment of the years 0 to 9999, and stands in a list by that moment.',
      '2.1/store/tenants-are-apart':
        'A tenant neither reads nor changes the records of another; only contractors are shared, by the tenants of one environment.',
      '6/store/nothing-else-changes':
        'A write changes the fields that it names of the records that it names, and nothing else.',
      '7/store/sequences':
        'The events of a write get the next sequences of its subject, without gaps, and the last one is the version of the subject.',
    },
  },
  (define) => {
    define('1.2/store/values-are-kept', async (store) => {
      const keys = new Set<string>();
      const property = fc.asyncProperty(textOf(1, 40), anyValues(), async (key, values) => {
        if (keys.size === keys.add(key).size) return;
        const session = sessionWith(store);
        const tenant = { environment: 'sandbox', partner: `partner-${keys.size}` } as const;
        await session.commit(tenant, await oneOfEach(store, tenant, key, values), committed);
        await session.commit(tenant, anyWebhook(key, values), committed);
        await session.compare();
      });
      // a text that is cut as a path, trimmed, folded or normalised is not the given one
      const text = ' ../A\\b/e\u0301.İ%00 ';
      await holds(property, { numRuns: 20, examples: [[text, { ...plain, text: [text] }]] });
    });

    define('1.4/store/largest-money', async (store) => {
      const session = sessionWith(store);
      const [most, least] = extremes;
      for (const [key, made, then] of [
        ['most', most, least],
        ['least', least, most],
      ] as const) {
        const values: Values = { ...plain, money: [made], isNull: [false] };
        const write = await oneOfEach(store, acme, key, values);
        await session.commit(acme, write, committed);
        await session.compare();
        for (const { kind, row } of write.insert) {
          const { key: name, fields, changes } = shapeOf(kind);
          const set = changes.filter((each) => fields[each]?.type === 'money');
          if (set.length === 0) continue;
          const own = (row as AnyRow)[name] ?? '';
          const change = changeOf(kind, own, Object.fromEntries(set.map((each) => [each, then])));
          await session.commit(
            acme,
            writeOf({ expect: [present(kind, own)], change: [change] }),
            committed,
          );
        }
        await session.compare();
      }
    });

    define('2.2/store/keys-are-exact', async (store) => {
      const session = sessionWith(store);
      const alike = ['id', 'ID', 'id ', ' id', '\u00e9', 'e\u0301', 'ß', 'ss', 'ﬁ', 'fi', 'İ', 'i'];
      const names = ['__proto__', 'constructor', 'toString', '%', '_', "'", '\\', '0', '00', '.'];
      for (const key of [...alike, ...names, 'a/b', '😀', 'one', 'One']) {
        await session.commit(acme, await oneOfEach(store, acme, key), committed);
        await session.commit(acme, anyWebhook(key), committed);
      }
      await session.compare();
    });

    define('4/store/any-moment', async (store) => {
      const moments = [
        ...['0000-01-01T00:00:00.000Z', '0099-12-31T23:59:59.999Z', '1582-10-10T00:00:00.000Z'],
        ...['2016-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ];
      const session = sessionWith(store);
      for (const created_at of [3, 0, 4, 1, 2].map((at) => moments[at] ?? '')) {
        const [id = 0] = await numbers(store, acme, 1);
        await session.commit(acme, creation(created_at, [id], { created_at }), committed);
      }
      const all = { direction: 'older', from: undefined, limit: 101 } as const;
      const listed = await ask(store.deals.list(acme, {}, all));
      const times = listed.map(({ created_at }) => created_at);
      equal(times, [...moments].reverse(), 'newest first');
      await session.compare();
    });

    define('2.1/store/tenants-are-apart', async (store) => {
      const session = sessionWith(store);
      const key = 'deal key';
      await session.commit(acme, registration(), committed);
      const [id = 0] = await numbers(store, acme, 1);
      await session.commit(acme, creation('unseen', [id]), committed);
      const own = await oneOfEach(store, acme, 'own');
      await session.commit(acme, under(key, own, { fingerprint: 'own' }), committed);
      const others = [
        globex,
        acmeLive,
        { ...acme, partner: 'ACME' },
        { ...acme, partner: 'acme ' },
      ];
      for (const tenant of others) {
        equal(await ask(store.deals.byId(tenant, id, [])), undefined, 'no deal of another');
        equal(
          await ask(store.deals.byPartnerId(tenant, 'unseen', [])),
          undefined,
          'nor by its name',
        );
        await session.commit(tenant, move('unseen', 1, { status: 'accepted' }), refused(0));
        const isShared = tenant.environment === acme.environment;
        await session.commit(tenant, registration(), isShared ? refused(0) : committed);
        const [number = 0, stage = 0] = await numbers(store, tenant, 2);
        const theirs = creation('own', [number, stage]);
        await session.commit(
          tenant,
          under(key, theirs, { fingerprint: tenant.partner }),
          committed,
        );
        const asked = move('own', 1, { status: 'accepted' });
        await session.commit(tenant, provided(asked, present('contractor', 'user@example.com')));
        await session.commit(tenant, upload('own', stage));
      }
      await session.compare();
    });

    define('6/store/nothing-else-changes', async (store) => {
      const session = sessionWith(store);
      const [id = 0, first = 0, second = 0, other = 0, its = 0] = await numbers(store, acme, 5);
      await session.commit(acme, creation('deal', [id, first, second]), committed);
      await session.commit(acme, creation('other', [other, its]), committed);
      await session.commit(acme, upload('deal', second), committed);
      const status = { status: 'submitted' } as const;
      const stage = {
        ...provided(move('deal', 2, { status: 'accepted' }), present('stage', first)),
        change: [
          changeOf('deal', 'deal', { status: 'accepted' }),
          changeOf('stage', first, status),
        ],
      };
      await session.commit(acme, stage, committed);
      await session.compare();
      await session.commit(acme, move('deal', 3, { freelancer_status: 'invited' }, 3), committed);
      const both = { status: 'cancelled', freelancer_status: 'removed' } as const;
      await session.commit(acme, move('deal', 6, both), committed);
      const read = await ask(store.deals.byId(acme, id, ['stage']));
      const seen = [read?.deal.version, read?.deal.status, read?.deal.freelancer_status];
      equal(seen, [7, 'cancelled', 'removed'], 'the deal');
      equal(
        read?.stage.map((each) => each.status),
        ['submitted', 'pending'],
        'its stages',
      );
      await session.compare();
    });

    define('7/store/sequences', async (store) => {
      const session = sessionWith(store);
      const key = 'user@example.com';
      const subject = { kind: 'contractor', key } as const;
      const told = (count: number) =>
        Array.from({ length: count }, () => eventOf('contractor', key));
      await session.commit(acme, { ...registration(), events: told(2) }, committed);
      const more = writeOf({ expect: [present('contractor', key)], subject, events: told(3) });
      await session.commit(globex, more, committed);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      await session.commit(acme, creation('deal', [id, stage]), committed);
      await session.commit(acme, upload('deal', stage), committed);
      await session.commit(acme, move('deal', 2, { status: 'accepted' }, 2), committed);
      await session.commit(acme, move('deal', 3, { status: 'cancelled' }), refused(0));
      const silent = { ...move('deal', 4, { status: 'delivered' }), events: [] };
      await session.commit(acme, silent, committed);
      await session.commit(acme, move('deal', 4, { status: 'cancelled' }), committed);
      await session.compare();
      const sequences = session.model.events(acme).map(({ sequence }) => sequence);
      equal(sequences, [1, 2, 1, 2, 3, 4, 5], 'of each subject, from 1, without gaps');
      equal(
        session.model.events(globex).map(({ sequence }) => sequence),
        [3, 4, 5],
        'by another',
      );
    });
  },
);
