import { fromMinorUnits } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { StoreArchive, StoreRecord } from 'dealwright/ports';
import type { StoreArchiveSubject } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { close, settle } from './store-parts.js';

/** A store with an archive without a fault, to break. */
export function createGoodArchive(): StoreArchiveSubject {
  return { ...createMemoryStore(), close };
}

/** A good store with other methods in its archive. */
function archiving(change: (good: StoreArchive) => Partial<StoreArchive>): StoreArchiveSubject {
  const store = createGoodArchive();
  return { ...store, archive: { ...store.archive, ...change(store.archive) } };
}

async function listOf(records: AsyncIterable<StoreRecord>): Promise<StoreRecord[]> {
  const all: StoreRecord[] = [];
  for await (const record of records) all.push(record);
  return all;
}

async function* streamed(records: Iterable<StoreRecord>): AsyncGenerator<StoreRecord> {
  yield* records;
}

/** One that gives what this makes of a dump. */
const redumped = (change: (records: StoreRecord[]) => readonly StoreRecord[]) => () =>
  archiving(({ dump }) => ({
    dump: async function* () {
      yield* change(await listOf(dump()));
    },
  }));

/** One that changes each record that it gives. */
const rewritten = (change: (record: StoreRecord) => StoreRecord) =>
  redumped((records) => records.map(change));

/** One that takes what this makes of the records that it is given. */
const sifted = (change: (records: StoreRecord[]) => readonly StoreRecord[]) => () =>
  archiving(({ restore }) => ({
    restore: async (records) => restore(streamed(change(await listOf(records)))),
  }));

const isDeal = ({ record }: StoreRecord) => record === 'deal' || record === 'deal_v2';

/** What a record lays claim to. */
function claimOf(record: StoreRecord): string {
  const { environment, partner } = record.tenant;
  switch (record.record) {
    case 'contractor':
      return JSON.stringify([environment, record.key]);
    case 'event':
      return record.event.id;
    default:
      return JSON.stringify([environment, partner, record.deal.partner_id]);
  }
}

const same = 'is the same in another store, after any sequence of writes';
const asked = 'answers all that its ports are asked as the first store does';
const again = 'answers what is sent again as the first store does';
const cursors = 'goes on behind the cursors that the first store gave';
const order = 'gives contractors, then deals as lists have them, then events';
const moment = 'gives what was there at one moment, whatever is written meanwhile';
const sharing = 'shares nothing with who reads and writes records';
const brokenOff = 'leaves nothing where the records break off';
const claims = 'leaves nothing where two records lay claim to the same';
const noRecord = 'leaves nothing where what comes is no record';

/** Stores with a mistake each in their archive, and a case that finds it. */
export const brokenArchives: Readonly<
  Record<string, { readonly make: () => StoreArchiveSubject; readonly foundBy: string }>
