import {
  type DealFilter,
  type DealRange,
  type Kind,
  type RecordKind,
  records,
  shapeOf,
} from 'dealwright/ports';
import { createSqliteStore, type SqliteLike, type SqliteValue } from 'dealwright/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pageOf } from '../../../adapters/sqlite/deal-list.js';
import { recordByKey } from '../../../spec/store/subject.js';
import { acme, addition, committed, registration } from '../sql/writes.js';
import { createTestStore, type TestStore } from './database.js';

let store: TestStore;
beforeEach(() => {
  store = createTestStore();
});
afterEach(() => store.close());

function planOf(sql: string, values: readonly SqliteValue[]): string {
  const rows = store.db.prepare(`explain query plan ${sql}`).all(...values);
  return rows.map((row) => (row as { detail: string }).detail).join('; ');
}

const filters: readonly DealFilter[] = [
  {},
  { status: 'created' },
  { freelancer_status: 'new' },
  { status: 'created', freelancer_status: 'new' },
  { email_key: 'user@example.com' },
  { partner_id: 'order-1' },
].flatMap((filter) => [
  filter,
  { ...filter, created_from: '2026-01-01T00:00:00.000Z' },
  { ...filter, created_to: '2027-01-01T00:00:00.000Z' },
]) as DealFilter[];
const all: DealFilter = { status: 'created', freelancer_status: 'new', email_key: 'a@b' };

/** The index of the most selective part of a filter. */
function indexOf({ partner_id, email_key, freelancer_status, status }: DealFilter): string {
  if (partner_id !== undefined) return 'sqlite_autoindex_dealwright_deals_1';
  const fields =
    email_key !== undefined
      ? ['email_key']
      : [
          ...(status === undefined ? [] : ['status']),
          ...(freelancer_status === undefined ? [] : ['freelancer_status']),
        ];
  return `dealwright_deals_by_${[...fields, 'created_at', 'attempt'].join('_')}`;
}

it('reads every range of every list by an index that has it in order', () => {
  const position = { created_at: '2026-06-01T00:00:00.000Z', attempt: '01' };
  for (const filter of [...filters, all, { ...all, partner_id: 'order-1' }]) {
    for (const from of [undefined, position]) {
      for (const direction of ['older', 'newer'] as const) {
        const range: DealRange = { direction, from, limit: 21 };
        const { sql, values } = pageOf('sandbox:acme', filter, range);
        const plan = planOf(sql, values);
        expect(plan).toMatch(new RegExp(`^SEARCH d USING INDEX ${indexOf(filter)} `));
        expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
        // both ends of the range are sought: no row between them and the page is skipped
        const seeks = filter.partner_id === undefined;
        const ends = '(created_at,attempt)>(?,?) AND (created_at,attempt)<(?,?)';
        expect(plan.includes(ends)).toBe(seeks);
      }
    }
  }
});

