import { formatMoney, fromMinorUnits, parseMoney } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import {
  type AnyRow,
  type ArchiveRecord,
  isStored,
  type Kind,
  type Store,
  type StoreArchive,
  shapeOf,
  records as table,
  type Value,
} from 'dealwright/ports';
import type { StoreArchiveSubject } from 'dealwright/spec';
import { ok } from 'neverthrow';

type Records = readonly ArchiveRecord[];
type Row = Readonly<Record<string, Value>>;

/** A store with an archive without a fault, to break. */
export function createGoodArchive(): StoreArchiveSubject {
  return { ...createMemoryStore(), close: async () => {} };
}

/** A good store with other methods in its archive. */
function archiving(change: (good: StoreArchive) => Partial<StoreArchive>): StoreArchiveSubject {
  const store = createGoodArchive();
  return { ...store, archive: { ...store.archive, ...change(store.archive) } };
}

/** A good store that reserves integers in another way. */
function reserving(change: (good: Store['reserve']) => Store['reserve']): StoreArchiveSubject {
  const store = createGoodArchive();
  return { ...store, reserve: change(store.reserve) };
}

async function listOf(records: AsyncIterable<ArchiveRecord>): Promise<ArchiveRecord[]> {
  const all: ArchiveRecord[] = [];
  for await (const record of records) all.push(record);
  return all;
}

async function* streamed(records: Iterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord> {
  yield* records;
}

/** One that gives what this makes of a dump. */
const redumped = (change: (records: Records) => Records) => () =>
  archiving(({ dump }) => ({
    dump: async function* () {
      yield* change(await listOf(dump()));
    },
  }));

/** One that gives other members in the rows of these kinds. */
const rewritten = (kinds: readonly Kind[], change: (row: Row, kind: Kind) => Row) =>
  redumped((records) =>
    records.map((record) =>
      kinds.includes(record.kind)
        ? ({
            ...record,
            row: { ...record.row, ...change(record.row, record.kind) },
          } as ArchiveRecord)
        : record,
    ),
  );

/** One that leaves these records out. */
const without = (isLeftOut: (record: ArchiveRecord) => boolean) =>
  redumped((records) => records.filter((record) => !isLeftOut(record)));

/** One that takes what this makes of the records that it is given. */
const sifted = (change: (records: Records) => Records) => () =>
  archiving(({ restore }) => ({
    restore: async (records) => restore(streamed(change(await listOf(records)))),
  }));

const kinds = Object.keys(table) as Kind[];

const rowIn = ({ row }: ArchiveRecord): AnyRow => row;

/** Whose a record is, and its key. */
function claimOf({ kind, tenant, row }: ArchiveRecord): string {
  const { of, key } = shapeOf(kind);
  const owner = of === 'tenant' ? tenant : tenant.environment;
  return JSON.stringify([kind, owner, (row as AnyRow)[key]]);
}

/** The records of these kinds the other way round, where the first of them comes. */
const reversed = (records: Records, isMeant: (record: ArchiveRecord) => boolean) => {
  const turned = records.filter(isMeant).reverse();
  return records.map((record) => (isMeant(record) ? (turned.shift() ?? record) : record));
};

const roundMoney = (row: Row, kind: Kind) =>
  Object.fromEntries(
    Object.entries(shapeOf(kind).fields)
      .filter(([, { type }]) => type === 'money')
      .map(([name]) => {
        const units = BigInt(Number(parseMoney(String(row[name])) ?? 0n));
        return [name, formatMoney(fromMinorUnits(units))];
      }),
  );

const same = 'is the same in another store, after any sequence of writes';
const asked = 'answers all that its ports are asked as the first store does';
const again = 'answers what is sent again as the first store does';
const cursors = 'goes on after the cursors that the first store gave';
const many = 'keeps any number of records';
const written = 'gives every record as it was written, whoever wrote it';
const order = 'gives kind by kind, deals as lists have them, events as logs do';
const moment = 'gives what was there at one moment, whatever is written meanwhile';
const sharing = 'shares nothing with the reader and the writer of records';
const endedEarly = 'leaves nothing where the records end early';
const claims = 'leaves nothing where two records have one key, or one integer';
const orphans = 'leaves nothing where a record is under one that did not come';
const notRecords = 'leaves nothing where what comes is not a record';

/** Stores with a mistake each in their archive, and a case that finds it. */
export const brokenArchives: Readonly<
  Record<string, { readonly make: () => StoreArchiveSubject; readonly foundBy: string }>
> = {
  'forgets the answers under idempotency keys': {
    make: without(({ kind }) => kind === 'answer'),
    foundBy: again,
  },
  'forgets the answers of work files': {
    make: without(({ kind, row }) => kind === 'answer' && /^work_file /.test(row.answer_key)),
    foundBy: again,
  },
  'forgets who registered a contractor': {
    make: redumped((records) =>
      records.map((record) =>
        record.kind === 'contractor'
          ? { ...record, tenant: { ...record.tenant, partner: 'somebody' } }
          : record,
      ),
    ),
    foundBy: written,
  },
  'forgets by which attempts deals were made': {
    make: rewritten(['deal'], () => ({ attempt: 'other' })),
    foundBy: again,
  },
  'forgets by which attempts contractors were made': {
    make: rewritten(['contractor'], () => ({ attempt: 'other' })),
    foundBy: written,
  },
  'loses the attempt of a stage': {
    make: rewritten(['stage'], () => ({ attempt: '' })),
    foundBy: written,
  },
  'forgets versions': { make: rewritten(['deal'], () => ({ version: 1 })), foundBy: asked },
  'loses the version of a contractor': {
    make: rewritten(['contractor'], ({ version }) => ({ version: Number(version) + 1 })),
    foundBy: same,
  },
  'rounds amounts': { make: rewritten(kinds, roundMoney), foundBy: asked },
  'writes JSON anew': {
    make: rewritten(['answer', 'event'], ({ answer, data }) => {
      const anew = (text: Value | undefined) => JSON.stringify(JSON.parse(String(text)));
      return data === undefined ? { answer: anew(answer) } : { data: anew(data) };
    }),
    foundBy: written,
  },
  'leaves work files out': { make: without(({ kind }) => kind === 'work_file'), foundBy: asked },
  'leaves production out': {
    make: without(({ tenant }) => tenant.environment === 'production'),
    foundBy: same,
  },
  'loses the last event': { make: redumped((records) => records.slice(0, -1)), foundBy: cursors },
  'gives the newest event first': {
    make: redumped((records) => reversed(records, ({ kind }) => kind === 'event')),
    foundBy: cursors,
  },
  'gives the last two events in another order': {
    make: redumped((records) => [...records.slice(0, -2), ...records.slice(-2).reverse()]),
    foundBy: cursors,
  },
  'gives the newest deal first': {
    make: redumped((records) => reversed(records, ({ kind }) => kind === 'deal')),
    foundBy: order,
  },
  'gives events before deals': {
    make: redumped((records) => [
      ...records.filter(({ kind }) => kind === 'contractor' || kind === 'event'),
      ...records.filter(({ kind }) => kind !== 'contractor' && kind !== 'event'),
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
        const kept = new Map<string, ArchiveRecord>();
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
        let kept: ArchiveRecord[] = [];
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
                // as if it were the end
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
