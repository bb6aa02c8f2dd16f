import * as fc from 'fast-check';
import { type AnyRow, type Json, type Kind, shapeOf } from '../../src/domain/records/records.js';
import type { DealStatus } from '../../src/domain/values/status.js';
import type { Environment, Tenant } from '../../src/domain/values/tenant.js';
import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { check, equal, errOf, holds } from '../expectations.js';
import { createModel } from '../store/model.js';
import { operationsOf } from '../store/operations.js';
import { anyPlan, type Plan, planOf, type Universe, universe } from '../store/plans.js';
import { anyValues } from '../store/rows.js';
import { compare } from '../store/session.js';
import { acme, acmeLive, ask, eventPage, globex, type StoreSubject } from '../store/subject.js';
import {
  committed,
  createDeal,
  creation,
  eventOf,
  insertOf,
  numbers,
  registration,
} from '../store/writes.js';
import { fill, recordsOf, tenants } from './filled.js';
import {
  changed,
  dumped,
  group,
  ordered,
  rowIn,
  type StoreArchiveSubject,
  streamed,
} from './subject.js';

/** A deal of each tenant, and a contractor, so that no run leaves one out. */
const always = [
  ...[0, 1, 2].map((who) => planOf({ who, kind: 'deal' })),
  planOf({ kind: 'contractor' }),
];

