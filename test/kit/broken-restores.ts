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

const same = '8/archive/any-writes';
const many = '8/archive/any-number';
const endedEarly = '8/archive/broken-source';
const claims = '8/archive/duplicates';
const orphans = '8/archive/orphans';
const notRecords = '8/archive/malformed-records';

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
    foundBy: '8/archive/id-moves',
  },
  'has a new id after each restore': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) => restore(withId(records, freshId())),
      })),
    foundBy: '8/archive/id-stays',
  },
  'takes any text for an id': {
    make: () => archiving(({ restore }) => ({ restore: (records) => restore(withoutId(records)) })),
    foundBy: '2.4/archive/malformed-id',
  },
  'does not hear which fields the records lack': {
    make: () =>
      archiving(({ restore }) => ({
        restore: (records) =>
          restore(
            Object.assign(withoutId(records), { identity: async () => records.identity?.() }),
          ),
      })),
    foundBy: '8/archive/status-since',
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
    foundBy: '8/archive/same-reads',
  },
  'fails where nothing comes': {
    make: sifted((records) => {
      if (records.length === 0) throw new Error('there are no records');
      return records;
    }),
    foundBy: '8/archive/empty-store',
  },
  'reserves integers that are low': {
    make: () =>
      reserving((reserve) => async (...given) => {
        const first = await reserve(...given);
        return first.map((id) => id % 2 ** 40);
      }),
    foundBy: '2.4/archive/integers-above',
  },
  'reserves an integer beyond the last': {
    make: () =>
      reserving((reserve) => async (...given) => {
        const first = await reserve(...given);
        return first.isOk() ? first : ok(2 ** 53);
      }),
    foundBy: '2.4/archive/last-integer',
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
    foundBy: '8/archive/not-empty',
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
    foundBy: '8/archive/restores-at-once',
  },
};
