import { type ArchiveRecord, isStored, type Kind, shapeOf, ulidOf } from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  archiving,
  type BrokenArchives,
  claimOf,
  kinds,
  listOf,
  reserving,
  rowIn,
  sifted,
  streamed,
} from './archive-parts.js';
import { cutMoney } from './store-parts.js';

const same = 'is the same in another store, after any sequence of writes';
const many = 'keeps any number of records';
const endedEarly = 'leaves nothing where the records end early';
const claims = 'leaves nothing where two records have one key, or one integer';
const orphans = 'leaves nothing where a record is under one that did not come';
const notRecords = 'leaves nothing where what comes is not a record';

async function* withoutId(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord> {
  yield* records;
}

const withId = (records: AsyncIterable<ArchiveRecord>, id: string) =>
  Object.assign(withoutId(records), { identity: async () => id });

const freshId = () => ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

/** Stores whose restores are wrong. */
export const brokenRestores: BrokenArchives = {
  'keeps its own id, whatever comes with the records': {
    make: () =>
      archiving(({ restore }) => ({ restore: async (records) => restore(withoutId(records)) })),
    foundBy: 'takes the id of the store over, also in the place of its own',
  },
  'has a new id after each restore': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) => restore(withId(records, freshId())),
      })),
    foundBy: 'leaves a store its own id where none comes with the records',
  },
  'takes any text for an id': {
    make: () => archiving(({ restore }) => ({ restore: (records) => restore(withoutId(records)) })),
    foundBy: 'refuses an id that is not one, and keeps nothing of it',
  },
  'counts deals alone': {
    make: () =>
      archiving(({ dump, restore }) => ({
        restore: async (records) => {
          await restore(records);
          return (await listOf(dump())).filter(({ kind }) => kind === 'deal').length;
        },
      })),
    foundBy: same,
  },
  'keeps the first thousand of each kind': {
    make: sifted((records) =>
      kinds.flatMap((each) => records.filter((record) => record.kind === each).slice(0, 1000)),
    ),
    foundBy: many,
  },
  'keeps 18 digits of money': {
    make: sifted((records) =>
      records.map((each) => ({ ...each, row: cutMoney(each.kind, each.row) }) as ArchiveRecord),
    ),
    foundBy: 'answers all that its ports are asked as the first store does',
  },
  'fails where nothing comes': {
    make: sifted((records) => {
      if (records.length === 0) throw new Error('there are no records');
      return records;
    }),
    foundBy: 'has nothing to give of an empty store',
  },
  'reserves integers that are low': {
    make: () =>
      reserving((reserve) => async (...given) => {
        const first = await reserve(...given);
        return first.map((id) => id % 2 ** 40);
      }),
    foundBy: 'reserves integers above all that came',
  },
  'reserves an integer beyond the last': {
    make: () =>
      reserving((reserve) => async (...given) => {
        const first = await reserve(...given);
        return first.isOk() ? first : ok(2 ** 53);
      }),
    foundBy: 'reserves no integer beyond the last, and says so',
  },
  'gives an integer that somebody else has another value': {
    make: sifted((records) => {
      const owners = new Map<string, string>();
      return records.map((record) => {
        const number = kinds.includes(record?.kind) ? shapeOf(record.kind).number : undefined;
        if (number === undefined) return record;
        const id = Number(rowIn(record)[number]);
        const name = `${record.kind} ${record.tenant.environment} ${id}`;
        const owner = owners.get(name) ?? record.tenant.partner;
        owners.set(name, owner);
        if (owner === record.tenant.partner) return record;
        return { ...record, row: { ...record.row, [number]: id + 2 ** 41 } } as ArchiveRecord;
      });
    }),
    foundBy: claims,
  },
  'keeps what came before the records ended early': {
    make: () =>
      archiving(({ restore }) => ({
        restore: async (records) => {
          const all: ArchiveRecord[] = [];
          try {
            for await (const record of records) all.push(record);
          } catch (error) {
            await restore(streamed(all));
            throw error;
          }
          return restore(streamed(all));
        },
      })),
    foundBy: endedEarly,
  },
  'takes records that end early for all': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) =>
          restore(
            (async function* () {
              try {
                yield* records;
              } catch {
                // treat it as the end
              }
            })(),
          ),
      })),
    foundBy: endedEarly,
  },
  'takes the first of two with one key': {
    make: sifted((records) => {
      const known = new Set<string>();
      return records.filter((record) => known.size !== known.add(claimOf(record)).size);
    }),
    foundBy: claims,
  },
  'takes two events of one id': {
    make: sifted((records) => {
      const known = new Set<string>();
      return records.filter(
        (record) => record.kind !== 'event' || known.size !== known.add(claimOf(record)).size,
      );
    }),
    foundBy: claims,
  },
  'never releases the source of the records': {
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
  'skips what is not a record': {
    make: sifted((records) =>
      records.filter((record) => kinds.includes(record?.kind) && isStored(record.kind, record.row)),
    ),
    foundBy: notRecords,
  },
  'skips what is of no kind': {
    make: sifted((records) => records.filter((record) => kinds.includes(record?.kind))),
    foundBy: notRecords,
  },
  'skips records under one that did not come': {
    make: sifted((records) => {
      const known = new Set(records.map(claimOf));
      return records.filter((record) => {
        const { under } = shapeOf(record.kind);
        const parent = { ...record, kind: under?.kind, row: {} } as ArchiveRecord;
        const key = under && rowIn(record)[under.by];
        const row = under && { [shapeOf(under.kind as Kind).key]: key ?? null };
        return under === undefined || known.has(claimOf({ ...parent, row } as ArchiveRecord));
      });
    }),
    foundBy: orphans,
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