/** A store that gets the records of another one is the same. */
export const roundTrip = group(
  'round trip',
  {
    must: {
      '8/archive/any-writes':
        'After any sequence of writes, the restored store has the records of the first one, and answers further writes in the same way.',
      '8/archive/same-reads': 'A restored store answers every read as the first store does.',
      '2.7/archive/repeated-writes':
        'A write that comes again after a restore is answered as by the first store, and nothing is written twice.',
      '7.6/archive/cursors':
        'A cursor of the first store is followed by the same events in the restored one, and then by those that come later.',
      '2.4/archive/integers-above':
        'Integers that a store reserves after a restore are above all restored integers of the environment.',
      '2.4/archive/last-integer':
        'After 2^53-1 is restored, no integer is reserved in its environment, the failure says that no retry helps, and other writes go on.',
      '8/archive/any-number':
        'A restore takes any number of records, says how many, and the next dump has all of them.',
      '8/archive/empty-store':
        'An empty store dumps no record, and a restore of no record leaves a store empty and usable.',
      '8/archive/status-since':
        'Deals of an archive of before they had `status_since` get it from their events: the time of the first of the last ones that all tell of the status.',
    },
  },
  (define) => {
    define('8/archive/any-writes', async (stores) => {
      const plans = (maxLength: number) => fc.array(anyPlan(), { maxLength, size: 'max' });
      const property = fc.asyncProperty(
        plans(60),
        plans(20),
        anyValues(),
        async (before, after, values) => {
          const model = createModel();
          const take = async (store: StoreSubject, plans: readonly Plan[], names: Universe) => {
            for (const plan of plans) {
              for (const { what, run, expect } of operationsOf(plan, names, model)) {
                equal(await run(store), expect(model), what);
              }
            }
          };
          const from = await stores.from();
          const names = await universe(from, 0, values, 250);
          await take(from, [...always, ...before], names);
          equal(ordered(await dumped(from)), recordsOf(model, names.sent), 'what is dumped');
          const into = await stores.into();
          await move(from, into);
          await compare(into, model);
          const { next } = await universe(into, 0, values, 100);
          await take(into, after, { ...names, next });
          await compare(into, model);
          await stores.close();
        },
      );
      await holds(property, { numRuns: 5 });
    });

    define('8/archive/same-reads', async (stores) => {
      const from = await stores.from();
      const { model, read } = await fill(from);
      const into = await stores.into();
      await move(from, into);
      const [expected, actual] = [await read(from), await read(into)];
      for (const [at, answer] of expected.entries()) equal(actual[at], answer, `answer ${at}`);
      await compare(into, model);
    });

    define('2.7/archive/repeated-writes', async (stores) => {
      const from = await stores.from();
      const { again, records } = await fill(from);
      const into = await stores.into();
      await move(from, into);
      const [expected, actual] = [await again(from), await again(into)];
      for (const [at, answer] of expected.entries()) equal(actual[at], answer, `answer ${at}`);
      equal(ordered(await dumped(into)), records, 'nothing was written twice');
    });

    define('7.6/archive/cursors', async (stores) => {
      const from = await stores.from();
      await fill(from);
      const into = await stores.into();
      await move(from, into);
      await from.settled?.();
      for (const tenant of tenants) {
        const { events } = await eventPage(from, tenant, undefined, 1000);
        for (let count = 1; count <= events.length; count += 1) {
          const { cursor } = await eventPage(from, tenant, undefined, count);
          const more = await eventPage(into, tenant, cursor, 1000);
          equal(more.events, events.slice(count), `what comes after ${count} events`);
        }
        const { cursor } = await eventPage(from, tenant, undefined, 1000);
        const write = creation('later', await numbers(into, tenant, 1));
        await ask(into.commit(tenant, write));
        await into.settled?.();
        const later = write.events.map((event) => ({ ...event, sequence: 1 }));
        equal((await eventPage(into, tenant, cursor, 9)).events, later, 'a later event');
      }
    });

    define('2.4/archive/integers-above', async (stores) => {
      const from = await stores.from();
      await fill(from);
      const high = 2 ** 52;
      const given = (await dumped(from)).map((record) => {
        const { number = '' } = shapeOf(record.kind);
        const id = Number(rowIn(record)[number]);
        return number !== '' && isOf(record, acme)
          ? changed(record, { [number]: id + high })
          : record;
      });
      const into = await stores.into();
      await into.archive.restore(streamed(given));
      for (const tenant of [acme, globex, acmeLive]) {
        const taken = numbersIn(given, tenant.environment);
        for (const partner_id of ['new', 'newer']) {
          const own = await createDeal(into, tenant, `${partner_id} deal`, 2);
          const isAbove = (id: number) =>
            Number.isSafeInteger(id) && taken.every((each) => each < id);
          check(own.every(isAbove), 'what is reserved is above all that came');
          taken.push(...own);
          const read = await ask(into.deals.byId(tenant, own[0] ?? 0, []));
          equal(read?.deal.partner_id, `${partner_id} deal`, 'a new deal by its id');
        }
      }
      for (const record of given) {
        if (record.kind !== 'deal') continue;
        const read = await ask(into.deals.byId(record.tenant, record.row.id, []));
        equal(read?.deal, record.row, 'a deal that came, by its id');
      }
    });

    define('2.4/archive/last-integer', async (stores) => {
      const from = await stores.from();
      await fill(from);
      const records = await dumped(from);
      const numbered = records.filter(({ kind }) => shapeOf(kind).number !== undefined);
      for (const kind of new Set(numbered.map((each) => each.kind))) {
        const record = numbered.find((each) => each.kind === kind && isOf(each, acme));
        const last = { [shapeOf(kind).number ?? '']: Number.MAX_SAFE_INTEGER };
        const given = records.map((each) => (each === record ? changed(each, last) : each));
        const into = await stores.into();
        equal(
          await into.archive.restore(streamed(given)),
          given.length,
          `the last ${kind} is taken`,
        );
        for (const count of [1, 3]) {
          const refused = await into.reserve(acme.environment, count);
          const { outcome, retryable, retryAfter } = errOf(refused, 'none is left');
          const said = { outcome, retryable, retryAfter };
          equal(said, { outcome: 'none', retryable: false, retryAfter: undefined }, 'for good');
        }
        await numbers(into, acmeLive, 1);
        const needsNone = registration('needs none');
        equal(await ask(into.commit(acme, needsNone)), { outcome: 'committed' }, 'a contractor');
        const there = (await dumped(into)).filter((each) => each.kind === kind);
        const same = given.filter((each) => each.kind === kind);
        equal(ordered(there), ordered(same), 'what came with it');
      }
    });

    define('8/archive/any-number', async (stores) => {
      const given = [...manyRecords(1500)];
      const into = await stores.into();
      equal(await into.archive.restore(streamed(given)), given.length, 'how many');
      const there = await dumped(into);
      equal(ordered(there), ordered(given), 'the same records');
      const last = await stores.from();
      equal(await last.archive.restore(streamed(there)), there.length, 'and back again');
      equal(ordered(await dumped(last)), ordered(there), 'the same records there');
      equal((await ask(last.deals.byPartnerId(acme, 'deal-0', [])))?.deal.id, 1, 'a deal of them');
    });

    define('8/archive/status-since', async (stores) => {
      const from = await stores.from();
      const day = (at: number) => `2026-01-0${at}T00:00:00.000Z`;
      const told = (name: string, at: number, type: string, data: Json) => ({
        ...eventOf('deal', name),
        ...{ type, at: day(at), data },
      });
      const lives: Readonly<Record<string, readonly (readonly [string, string?])[]>> = {
        // an event of one stage after the other, and one that is not of the deal itself
        delivered: [
          ['deal.accepted', 'accepted'],
          ['deal.delivered', 'delivered'],
          ['deal.delivered', 'delivered'],
          ['employer_payment.paid', 'paid'],
        ],
        accepted: [
          ['deal.accepted', 'accepted'],
          ['deal.changes_requested', 'changes_requested'],
          ['deal.amended', 'accepted'],
        ],
        created: [['deal.expires_soon'], ['work_file.stored']],
      };
      for (const tenant of tenants) {
        for (const [status, events] of Object.entries(lives)) {
          const given = { status: status as DealStatus, created_at: day(1) };
          const write = creation(status, await numbers(from, tenant, 1), given);
          const all = [told(status, 1, 'deal.created', {})];
          for (const [at, [type, of]] of events.entries()) {
            all.push(told(status, at + 2, type, of === undefined ? {} : { status: of }));
          }
          equal(await ask(from.commit(tenant, { ...write, events: all })), committed, status);
        }
      }
      const records = await dumped(from);
      const old = records.map((each) =>
        each.kind === 'deal' ? changed(each, { status_since: day(1) }) : each,
      );
      const into = await stores.into();
      const lacks = async (kind: Kind, field: string) =>
        kind === 'deal' && field === 'status_since';
      await into.archive.restore(Object.assign(streamed(old), { lacks }));
      const times = { delivered: day(3), accepted: day(4), created: day(1) };
      for (const tenant of tenants) {
        for (const [name, since] of Object.entries(times)) {
          const found = await ask(into.deals.byPartnerId(tenant, name, []));
          equal(found?.deal.status_since, since, `when the deal ${name} got its status`);
        }
      }
      // records of this version stay as they are
      const same = await stores.from();
      await same.archive.restore(streamed(old));
      equal(ordered(await dumped(same)), ordered(old), 'records that lack nothing');
    });

    define('8/archive/empty-store', async (stores) => {
      const from = await stores.from();
      equal(await dumped(from), [], 'no record');
      const into = await stores.into();
      equal(await into.archive.restore(from.archive.dump()), 0, 'none is written');
      equal(await dumped(into), [], 'it is as empty');
      const filled = await stores.from();
      await fill(filled);
      await move(filled, into);
      equal(
        await ask(into.commit(globex, registration('x'))),
        { outcome: 'committed' },
        'it goes on',
      );
    });
  },
);

