import { formatMoney, fromMinorUnits, parseMoney } from 'dealwright';
import { type ArchiveRecord, type Kind, shapeOf, type Value } from 'dealwright/ports';
import {
  archiving,
  type BrokenArchives,
  claimOf,
  kinds,
  listOf,
  redumped,
  streamed,
} from './archive-parts.js';

type Row = Readonly<Record<string, Value>>;

/** An archive with other members in the rows of these kinds. */
const rewritten = (kinds: readonly Kind[], change: (row: Row, kind: Kind) => Row) =>
  redumped((records) =>
    records.map((record) =>
      kinds.includes(record.kind)
        ? ({
            ...record,
            row: { ...record.row, ...change(record.row as Row, record.kind) },
          } as ArchiveRecord)
        : record,
    ),
  );

/** An archive without these records. */
const without = (isLeftOut: (record: ArchiveRecord) => boolean) =>
  redumped((records) => records.filter((record) => !isLeftOut(record)));

/** The records of these kinds in reverse order, at the place of the first of them. */
const reversed = (
  records: readonly ArchiveRecord[],
  isMeant: (record: ArchiveRecord) => boolean,
) => {
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

const same = '8/archive/any-writes';
const asked = '8/archive/same-reads';
const again = '2.7/archive/repeated-writes';
const cursors = '7.6/archive/cursors';
const written = '8/archive/every-record';
const order = '8/archive/order';
const moment = '8/archive/one-moment';
const moved = '8/archive/id-moves';
const sharing = '8/archive/copies';

async function* streamedAll(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord> {
  yield* records;
}

/** Stores whose dumps are wrong. */
export const brokenDumps: BrokenArchives = {
  'does not tell the id of its store': {
    make: () => archiving(({ dump }) => ({ dump: () => streamedAll(dump()) })),
    foundBy: moved,
  },
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
    foundBy: '8/archive/left-early',
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
};
