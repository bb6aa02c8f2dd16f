import * as fc from 'fast-check';
import type { Tenant } from '../../src/domain/tenant.js';
import type { StoreRecord } from '../../src/ports/store-archive.js';
import { check, equal, errOf, holds } from '../expectations.js';
import { createDeal } from '../store/deals.js';
import { createModel } from '../store/model.js';
import { compare, take } from '../store/random-operations.js';
import { anyPlan, resolve, universe } from '../store/random-steps.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  ask,
  dealEvent,
  dealOf,
  dealV2Of,
  eventPage,
  globex,
  registration,
} from '../store/subject.js';
import { fill, tenants } from './filled.js';
import {
  type DefineArchiveCase,
  dumped,
  ordered,
  type StoreArchiveSubject,
  streamed,
} from './subject.js';

/** Whatever a store has been through, another one that gets its records is the same. */
export function roundTrip(define: DefineArchiveCase): void {
  define('is the same in another store, after any sequence of writes', async (stores) => {
    const plans = (maxLength: number) => fc.array(anyPlan(), { maxLength, size: 'max' });
    const property = fc.asyncProperty(plans(60), plans(20), async (before, after) => {
      const names = universe(0);
      const model = createModel();
      const from = await stores.from();
      for (const plan of before) await take(from, model, resolve(plan, names));
      const into = await stores.into();
      await move(from, into);
      await compare(into, model, names);
      for (const plan of after) await take(into, model, resolve(plan, names));
      await compare(into, model, names);
      await stores.close();
    });
    await holds(property, { numRuns: 10 });
  });

  define('answers all that its ports are asked as the first store does', async (stores) => {
    const from = await stores.from();
    const { read } = await fill(from);
    const into = await stores.into();
    await move(from, into);
    const [expected, actual] = [await read(from), await read(into)];
    for (const [at, answer] of expected.entries()) equal(actual[at], answer, `answer ${at}`);
  });

  define('answers what is sent again as the first store does', async (stores) => {
    const from = await stores.from();
    const { again } = await fill(from);
    const into = await stores.into();
    await move(from, into);
    const [before, expected] = [ordered(await dumped(from)), await again(from)];
    const actual = await again(into);
    for (const [at, answer] of expected.entries()) equal(actual[at], answer, `answer ${at}`);
    equal(ordered(await dumped(into)), before, 'nothing was written twice');
  });

  define('goes on behind the cursors that the first store gave', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const into = await stores.into();
    await move(from, into);
    for (const tenant of tenants) {
      const { events } = await eventPage(from, tenant, undefined, 1000);
      for (let count = 1; count <= events.length; count += 1) {
        const { cursor } = await eventPage(from, tenant, undefined, count);
        const more = await eventPage(into, tenant, cursor, 1000);
        equal(more.events, events.slice(count), `what is behind ${count} events`);
      }
      const { cursor } = await eventPage(from, tenant, undefined, 1000);
      const given = additionV2(tenant, 'later');
      await ask(into.dealsV2.add(tenant, given));
      await into.settled?.();
      equal((await eventPage(into, tenant, cursor, 9)).events, given.events, 'a later event');
    }
  });

  define('gives ids above all that came', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const records = await dumped(from);
    const high = 2 ** 52;
    const deals = records.map((record) => (isOneOf(record, acme) ? raised(record, high) : record));
    const into = await stores.into();
    await into.archive.restore(streamed(deals));
    for (const tenant of [acme, globex, acmeLive]) {
      const [ids, stageIds] = idsIn(deals, tenant.environment);
      for (const partner_id of ['new', 'newer']) {
        const { id, stage_ids } = await createDeal(into, tenant, partner_id);
        const isAbove = (given: number, all: readonly number[]) =>
          Number.isSafeInteger(given) && all.every((each) => each < given);
        check(isAbove(id, ids), 'the id of a new deal is above all others');
        for (const each of stage_ids) check(isAbove(each, stageIds), 'so is that of a stage');
        ids.push(id);
        stageIds.push(...stage_ids);
        equal((await ask(into.deals.byId(tenant, id)))?.value.id, id, 'by its id');
      }
    }
    for (const record of deals.filter((each) => each.record === 'deal')) {
      const read = await ask(into.deals.byId(record.tenant, record.deal.id));
      equal(read?.value, record.deal, 'a deal that came, by its id');
    }
  });

  define('gives no id behind the last, and says so', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const records = await dumped(from);
    const last = Number.MAX_SAFE_INTEGER;
    for (const what of ['deal', 'stage'] as const) {
      const given = records.map((record) =>
        isMoved(record) && isOneOf(record, acme) ? withId(record, what, last) : record,
      );
      const into = await stores.into();
      equal(await into.archive.restore(streamed(given)), given.length, 'the last id is an id');
      for (const partner_id of ['new', 'newer']) {
        const refused = await into.deals.add(acme, addition(acme, partner_id));
        const { outcome, retryable, retryAfter } = errOf(refused, 'a create without an id');
        const said = { outcome, retryable, retryAfter };
        equal(said, { outcome: 'none', retryable: false, retryAfter: undefined }, 'for good');
        equal(await ask(into.deals.byPartnerId(acme, partner_id)), undefined, 'nothing is there');
      }
      await ask(into.dealsV2.add(acme, additionV2(acme, 'needs none')));
      const moved = given.find((each) => isMoved(each) && isOneOf(each, acme));
      const read = await ask(into.deals.byPartnerId(acme, 'moved'));
      equal(read?.value, moved?.record === 'deal' ? moved.deal : 'none', 'what came with it');
    }
  });

  define('keeps records without number', async (stores) => {
    const count = 1500;
    const into = await stores.into();
    equal(await into.archive.restore(streamed(manyRecords(count))), 2 * count + 2, 'how many');
    const there = await dumped(into);
    equal(there.length, 2 * count + 2, 'the number of records');
    const last = await stores.from();
    equal(await last.archive.restore(streamed(there)), there.length, 'and back again');
    equal(ordered(await dumped(last)), ordered(there), 'the same records');
    equal((await ask(last.deals.byPartnerId(acme, 'deal-0')))?.value.id, 1, 'a deal of them');
  });

  define('is nothing of an empty store', async (stores) => {
    const from = await stores.from();
    equal(await dumped(from), [], 'no record');
    const into = await stores.into();
    equal(await into.archive.restore(from.archive.dump()), 0, 'none is written');
    equal(await dumped(into), [], 'nor there');
    const filled = await stores.from();
    await fill(filled);
    await move(filled, into);
    await ask(
      into.contractors.add(globex, registration(globex, { register: 'x', email_key: 'y' })),
    );
  });
}

