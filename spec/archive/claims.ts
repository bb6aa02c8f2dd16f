import { type AnyRow, type Kind, shapeOf } from '../../src/domain/records/records.js';
import { membersOf } from '../../src/domain/records/stored.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import { equal } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { ask, nextId } from '../store/subject.js';
import { fill } from './filled.js';
import {
  changed,
  dumped,
  group,
  kinds,
  refuses,
  rowIn,
  type StoreArchiveSubject,
  streamed,
} from './subject.js';

/** Records that cannot be restored together, and the reason. */
export type Broken = readonly (readonly [what: string, records: readonly ArchiveRecord[]])[];

/** Far above all integers that stores have reserved. */
const far = 2 ** 40;

/** The first record of a kind: only this one is broken. */
function firstOf(records: readonly ArchiveRecord[], kind: Kind): ArchiveRecord {
  const found = records.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`a store that was filled has no ${kind}`);
  return found;
}

/** The records, with more of them after one. */
function after(
  records: readonly ArchiveRecord[],
  place: ArchiveRecord,
  ...more: readonly ArchiveRecord[]
): readonly ArchiveRecord[] {
  return records.flatMap((each) => (each === place ? [each, ...more] : [each]));
}

/** A key and an integer that no other record has. */
function freshNames({ kind }: ArchiveRecord): AnyRow {
  const { key, number } = shapeOf(kind);
  return { ...(key !== number && { [key]: nextId() }), ...(number && { [number]: far }) };
}

const otherPartner = ({ environment, partner }: Tenant): Tenant => ({
  environment,
  partner: `not ${partner}`,
});

/** For each kind: two records with one key, or one integer. */
export function twice(records: readonly ArchiveRecord[]): Broken {
  return kinds.flatMap((kind) => {
    const record = firstOf(records, kind);
    const { of, key, number, under } = shapeOf(kind);
    const again = { ...freshNames(record), [key]: rowIn(record)[key] ?? null };
    const sharer = of === 'environment' ? otherPartner(record.tenant) : record.tenant;
    const broken: (readonly [string, readonly ArchiveRecord[]])[] = [
      [`a ${kind} twice`, after(records, record, record)],
      [`the key of a ${kind} twice`, after(records, record, changed(record, again, sharer))],
    ];
    if (number === undefined) return broken;
    const taken = { [number]: rowIn(record)[number] ?? null };
    if (number !== key) {
      const other = changed(record, { ...freshNames(record), ...taken });
      broken.push([`the ${number} of a ${kind} twice`, after(records, record, other)]);
    }
    // its parent comes too, so that only the integer is refused
    const tenant = otherPartner(record.tenant);
    const parent = records.find(
      (each) =>
        each.kind === under?.kind &&
        JSON.stringify(each.tenant) === JSON.stringify(record.tenant) &&
        rowIn(each)[shapeOf(each.kind).key] === rowIn(record)[under.by],
    );
    const numberOfParent = parent && shapeOf(parent.kind).number;
    const moved =
      parent && changed(parent, numberOfParent ? { [numberOfParent]: far } : {}, tenant);
    const theirs = changed(record, {}, tenant);
    const withParent = parent && moved ? after(records, parent, moved) : records;
    broken.push([`the ${number} of another partner's ${kind}`, after(withParent, record, theirs)]);
    return broken;
  });
}

/** For each kind that is under another one: a record whose parent is not among those of its tenant. */
export function orphans(records: readonly ArchiveRecord[]): Broken {
  return kinds.flatMap((kind) => {
    const { under } = shapeOf(kind);
    if (under === undefined) return [];
    const record = firstOf(records, kind);
    const nobody = changed(record, { ...freshNames(record), [under.by]: 'nobody' });
    const theirs = changed(record, freshNames(record), otherPartner(record.tenant));
    const elsewhere = changed(record, freshNames(record), {
      environment: record.tenant.environment === 'sandbox' ? 'production' : 'sandbox',
      partner: 'nobody',
    });
    return [
      [`a ${kind} under no ${under.kind}`, after(records, record, nobody)],
      [`a ${kind} under another partner's ${under.kind}`, after(records, record, theirs)],
      [`a ${kind} in another environment`, after(records, record, elsewhere)],
      [`no ${under.kind} at all`, records.filter((each) => each.kind !== under.kind)],
    ] as const;
  });
}

