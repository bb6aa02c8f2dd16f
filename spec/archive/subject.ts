import {
  type Json,
  type Kind,
  records,
  shapeOf,
  type Value,
} from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { ArchiveRecord, StoreArchive } from '../../src/ports/store-archive.js';
import { type Opened, opening } from '../contract.js';
import { check } from '../expectations.js';
import { groupsOf } from '../laws.js';
import type { StoreSubject } from '../store/subject.js';

/**
 * The subject of the suite of archives: an empty store with its archive.
 */
export interface StoreArchiveSubject extends StoreSubject {
  readonly archive: StoreArchive;
}

/** Makes an empty store. */
export type MakeSubject = () => StoreArchiveSubject | PromiseLike<StoreArchiveSubject>;

/** The stores of a case. */
export interface Stores {
  /** An empty store to dump from. */
  from(): Promise<StoreArchiveSubject>;
  /** An empty store to restore into. */
  into(): Promise<StoreArchiveSubject>;
  /** Closes all that were made so far. */
  close(): Promise<void>;
}

/** Makes a group of laws about archives. */
export const group = groupsOf<Stores>();

/** Lets a case make stores, and closes them after it, whether it passes or fails. */
export function openingStores(
  makeFrom: MakeSubject,
  makeInto: MakeSubject,
): () => Promise<Opened<Stores>> {
  return opening((): Stores => {
    const open: StoreArchiveSubject[] = [];
    const opened = (make: MakeSubject) => async () => {
      const store = await make();
      open.push(store);
      return store;
    };
    const close = async () => {
      for (let last = open.pop(); last !== undefined; last = open.pop()) await last.close();
    };
    return { from: opened(makeFrom), into: opened(makeInto), close };
  });
}

/** All records of a store. */
export async function dumped(store: StoreArchiveSubject): Promise<ArchiveRecord[]> {
  await store.settled?.();
  const all: ArchiveRecord[] = [];
  for await (const record of store.archive.dump()) all.push(record);
  return all;
}

/** Records one by one, as an archive reads them. */
export async function* streamed(all: Iterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord> {
  yield* all;
}

/** Fails the case unless the store refuses the records. */
export async function refuses(
  { archive }: StoreArchiveSubject,
  given: AsyncIterable<ArchiveRecord>,
  what: string,
): Promise<void> {
  let refused = false;
  try {
    await archive.restore(given);
  } catch {
    refused = true;
  }
  check(refused, `${what} is refused`);
}

/** All kinds, in the order in which a dump has them. */
export const kinds = Object.keys(records) as readonly Kind[];

/** The place of a record's kind in a dump. */
export function rankOf({ kind }: ArchiveRecord): number {
  return kinds.indexOf(kind);
}

/** The row of a record, of any kind. */
export function rowIn({ row }: ArchiveRecord): Readonly<Record<string, Value | Json>> {
  return row;
}

/** The record with other members in its row, and perhaps of another tenant. */
export function changed(
  { kind, tenant, row }: ArchiveRecord,
  members: Readonly<Record<string, Value | Json>>,
  of: Tenant = tenant,
): ArchiveRecord {
  return { kind, tenant: of, row: { ...row, ...members } } as ArchiveRecord;
}

/** A copy that shares nothing with the original. */
export function copyOf(record: ArchiveRecord): ArchiveRecord {
  return changed(record, {}, { ...record.tenant });
}

/**
 * Sorts records so that those of two stores compare. Records that an archive may give in any order
 * get one order; deals and events of a tenant keep theirs.
 */
export function ordered(all: readonly ArchiveRecord[]): readonly ArchiveRecord[] {
  const nameOf = (record: ArchiveRecord) => {
    const { kind, tenant } = record;
    const { of, key } = shapeOf(kind);
    const owner = of === 'tenant' ? [tenant.environment, tenant.partner] : [tenant.environment];
    const hasOrder = kind === 'deal' || kind === 'event';
    return JSON.stringify([rankOf(record), ...owner, ...(hasOrder ? [] : [rowIn(record)[key]])]);
  };
  return all
    .map((record) => ({ name: nameOf(record), record }))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
    .map(({ record }) => record);
}