/** Moves all records, and sees that they are the same there. */
async function move(from: StoreArchiveSubject, into: StoreArchiveSubject): Promise<void> {
  const records = await dumped(from);
  equal(await into.archive.restore(from.archive.dump()), records.length, 'how many records');
  equal(ordered(await dumped(into)), ordered(records), 'the same records');
}

function isOneOf({ tenant }: StoreRecord, { environment, partner }: Tenant): boolean {
  return tenant.environment === environment && tenant.partner === partner;
}

/** A deal with other ids. */
function raised(record: StoreRecord, by: number): StoreRecord {
  if (record.record !== 'deal') return record;
  const stages = record.deal.stages.map((stage) => ({
    ...stage,
    id: stage.id + by,
    work_files: stage.work_files.map((file) => ({ ...file, stage_id: stage.id + by })),
  }));
  return { ...record, deal: { ...record.deal, id: record.deal.id + by, stages } };
}

type DealRecord = Extract<StoreRecord, { readonly record: 'deal' }>;

function isMoved(record: StoreRecord): record is DealRecord {
  return record.record === 'deal' && record.deal.partner_id === 'moved';
}

/** A deal with this id, or whose last stage has it. */
function withId(record: DealRecord, what: 'deal' | 'stage', id: number): DealRecord {
  const { deal } = record;
  if (what === 'deal') return { ...record, deal: { ...deal, id } };
  const stages = deal.stages.map((stage, at) => {
    if (at < deal.stages.length - 1) return stage;
    return {
      ...stage,
      id,
      work_files: stage.work_files.map((file) => ({ ...file, stage_id: id })),
    };
  });
  return { ...record, deal: { ...deal, stages } };
}

/** The ids of deals and of stages that an environment has. */
function idsIn(records: readonly StoreRecord[], environment: string): [number[], number[]] {
  const deals = records.flatMap((each) =>
    each.record === 'deal' && each.tenant.environment === environment ? [each.deal] : [],
  );
  return [deals.map(({ id }) => id), deals.flatMap(({ stages }) => stages.map(({ id }) => id))];
}

/** Two contractors, deals of both versions in turn, and an event for each. */
function* manyRecords(count: number): Generator<StoreRecord> {
  for (const tenant of [acme, globex]) {
    const { key, contractor, events } = registration(tenant, {
      register: tenant.partner,
      email_key: 'user@example.com',
    });
    const event_id = events[0]?.id ?? '';
    yield {
      record: 'contractor',
      tenant,
      key,
      contractor,
      version: 1,
      event_id,
      idempotency: undefined,
    };
  }
  // later in order as they come, as lists have them
  const ids = Array.from({ length: count }, (_, at) => `01KDVE${String(at).padStart(20, '0')}`);
  for (const [at, event_id] of ids.entries()) {
    const partner_id = `deal-${at}`;
    const beside = { tenant: acme, version: 1, event_id, idempotency: undefined };
    if (at % 2 === 1) {
      yield { record: 'deal_v2', deal: dealV2Of(partner_id), ...beside };
      continue;
    }
    const deal = dealOf(partner_id);
    const stages = deal.stages.map((stage, of) => ({
      ...stage,
      id: 2 * at + of + 1,
      work_files: [],
    }));
    yield { record: 'deal', deal: { ...deal, id: at + 1, stages }, work_file_keys: [], ...beside };
  }
  for (const [at, id] of ids.entries()) {
    yield { record: 'event', tenant: acme, event: { ...dealEvent(acme, `deal-${at}`, 1), id } };
  }
}