> = {
  'forgets idempotency keys': {
    make: rewritten((record) =>
      record.record === 'event' ? record : { ...record, idempotency: undefined },
    ),
    foundBy: again,
  },
  'forgets the keys of work files': {
    make: rewritten((record) =>
      record.record === 'deal' ? { ...record, work_file_keys: [] } : record,
    ),
    foundBy: again,
  },
  'forgets who registered a contractor': {
    make: rewritten((record) =>
      record.record === 'contractor'
        ? { ...record, tenant: { ...record.tenant, partner: record.key.register } }
        : record,
    ),
    foundBy: again,
  },
  'forgets by which attempts deals were made': {
    make: rewritten((record) => (isDeal(record) ? { ...record, event_id: 'other' } : record)),
    foundBy: again,
  },
  'forgets versions': {
    make: rewritten((record) => (isDeal(record) ? { ...record, version: 1 } : record)),
    foundBy: asked,
  },
  'rounds amounts': {
    make: rewritten((record) => {
      if (record.record !== 'deal') return record;
      const budget = fromMinorUnits(BigInt(Number(record.deal.budget)));
      return { ...record, deal: { ...record.deal, budget } };
    }),
    foundBy: asked,
  },
  'leaves work files out': {
    make: rewritten((record) => {
      if (record.record !== 'deal') return record;
      const stages = record.deal.stages.map((stage) => ({ ...stage, work_files: [] }));
      return { ...record, deal: { ...record.deal, stages }, work_file_keys: [] };
    }),
    foundBy: asked,
  },
  'leaves production out': {
    make: redumped((records) => records.filter(({ tenant }) => tenant.environment === 'sandbox')),
    foundBy: same,
  },
  'loses the last event': { make: redumped((records) => records.slice(0, -1)), foundBy: cursors },
  'gives the newest event first': {
    make: redumped((records) => [
      ...records.filter(({ record }) => record !== 'event'),
      ...records.filter(({ record }) => record === 'event').reverse(),
    ]),
    foundBy: cursors,
  },
  'gives the newest deal first': {
    make: redumped((records) => [
      ...records.filter(({ record }) => record === 'contractor'),
      ...records.filter(isDeal).reverse(),
      ...records.filter(({ record }) => record === 'event'),
    ]),
    foundBy: order,
  },
  'gives events before deals': {
    make: redumped((records) => [
      ...records.filter((record) => !isDeal(record)),
      ...records.filter(isDeal),
    ]),
    foundBy: order,
  },
  'reads what was written meanwhile': {
    make: () =>
      archiving(({ dump }) => ({
        dump: async function* () {
          yield* (await listOf(dump())).slice(0, 1);
          yield* (await listOf(dump())).slice(1);
        },
      })),
    foundBy: moment,
  },
  'is busy for good once a reader left early': {
    make: () => {
      let isBusy = false;
      return archiving(({ dump }) => ({
        dump: async function* () {
          if (isBusy) throw new Error('a dump is under way');
          isBusy = true;
          yield* dump();
          isBusy = false;
        },
      }));
    },
    foundBy: 'may be left early, and read again',
  },
  'hands out what it keeps': {
    make: () =>
      archiving(({ dump }) => {
        const kept = new Map<string, StoreRecord>();
        return {
          dump: async function* () {
            for await (const record of dump()) {
              const known = kept.get(claimOf(record)) ?? record;
              kept.set(claimOf(record), known);
              yield known;
            }
          },
        };
      }),
    foundBy: sharing,
  },
  'keeps what it is given': {
    make: () =>
      archiving(({ dump, restore }) => {
        let kept: StoreRecord[] = [];
        return {
          dump: () => (kept.length === 0 ? dump() : streamed(kept)),
          restore: async (records) => {
            const given = await listOf(records);
            const count = await restore(streamed(given));
            kept = given;
            return count;
          },
        };
      }),
    foundBy: sharing,
  },
  'counts deals alone': {
    make: () =>
      archiving(({ dump, restore }) => ({
        restore: async (records) => {
          await restore(records);
          return (await listOf(dump())).filter(isDeal).length;
        },
      })),
    foundBy: same,
  },
  'gives ids that are low': {
    make: () => {
      const store = createGoodArchive();
      const add: typeof store.deals.add = async (...given) => {
        const outcome = await settle(store.deals.add(...given));
        return ok(
          outcome.outcome === 'created' ? { ...outcome, id: outcome.id % 2 ** 40 } : outcome,
        );
      };
      return { ...store, deals: { ...store.deals, add } };
    },
    foundBy: 'gives ids above all that came',
  },
  'gives an id behind the last': {
    make: () => {
      const store = createGoodArchive();
      const add: typeof store.deals.add = async (...given) => {
        const added = await store.deals.add(...given);
        return added.isOk() ? added : ok({ outcome: 'created', id: 2 ** 53, stage_ids: [] });
      };
      return { ...store, deals: { ...store.deals, add } };
    },
    foundBy: 'gives no id behind the last, and says so',
  },
  'gives an id that somebody else has another number': {
    make: sifted((records) => {
      const owners = new Map<string, string>();
      return records.map((record) => {
        if (record?.record !== 'deal') return record;
        const { deal, tenant } = record;
        const id = `${tenant.environment} ${deal.id}`;
        const owner = owners.get(id) ?? tenant.partner;
        owners.set(id, owner);
        return owner === tenant.partner
          ? record
          : { ...record, deal: { ...deal, id: deal.id + 2 ** 41 } };
      });
    }),
    foundBy: claims,
  },
  'keeps what came before the records broke off': {
    make: () =>
      archiving(({ restore }) => ({
        restore: async (records) => {
          const all: StoreRecord[] = [];
          try {
            for await (const record of records) all.push(record);
          } catch (error) {
            await restore(streamed(all));
            throw error;
          }
          return restore(streamed(all));
        },
      })),
    foundBy: brokenOff,
  },
  'takes records that break off for all': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) =>
          restore(
            (async function* () {
              try {
                yield* records;
              } catch {
                // as if it were the end
              }
            })(),
          ),
      })),
    foundBy: brokenOff,
  },
  'takes the first of two that claim the same': {
    make: sifted((records) => {
      const claims = new Set<string>();
      return records.filter((record) => claims.size !== claims.add(claimOf(record)).size);
    }),
    foundBy: claims,
  },
  'holds on to whoever gives the records': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) => {
          const reader = records[Symbol.asyncIterator]();
          const next = () => reader.next();
          return restore({ [Symbol.asyncIterator]: () => ({ next }) });
        },
      })),
    foundBy: claims,
  },
  'passes over what is no record': {
    make: sifted((records) =>
      records.filter(
        (record) => isDeal(Object(record)) || ['contractor', 'event'].includes(record?.record),
      ),
    ),
    foundBy: noRecord,
  },
  'passes over keys of no file': {
    make: sifted((records) =>
      records.map((record) => {
        if (record?.record !== 'deal') return record;
        const ids = new Set(
          record.deal?.stages.flatMap(({ work_files }) => work_files.map(({ id }) => id)),
        );
        const work_file_keys = record.work_file_keys?.filter(({ file_id }) => ids.has(file_id));
        return { ...record, work_file_keys };
      }),
    ),
    foundBy: noRecord,
  },
  'says nothing of a store that holds something': {
    make: () =>
      archiving(({ dump, restore }) => ({
        restore: async (records) => ((await listOf(dump())).length > 0 ? 0 : restore(records)),
      })),
    foundBy: 'refuses a store that holds something, which stays as it is',
  },
  'tells all of several at once that they won': {
    make: () => {
      let running = 0;
      return archiving(({ restore }) => ({
        restore: async (records) => {
          running += 1;
          try {
            return await restore(records);
          } catch (error) {
            if (running > 1) return 0;
            throw error;
          } finally {
            await Promise.resolve();
            running -= 1;
          }
        },
      }));
    },
    foundBy: 'lets one of several restores at once win at most',
  },
};
