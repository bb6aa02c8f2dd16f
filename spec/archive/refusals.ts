import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import { acme, allEvents, ask } from '../store/subject.js';
import { createDeal, registration } from '../store/writes.js';
import { type Broken, orphans, strangers, twice } from './claims.js';
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

/** A failed restore leaves nothing, and stored records stay unchanged. */
export function refusals(define: DefineArchiveCase): void {
  define('refuses a store that holds something, which stays as it is', async (stores) => {
    const records = await recordsOf(stores);
    const [contractor] = records.filter(({ kind }) => kind === 'contractor');
    const writes: ((into: StoreArchiveSubject) => Promise<unknown>)[] = [
      (into) => ask(into.commit(acme, registration())),
      (into) => createDeal(into, acme, 'deal'),
      (into) => into.archive.restore(streamed(contractor === undefined ? [] : [contractor])),
    ];
    for (const write of writes) {
      const into = await stores.into();
      await write(into);
      const before = await dumped(into);
      check(before.length > 0, 'it holds something');
      await refuses(into, streamed(records), 'an archive beside what is stored');
      await refuses(into, streamed(before), 'what is stored already');
      equal(await dumped(into), before, 'it is as it was');
    }
  });

  define('leaves nothing where the records end early', async (stores) => {
    const records = await recordsOf(stores);
    const into = await stores.into();
    for (const count of [0, 1, Math.floor(records.length / 2), records.length]) {
      await refuses(into, failing(records.slice(0, count)), `an end after ${count} records`);
      await isEmpty(into);
    }
    await restores(into, records);
  });

  define('leaves nothing where two records have one key, or one integer', async (stores) => {
    await refusesAll(stores, twice);
  });

  define('leaves nothing where a record is under one that did not come', async (stores) => {
    await refusesAll(stores, orphans);
  });

  define('leaves nothing where what comes is not a record', async (stores) => {
    await refusesAll(stores, strangers);
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

async function recordsOf(stores: Stores): Promise<readonly ArchiveRecord[]> {
  const from = await stores.from();
  await fill(from);
  return dumped(from);
}

async function* failing(records: readonly ArchiveRecord[]): AsyncGenerator<ArchiveRecord> {
  yield* records;
  throw new Error('the source of the records failed');
}

/** Asserts that a store refuses each of these, releases their source, and is still empty. */
async function refusesAll(
  stores: Stores,
  breaking: (records: readonly ArchiveRecord[]) => Broken,
): Promise<void> {
  const records = await recordsOf(stores);
  const into = await stores.into();
  for (const [what, broken] of breaking(records)) {
    let isReleased = false;
    const source = async function* () {
      try {
        yield* broken;
      } finally {
        isReleased = true;
      }
    };
    await refuses(into, source(), what);
    check(isReleased, `the source of ${what} is released`);
    equal(await dumped(into), [], `nothing is dumped after ${what}`);
  }
  await isEmpty(into);
  await restores(into, records);
}

async function restores(
  into: StoreArchiveSubject,
  records: readonly ArchiveRecord[],
): Promise<void> {
  equal(await into.archive.restore(streamed(records)), records.length, 'all of them, then');
  equal(ordered(await dumped(into)), ordered(records), 'and they are there');
}

async function isEmpty(store: StoreArchiveSubject): Promise<void> {
  equal(await dumped(store), [], 'nothing is dumped');
  const all = { direction: 'older', from: undefined, limit: 10 } as const;
  for (const tenant of tenants) {
    equal(await ask(store.deals.list(tenant, {}, all)), [], 'nothing is listed');
    equal(await allEvents(store, tenant), [], 'nothing is logged');
  }
  equal(await ask(store.tenants(undefined, 10)), [], 'nobody has written');
}
