import * as fc from 'fast-check';
import { indexedFields } from '../../src/domain/deals/deal-list.js';
import {
  type AnyRow,
  type RecordKind,
  type Row,
  shapeOf,
} from '../../src/domain/records/records.js';
import type { DealStatus } from '../../src/domain/values/status.js';
import type { Environment, Tenant } from '../../src/domain/values/tenant.js';
import type { IndexOwner, IndexRange } from '../../src/ports/store.js';
import { equal, holds } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { acme, acmeLive, ask, globex, group, type StoreSubject } from './subject.js';
import {
  committed,
  consumption,
  creation,
  delivery,
  insertOf,
  move,
  numbers,
  present,
  upload,
  writeOf,
} from './writes.js';

const tenants = [acme, globex, acmeLive] as const;
const environments: readonly Environment[] = ['sandbox', 'production'];
const owners: readonly IndexOwner[] = [
  ...environments.map((environment) => ({ environment })),
  ...tenants,
];

const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
const titles = ['Logo', 'Logo ', 'Logotype', 'logo', 'Łogo', 'Logo\uffff', 'Logo😀'];
const statuses: readonly DealStatus[] = ['created', 'accepted', 'disputed'];
const emails = ['a@example.com', 'ab@example.com'];

/** A deal with few values, so that many have the same. */
interface AnyDeal {
  readonly tenant: number;
  readonly time: number;
  readonly title: number;
  readonly status: number;
  readonly email: number;
  readonly alert: number;
}

const anyDeal = fc.record(
  {
    tenant: fc.nat(2),
    time: fc.nat(2),
    title: fc.nat(6),
    status: fc.nat(2),
    email: fc.nat(1),
    alert: fc.nat(3),
  },
  { noNullPrototype: true },
);

function fieldsOf({ time, title, status, email, alert }: AnyDeal): Partial<Row<'deal'>> {
  return {
    created_at: times[time] ?? '',
    title: titles[title] ?? '',
    status: statuses[status] ?? 'created',
    status_since: title % 3 === 0 ? null : (times[(time + title) % 3] ?? null),
    email_key: emails[email] ?? '',
    attention: alert === 1 ? 'true' : null,
    alert: alert < 2 ? null : 'disputed',
    alert_at: alert < 2 ? null : (times[(time + alert) % 3] ?? null),
  };
}

/** The records of an index in its order, from the model alone. */
function expected(model: Model, owner: IndexOwner, kind: RecordKind, range: IndexRange) {
  const { index, equal: same, from, to, direction, after, limit } = range;
  const rest = index.slice(same.length);
  const [next = ''] = rest;
  const own = tenants.filter(
    ({ environment, partner }) =>
      environment === owner.environment && (owner.partner ?? partner) === partner,
  );
  const all = own.flatMap((tenant) =>
    model.rows(tenant, kind).map((row) => ({ partner: tenant.partner, row })),
  );
  const valuesOf = (row: AnyRow) => rest.map((field) => pointsOf(String(row[field])));
  const before = (a: readonly string[], b: readonly string[]) => {
    const at = a.findIndex((value, place) => value !== b[place]);
    return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
  };
  const sign = direction === 'ascending' ? 1 : -1;
  return all
    .filter(({ row }) => index.every((field) => row[field] !== null))
    .filter(({ row }) => same.every((value, at) => row[index[at] ?? ''] === value))
    .filter(({ row }) => from === undefined || pointsOf(String(row[next])) >= pointsOf(from))
    .filter(({ row }) => to === undefined || pointsOf(String(row[next])) < pointsOf(to))
    .filter(
      ({ row }) =>
        after === undefined ||
        sign *
          before(
            valuesOf(row),
            after.map((value) => pointsOf(String(value))),
          ) >
          0,
    )
    .sort((a, b) => sign * before(valuesOf(a.row), valuesOf(b.row)))
    .slice(0, limit)
    .map(({ partner, row }) => ({ partner, row: kind === 'deal' ? shown(row) : row }));
}

