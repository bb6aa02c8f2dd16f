import { createMemoryStore } from 'dealwright/memory';
import {
  type AnyRow,
  type ArchiveRecord,
  type Kind,
  type Store,
  type StoreArchive,
  shapeOf,
  records as table,
} from 'dealwright/ports';
import type { StoreArchiveSubject } from 'dealwright/spec';

type Records = readonly ArchiveRecord[];

/** Stores with a mistake each in their archive, and the case of the contract that finds it. */
export type BrokenArchives = Readonly<
  Record<string, { readonly make: () => StoreArchiveSubject; readonly foundBy: string }>
>;

/** A store with a correct archive, to break. */
export function createGoodArchive(): StoreArchiveSubject {
  return { ...createMemoryStore(), close: async () => {} };
}

/** A good store with other methods in its archive. */
export function archiving(
  change: (good: StoreArchive) => Partial<StoreArchive>,
): StoreArchiveSubject {
  const store = createGoodArchive();
  return { ...store, archive: { ...store.archive, ...change(store.archive) } };
}

/** A good store that reserves integers in another way. */
export function reserving(
  change: (good: Store['reserve']) => Store['reserve'],
): StoreArchiveSubject {
  const store = createGoodArchive();
  return { ...store, reserve: change(store.reserve) };
}

export async function listOf(records: AsyncIterable<ArchiveRecord>): Promise<ArchiveRecord[]> {
  const all: ArchiveRecord[] = [];
  for await (const record of records) all.push(record);
  return all;
}

export async function* streamed(records: Iterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord> {
  yield* records;
}

/** An archive that changes its dump. */
export const redumped = (change: (records: Records) => Records) => () =>
  archiving(({ dump }) => ({
    dump: async function* () {
      yield* change(await listOf(dump()));
    },
  }));

/** An archive that changes the records to restore. */
export const sifted = (change: (records: Records) => Records) => () =>
  archiving(({ restore }) => ({
    restore: async (records) => restore(streamed(change(await listOf(records)))),
  }));

/** All kinds of records. */
export const kinds = Object.keys(table) as Kind[];

/** The row of a record of any kind. */
export const rowIn = ({ row }: ArchiveRecord) => row as AnyRow;

/** The owner of a record, and its key. */
export function claimOf({ kind, tenant, row }: ArchiveRecord): string {
  const { of, key } = shapeOf(kind);
  const owner = of === 'tenant' ? tenant : tenant.environment;
  return JSON.stringify([kind, owner, (row as AnyRow)[key]]);
}
