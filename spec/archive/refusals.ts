import type { StoreRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import {
  acme,
  additionV2,
  allEvents,
  ask,
  dealEvent,
  globex,
  registration,
} from '../store/subject.js';
import { fill, tenants } from './filled.js';
import {
  type DefineArchiveCase,
  dumped,
  ordered,
  refuses,
  type StoreArchiveSubject,
  type Stores,
  streamed,
} from './subject.js';

/** What cannot be restored whole leaves nothing, and what is there stays as it is. */
export function refusals(define: DefineArchiveCase): void {
  define('refuses a store that holds something, which stays as it is', async (stores) => {
    const records = await recordsOf(stores);
    const [contractor] = records.filter(({ record }) => record === 'contractor');
    const given = additionV2(acme, 'deal');
    const writes: ((into: StoreArchiveSubject) => Promise<unknown>)[] = [
      (into) => ask(into.contractors.add(acme, registration(acme))),
      (into) => ask(into.dealsV2.add(acme, given)),
      (into) => into.archive.restore(streamed(contractor === undefined ? [] : [contractor])),
    ];
    for (const write of writes) {
      const into = await stores.into();
      await write(into);
      const before = await dumped(into);
      check(before.length > 0, 'it holds something');
      await refuses(into, streamed(records), 'an archive beside what is there');
      await refuses(into, streamed(before), 'what is there already');
      equal(await dumped(into), before, 'it is as it was');
    }
  });

  define('leaves nothing where the records break off', async (stores) => {
    const records = await recordsOf(stores);
    const into = await stores.into();
    for (const count of [0, 1, Math.floor(records.length / 2), records.length]) {
      await refuses(into, breakingOff(records.slice(0, count)), `an end after ${count} records`);
      await isEmpty(into);
    }
    await restores(into, records);
  });

  define('leaves nothing where two records lay claim to the same', async (stores) => {
    const records = await recordsOf(stores);
    const into = await stores.into();
    for (const [what, broken] of Object.entries(twice(records))) {
      let isLetGo = false;
      const source = async function* () {
        try {
          yield* broken;
        } finally {
          isLetGo = true;
        }
      };
      await refuses(into, source(), what);
      check(isLetGo, 'whoever gives the records is let go');
      await isEmpty(into);
    }
    await restores(into, records);
  });

  define('leaves nothing where what comes is no record', async (stores) => {
    const records = await recordsOf(stores);
    const into = await stores.into();
    const strange: readonly unknown[] = [
      undefined,
      null,
      {},
      { ...records[0], record: 'other' },
      { ...records[0], tenant: { environment: 'staging', partner: 'acme' } },
      { record: 'deal' },
      { record: 'event', tenant: acme },
      { record: 'event', tenant: acme, event: dealEvent(globex, 'one', 9) },
    ];
    for (const each of strange) {
      // what a program without types may give
      const given = [...records, each] as readonly StoreRecord[];
      await refuses(into, streamed(given), 'what is no record');
      await isEmpty(into);
    }
    const keyless = records.map((record) =>
      record.record === 'deal' && record.work_file_keys.length > 0
        ? {
            ...record,
            work_file_keys: record.work_file_keys.map((key) => ({ ...key, file_id: 'none' })),
          }
        : record,
    );
    await refuses(into, streamed(keyless), 'the key of a file that is not there');
    await isEmpty(into);
    await restores(into, records);
  });

  define('lets one of several restores at once win at most', async (stores) => {
    const records = await recordsOf(stores);
    const into = await stores.into();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => into.archive.restore(streamed(records))),
    );
    const won = outcomes.filter(({ status }) => status === 'fulfilled').length;
    check(won <= 1, 'one writes, and no other');
    const there = ordered(await dumped(into));
    equal(there, won === 1 ? ordered(records) : [], 'all of it is there, or nothing');
  });
}

async function recordsOf(stores: Stores): Promise<readonly StoreRecord[]> {
  const from = await stores.from();
  await fill(from);
  return dumped(from);
}