/** What a program without types may give in place of a record, each beside good ones. */
export function strangers(records: readonly ArchiveRecord[]): Broken {
  const [first] = records;
  const strange: [string, ArchiveRecord | undefined, unknown][] = [
    ['nothing', first, undefined],
    ['null', first, null],
    ['no members', first, {}],
    ['a kind alone', first, { kind: 'deal' }],
    ['another kind', first, { ...first, kind: 'other' }],
    ['an inherited kind', first, { ...first, kind: 'constructor' }],
    ['another environment', first, { ...first, tenant: { environment: 'x', partner: 'acme' } }],
    ['no tenant', first, { ...first, tenant: undefined }],
  ];
  for (const kind of kinds) {
    const record = firstOf(records, kind);
    const { kind: _, tenant, row } = changed(record, freshNames(record));
    strange.push([`a ${kind} without a row`, record, { kind, tenant }]);
    const tried = new Set<string>();
    const { key, fields } = shapeOf(kind);
    for (const [name, { type }] of Object.entries(membersOf(kind))) {
      // one field of each type, and all that a store adds
      if (name === key || (tried.has(type) && fields[name] !== undefined)) continue;
      tried.add(type);
      const wrong = type === 'integer' ? '1' : 1;
      strange.push([
        `a ${kind} without ${name}`,
        record,
        { kind, tenant, row: { ...row, [name]: undefined } },
      ]);
      strange.push([
        `another type of ${name} in a ${kind}`,
        record,
        { kind, tenant, row: { ...row, [name]: wrong } },
      ]);
    }
  }
  return strange.map(([what, place, value]) => {
    const stranger = value as ArchiveRecord;
    return [what, place === undefined ? [stranger] : after(records, place, stranger)];
  });
}

const idOf = async (store: StoreArchiveSubject) =>
  store.identity === undefined ? undefined : ask(store.identity());

/** The id of a store moves with its records, if both stores have one. */
export const identity = group(
  'id',
  {
    must: {
      '8/archive/id-moves':
        'The id of a store moves with its records, and replaces any id that the other store has made.',
      '8/archive/id-stays':
        'A dump makes no id, and a store keeps its own id if none comes with the records.',
      '2.4/archive/malformed-id':
        'A restore with an id that is not a ULID is refused, and the store keeps its own id.',
    },
  },
  (define) => {
    define('8/archive/id-moves', async (stores) => {
      const from = await stores.from();
      await fill(from);
      const id = await idOf(from);
      for (const hasOwn of [false, true]) {
        const into = await stores.into();
        if (into.identity === undefined || id === undefined) notApplicable('the store has no id');
        if (hasOwn) await idOf(into);
        await from.settled?.();
        const records = from.archive.dump();
        equal(await records.identity?.(), id, 'the id that comes with the records');
        await into.archive.restore(records);
        equal(await idOf(into), id, 'the id of the other store');
        equal(await into.archive.dump().identity?.(), id, 'the id in its own archive');
      }
    });

    define('8/archive/id-stays', async (stores) => {
      const from = await stores.from();
      equal(await from.archive.dump().identity?.(), undefined, 'a store that has made none');
      await fill(from);
      const into = await stores.into();
      const own = await idOf(into);
      await into.archive.restore(streamed(await dumped(from)));
      equal(await idOf(into), own, 'the id');
    });

    define('2.4/archive/malformed-id', async (stores) => {
      const into = await stores.into();
      if (into.identity === undefined) notApplicable('the store has no id');
      const own = await idOf(into);
      const records = Object.assign(streamed([]), { identity: async () => 'not a ULID' });
      await refuses(into, records, 'an id that is not a ULID');
      equal(await idOf(into), own, 'the id');
    });
  },
);
