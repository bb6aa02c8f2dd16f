import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { check, equal } from '../expectations.js';
import { acme, allEvents, ask } from '../store/subject.js';
import { createDeal, registration } from '../store/writes.js';
import { type Broken, orphans, strangers, twice } from './claims.js';
import { fill, tenants } from './filled.js';
import {
  dumped,
  group,
  ordered,
  refuses,
  type StoreArchiveSubject,
  type Stores,
  streamed,
} from './subject.js';

/** A failed restore leaves nothing, and stored records stay unchanged. */
export const refusals = group(
  'refusals',
  {
    must: {
      '8/archive/not-empty':
        'A restore into a store that has a record is refused, and the store stays as it was.',
      '8/archive/broken-source':
        'A restore whose source of records fails is refused, leaves the store empty, and can be tried again.',
      '8/archive/duplicates':
        'A restore of two records with the same key or the same integer is refused, and leaves the store empty.',
      '8/archive/orphans':
        "A restore of a record whose parent is missing, or is another tenant's, is refused, and leaves the store empty.",
      '8/archive/malformed-records':
        'A restore of a value that is not a record is refused, and leaves the store empty.',
      '8/archive/restores-at-once':
        'Of several restores into one store at the same time at most one succeeds, and all of its records are there, or none.',
    },
  },
  (define) => {
    define('8/archive/not-empty', async (stores) => {
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

    define('8/archive/broken-source', async (stores) => {
      const records = await recordsOf(stores);
      const into = await stores.into();
      for (const count of [0, 1, Math.floor(records.length / 2), records.length]) {
        await refuses(into, failing(records.slice(0, count)), `an end after ${count} records`);
        await isEmpty(into);
      }
      await restores(into, records);
    });

    define('8/archive/duplicates', async (stores) => {
      await refusesAll(stores, twice);
    });

    define('8/archive/orphans', async (stores) => {
      await refusesAll(stores, orphans);
    });

    define('8/archive/malformed-records', async (stores) => {
      await refusesAll(stores, strangers);
    });

    define('8/archive/restores-at-once', async (stores) => {
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
  },
);

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