it('looks every record up by an index, in every call of a store', async () => {
  const sent: { readonly sql: string; readonly values: readonly SqliteValue[] }[] = [];
  const db = store.file.open();
  const watched: SqliteLike = {
    prepare(sql) {
      const statement = db.prepare(sql);
      const noted = (values: readonly SqliteValue[]) => {
        sent.push({ sql, values });
        return statement;
      };
      return {
        run: (...values: SqliteValue[]) => noted(values).run(...values),
        get: (...values: SqliteValue[]) => noted(values).get(...values),
        all: (...values: SqliteValue[]) => noted(values).all(...values),
      };
    },
  };
  const own = createSqliteStore(watched);
  (await own.commit(acme, registration()))._unsafeUnwrap();
  const given = await addition(own, 'deal', { key: 'key' });
  expect((await own.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
  expect((await own.commit(acme, given))._unsafeUnwrap()).toEqual(committed);
  const deal = (await own.deals.byPartnerId(acme, 'deal', ['stage', 'work_file']))._unsafeUnwrap();
  const [stage] = deal?.stage ?? [];
  const moved = await own.commit(acme, {
    attempt: '1',
    expect: [
      { present: 'deal', key: 'deal', where: { version: [1], status: ['created'] } },
      { present: 'stage', key: stage?.id ?? 0, where: { partner_id: ['deal'] } },
      { fewer: 'work_file', under: 'deal', than: 1000 },
      { fewer: 'stage', under: 'deal', than: 2 },
    ],
    insert: [],
    change: [
      { kind: 'deal', key: 'deal', set: { status: 'accepted' } },
      { kind: 'stage', key: stage?.id ?? 0, set: { status: 'submitted' } },
    ],
    subject: { kind: 'deal', key: 'deal' },
    events: given.events.map((event) => ({ ...event, id: '1' })),
  });
  expect(moved._unsafeUnwrap()).toEqual(committed);
  (await own.deals.byId(acme, 1, []))._unsafeUnwrap();
  (await own.deals.byPaymentToken(acme, 'token', ['stage', 'intent']))._unsafeUnwrap();
  (await own.due(acme, 'deal', '2026', 10))._unsafeUnwrap();
  (await own.due(acme, 'intent', '2026', 10))._unsafeUnwrap();
  (await own.workFiles.recorded(acme, ['1', '2']))._unsafeUnwrap();
  (await own.events.after(acme, undefined, 10))._unsafeUnwrap();
  (await own.events.of(acme, 'deal:deal', 1, 10))._unsafeUnwrap();
  (await own.due(acme, 'delivery', '2026', 10, 'u'))._unsafeUnwrap();
  for (const kind of ['webhook', 'consumer', 'delivery'] as const) {
    (await recordByKey(own, acme, kind, 'key'))._unsafeUnwrap();
    for (const direction of ['ascending', 'descending'] as const) {
      for (const range of [{}, { after: 'k' }, { under: 'u' }, { under: 'u', after: 'k' }]) {
        const found = await own.records.list(acme, kind, { direction, ...range, limit: 10 });
        found._unsafeUnwrap();
      }
    }
  }
  (await own.tenants(acme, 10))._unsafeUnwrap();
  for (const kind of Object.keys(records) as RecordKind[]) {
    if (shapeOf(kind).of !== 'tenant' || (kind as Kind) === 'event') continue;
    for (const [owner, indexes] of [
      [acme, shapeOf(kind).indexes],
      [{ environment: 'sandbox' }, shapeOf(kind).across ?? []],
    ] as const) {
      for (const [index, direction, after] of indexes.flatMap((each) => [
        [each, 'ascending', undefined] as const,
        [each, 'descending', each.slice(-1)] as const,
      ])) {
        const equal = index.slice(0, -1);
        const range = { index, equal, direction, ...(after && { after }), limit: 10 };
        (await own.records.byIndex(owner, kind, range))._unsafeUnwrap();
      }
    }
  }

  const queries = sent.filter(({ sql }) => /^\s*(select|insert|update)/i.test(sql));
  expect(queries.length).toBeGreaterThan(20);
  const check = ({ sql, values }: (typeof queries)[number]) => {
    // only the values of a statement, or its own subqueries, are scanned
    const plan = planOf(sql, values)
      .replaceAll(/SCAN (json_each|\(subquery-\d+\)|CONSTANT)/g, '')
      // an index has the times in order: only records with the same due time are sorted
      .replace(/(by_due_at .*); USE TEMP B-TREE FOR (RIGHT PART|LAST TERM) OF ORDER BY$/, '$1');
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    // an index of all tenants is sought by the environment, and each of the first fields
    if (/of_all_by/.test(sql)) expect(plan).toMatch(/ USING INDEX \S+ \(<expr>=\?( AND \w+=\?)*/);
    // one record of a tenant is sought, not all of the tenant's
    expect(plan).not.toMatch(/dealwright_(stages|work_files)\S* \(tenant=\?\)/);
    expect(plan).not.toMatch(/SEARCH p USING PRIMARY KEY/);
    expect(plan).not.toMatch(/dealwright_(events|deliveries)\S* \(tenant=\?\)$/);
    // a range is sought from its first row
    if (/t\.(id|name) [<>] \?/.test(sql)) expect(plan).toMatch(/\((tenant=\?.*)[<>]\?\)/);
    if (/t\.consumer = \?/.test(sql))
      expect(plan).toMatch(/by_consumer_(id|due_at) \(tenant=\? AND consumer=\?/);
    if (/e\.subject = \?/.test(sql))
      expect(plan).toMatch(/tenant=\? AND subject=\? AND sequence>\?/);
  };
  for (const query of queries) check(query);
  store.db.prepare('analyze').run();
  for (const query of queries) check(query);
});