async function* breakingOff(records: readonly StoreRecord[]): AsyncGenerator<StoreRecord> {
  yield* records;
  throw new Error('the records break off');
}

async function restores(into: StoreArchiveSubject, records: readonly StoreRecord[]): Promise<void> {
  equal(await into.archive.restore(streamed(records)), records.length, 'all of them, then');
  equal(ordered(await dumped(into)), ordered(records), 'and they are there');
}

async function isEmpty(store: StoreArchiveSubject): Promise<void> {
  equal(await dumped(store), [], 'nothing is dumped');
  const all = { direction: 'older', from: undefined, limit: 10 } as const;
  for (const tenant of tenants) {
    equal(await ask(store.dealIndex.list(tenant, {}, all)), [], 'nothing is listed');
    equal(await allEvents(store, tenant), [], 'nothing happened');
  }
}

/** Records of which two lay claim to the same, each list in one way. */
function twice(records: readonly StoreRecord[]): Readonly<Record<string, readonly StoreRecord[]>> {
  const behind = (add: (record: StoreRecord) => readonly StoreRecord[]) =>
    records.flatMap((record) => [record, ...add(record)]);
  const only = <K extends StoreRecord['record']>(
    kind: K,
    add: (record: Extract<StoreRecord, { record: K }>) => StoreRecord,
  ) =>
    behind((record) =>
      record.record === kind ? [add(record as Extract<StoreRecord, { record: K }>)] : [],
    );
  return {
    'a contractor twice': only('contractor', (record) => record),
    'the key of a contractor twice': only('contractor', (record) => ({
      ...record,
      key: { ...record.key, register: `${record.key.register} again` },
    })),
    'a deal twice': only('deal', (record) => record),
    'a deal of version 2.0 twice': only('deal_v2', (record) => record),
    'a partner_id in both versions': only('deal_v2', (record) => ({
      ...record,
      idempotency: undefined,
      deal: { ...record.deal, partner_id: 'one' },
    })),
    'the key of a deal twice': only('deal_v2', (record) => ({
      ...record,
      deal: { ...record.deal, partner_id: `${record.deal.partner_id} again` },
    })),
    'a file twice': behind((record) =>
      record.record === 'deal' && record.deal.partner_id === 'moved'
        ? [withOtherIds({ ...record, work_file_keys: [] })]
        : [],
    ),
    'the id of a deal twice': only('deal', (record) => ({
      ...withoutFiles(record),
      idempotency: undefined,
      deal: { ...withoutFiles(record).deal, partner_id: `${record.deal.partner_id} again` },
    })),
    'the id of a deal of another partner': only('deal', (record) => {
      const { stages } = withOtherIds(record).deal;
      return ofAnotherPartner({ ...record, deal: { ...record.deal, stages } });
    }),
    'the id of a stage of another partner': only('deal', (record) => {
      const { id } = withOtherIds(record).deal;
      return ofAnotherPartner({ ...record, deal: { ...record.deal, id } });
    }),
  };
}

type DealRecord = Extract<StoreRecord, { readonly record: 'deal' }>;

/** The same files, in a deal whose ids are its own. */
function withOtherIds(record: DealRecord): DealRecord {
  const far = 2 ** 40;
  const stages = record.deal.stages.map((stage) => ({ ...stage, id: stage.id + far }));
  const deal = { ...record.deal, partner_id: 'again', id: record.deal.id + far, stages };
  return { ...record, deal };
}

/** The same ids in the same environment, for somebody who has nothing else. */
function ofAnotherPartner(record: DealRecord): DealRecord {
  const tenant = { ...record.tenant, partner: `not ${record.tenant.partner}` };
  return { ...withoutFiles(record), tenant };
}

function withoutFiles(record: DealRecord): DealRecord {
  const stages = record.deal.stages.map((stage) => ({ ...stage, work_files: [] }));
  return { ...record, work_file_keys: [], deal: { ...record.deal, stages } };
}