/** Moves all records, and asserts that they are the same there. */
async function move(from: StoreArchiveSubject, into: StoreArchiveSubject): Promise<void> {
  const records = await dumped(from);
  equal(await into.archive.restore(from.archive.dump()), records.length, 'how many records');
  equal(ordered(await dumped(into)), ordered(records), 'the same records');
}

function isOf({ tenant }: ArchiveRecord, { environment, partner }: Tenant): boolean {
  return tenant.environment === environment && tenant.partner === partner;
}

/** The integers of an environment that were reserved for its records. */
function numbersIn(records: readonly ArchiveRecord[], environment: Environment): number[] {
  return records.flatMap((record) => {
    const { number } = shapeOf(record.kind);
    const isMeant = number !== undefined && record.tenant.environment === environment;
    return isMeant ? [Number(rowIn(record)[number])] : [];
  });
}

/** A contractor, and a number of deals with a stage and an event each, in the order of a dump. */
function* manyRecords(count: number): Generator<ArchiveRecord> {
  // ULIDs in ascending order, as the list needs them
  const attempts = Array.from(
    { length: count },
    (_, at) => `01KDVE${String(at).padStart(20, '0')}`,
  );
  const stored = (given: { readonly kind: string; readonly row: AnyRow }, more: AnyRow) =>
    ({ ...given, tenant: acme, row: { ...given.row, ...more } }) as ArchiveRecord;
  const deals = attempts.map((attempt, at) => ({
    attempt,
    insert: creation(`deal-${at}`, [2 * at + 1, 2 * at + 2]).insert,
  }));
  const contractor_key = 'user@example.com';
  const made = { attempt: attempts[0] ?? '', version: 1 };
  yield stored(insertOf('contractor', { contractor_key }), made);
  for (const { attempt, insert } of deals) {
    for (const each of insert)
      if (each.kind === 'deal') yield stored(each, { attempt, version: 1 });
  }
  for (const { attempt, insert } of deals) {
    for (const each of insert) if (each.kind === 'stage') yield stored(each, { attempt });
  }
  for (const [at, id] of attempts.entries()) {
    const row = { ...eventOf('deal', `deal-${at}`), id, sequence: 1 };
    yield { kind: 'event', tenant: acme, row };
  }
}