/** A text that JavaScript compares as databases compare the given one: by code point. */
const pointsOf = (text: string) =>
  Array.from(text, (each) => (each.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');

const shown = (row: AnyRow) =>
  Object.fromEntries(indexedFields.map((field) => [field, row[field] ?? null]));

/** Asserts that a range is that of the model, also page by page. */
async function compareRange(
  store: StoreSubject,
  model: Model,
  owner: IndexOwner,
  kind: RecordKind,
  range: IndexRange,
): Promise<void> {
  const what = (each: IndexRange) =>
    `${kind} of ${JSON.stringify(owner)} in ${JSON.stringify(each)}`;
  const whole = await ask(store.records.byIndex(owner, kind, range));
  equal(whole, expected(model, owner, kind, range), what(range));
  for (const place of new Set([0, whole.length - 1])) {
    const row: AnyRow | undefined = whole[place]?.row;
    if (row === undefined) continue;
    const after = range.index.slice(range.equal.length).map((field) => row[field] ?? null);
    const page = { ...range, after, limit: 2 };
    const found = await ask(store.records.byIndex(owner, kind, page));
    equal(found, expected(model, owner, kind, page), what(page));
  }
}

const directions = ['ascending', 'descending'] as const;

/** The indexes of deals, of one tenant or of all, with the values that they are read by. */
function rangesOf(
  owner: IndexOwner,
): readonly Pick<IndexRange, 'index' | 'equal' | 'from' | 'to'>[] {
  const { indexes, across = [] } = shapeOf('deal');
  const own = owner.partner === undefined ? across : indexes;
  const position = (index: readonly string[]) => index.at(-1) === 'attempt';
  const values: Readonly<Record<string, readonly string[]>> = {
    status: statuses,
    email_key: emails,
    alert: ['disputed', 'overdue'],
    attention: ['true'],
    freelancer_status: ['new'],
    partner_id: ['deal 0', 'deal 1'],
  };
  return own.filter(position).flatMap((index) => {
    const [first = ''] = index;
    const given = values[first] ?? [];
    const bounded = { from: times[1] ?? '', to: times[2] ?? '' };
    if (first === 'title') {
      return [
        { index, equal: [] },
        { index, equal: [], from: 'Logo', to: 'Logo\u{10ffff}' },
        { index, equal: [], to: 'Logo' },
      ];
    }
    if (first === 'created_at')
      return [
        { index, equal: [] },
        { index, equal: [], ...bounded },
      ];
    const equal = index.slice(0, -2).length > 1 ? ['new'] : [];
    return given.flatMap((value) => {
      const same = { index, equal: [value, ...equal] };
      return index.length > 2 ? [same, { ...same, ...bounded }] : [same];
    });
  });
}

/** Ranges of indexes, of one tenant and of all. */
export const indexes = group(
  'records by an index',
  {
    must: {
      '4/store/index-ranges':
        'A range of an index has the records in it, in the order of its fields, with their partners, and no record of another owner or without a value.',
      '4/store/index-is-current': 'An index has a record at the place of its current values only.',
      '4/store/index-of-parts':
        'Payments, files, consumers and failed deliveries are found by their indexes.',
    },
  },
  (define) => {
    define('4/store/index-ranges', async (store) => {
      const property = fc.asyncProperty(
        fc.array(anyDeal, { minLength: 1, maxLength: 12 }),
        async (deals) => {
          const model = await madeOf(store, deals);
          for (const owner of owners) {
            for (const range of rangesOf(owner)) {
              for (const direction of directions) {
                const whole = { ...range, direction, limit: 100 };
                await compareRange(store, model, owner, 'deal', whole);
              }
            }
          }
        },
      );
      // the deals of earlier runs stay, and are in the model
      await holds(property, { numRuns: 4 });
    });

    define('4/store/index-is-current', async (store) => {
      const deals = [0, 1, 2].map((tenant) => {
        return { tenant, time: 0, title: 1, status: 0, email: 0, alert: 0 };
      });
      const model = await madeOf(store, deals);
      for (const owner of owners)
        for (const range of rangesOf(owner)) {
          await compareRange(store, model, owner, 'deal', {
            ...range,
            direction: 'ascending',
            limit: 9,
          });
        }
      const partner_id = String(model.rows(acme, 'deal')[0]?.['partner_id']);
      const sets: readonly Partial<Row<'deal'>>[] = [
        {
          status: 'disputed',
          status_since: times[1] ?? '',
          alert: 'disputed',
          alert_at: times[2] ?? '',
        },
        { title: 'Logotype', alert: null, alert_at: null },
      ];
      for (const [at, set] of sets.entries()) {
        const write = move(partner_id, at + 1, set);
        equal(model.commit(acme, write), committed, 'the model');
        equal(await ask(store.commit(acme, write)), committed, 'the change');
        for (const owner of owners) {
          for (const range of rangesOf(owner)) {
            const whole = { ...range, direction: 'ascending', limit: 9 } as const;
            await compareRange(store, model, owner, 'deal', whole);
          }
        }
      }
    });

    define('4/store/index-of-parts', async (store) => {
      const model = await madeOf(store, []);
      for (const tenant of tenants) {
        const [id = 0, stage = 0] = await numbers(store, tenant, 2);
        const name = tenant.environment;
        const underDeal = present('deal', 'parts');
        for (const write of [
          creation('parts', [id, stage]),
          upload('parts', stage),
          writeOf({
            expect: [{ absent: 'employer_payment', key: `e ${name}` }, underDeal],
            insert: [
              insertOf('employer_payment', {
                id: `e ${name}`,
                partner_id: 'parts',
                reference: 'ref',
              }),
            ],
          }),
          writeOf({
            expect: [{ absent: 'contractor_payment', key: `c ${name}` }, underDeal],
            insert: [
              insertOf('contractor_payment', {
                id: `c ${name}`,
                partner_id: 'parts',
                stage_id: stage,
                reference: null,
              }),
            ],
          }),
          consumption('reader', { failing_since: times[1] ?? '' }),
          consumption('sound', { failing_since: null }),
          delivery('reader', `d ${name}`, { status: 'failed', failed_at: times[0] ?? '' }),
          delivery('reader', `f ${name}`, { failed_at: null }),
        ]) {
          equal(model.commit(tenant, write), committed, 'the model');
          equal(await ask(store.commit(tenant, write)), committed, 'a write');
        }
      }
      for (const environment of environments) {
        const asked = [
          ['employer_payment', ['id'], []],
          ['employer_payment', ['reference', 'id'], ['ref']],
          ['contractor_payment', ['id'], []],
          ['contractor_payment', ['reference', 'id'], ['ref']],
          ['work_file', ['id'], []],
          ['consumer', ['failing_since', 'attempt'], []],
        ] as const;
        for (const [kind, index, same] of asked) {
          const range = { index, equal: same, direction: 'ascending', limit: 9 } as const;
          await compareRange(store, model, { environment }, kind, range);
        }
      }
      for (const tenant of tenants) {
        const index = ['failed_at', 'id'];
        const range = { index, equal: [], direction: 'descending', limit: 9 } as const;
        await compareRange(store, model, tenant, 'delivery', range);
      }
    });
  },
);

const models = new WeakMap<StoreSubject, Model>();

/** Creates deals, and returns the model of all that were created in this store. */
async function madeOf(store: StoreSubject, deals: readonly AnyDeal[]): Promise<Model> {
  const model = models.get(store) ?? createModel();
  models.set(store, model);
  for (const [at, deal] of deals.entries()) {
    const tenant = tenants[deal.tenant] as Tenant;
    const known = model.rows(tenant, 'deal').length;
    const [id = 0] = await numbers(store, tenant, 1);
    const name = at < 2 && known === 0 ? `deal ${at}` : `deal ${tenant.partner} ${id}`;
    const write = creation(name, [id], fieldsOf(deal));
    equal(model.commit(tenant, write), committed, 'the model');
    equal(await ask(store.commit(tenant, write)), committed, 'a deal');
  }
  return model;
}
