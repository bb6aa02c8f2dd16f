import type { StoreArchive, StoreRecord } from '../../src/ports/store-archive.js';
import { type ContractRunner, check } from '../expectations.js';
import type { StoreSubject } from '../store/subject.js';

/**
 * What the suite of archives is run against: an empty store with its archive.
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

/** Defines a case that may make stores. */
export type DefineArchiveCase = (name: string, body: (stores: Stores) => Promise<void>) => void;

/** Closes the stores of each case, whatever becomes of it. */
export function caseWithStores(
  { it }: ContractRunner,
  makeFrom: MakeSubject,
  makeInto: MakeSubject,
): DefineArchiveCase {
  return (name, body) => {
    it(name, async () => {
      const open: StoreArchiveSubject[] = [];
      const opened = (make: MakeSubject) => async () => {
        const store = await make();
        open.push(store);
        return store;
      };
      const close = async () => {
        for (let last = open.pop(); last !== undefined; last = open.pop()) await last.close();
      };
      try {
        await body({ from: opened(makeFrom), into: opened(makeInto), close });
      } finally {
        await close();
      }
    });
  };
}

/** All records of a store. */
export async function dumped(store: StoreArchiveSubject): Promise<StoreRecord[]> {
  await store.settled?.();
  const records: StoreRecord[] = [];
  for await (const record of store.archive.dump()) records.push(record);
  return records;
}

/** Records one by one, as an archive takes them. */
export async function* streamed(records: Iterable<StoreRecord>): AsyncGenerator<StoreRecord> {
  yield* records;
}

/** Fails the case unless the store refuses the records. */
export async function refuses(
  { archive }: StoreArchiveSubject,
  records: AsyncIterable<StoreRecord>,
  what: string,
): Promise<void> {
  let refused = false;
  try {
    await archive.restore(records);
  } catch {
    refused = true;
  }
  check(refused, `${what} is refused`);
}

/** A copy that shares nothing with the original. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, copyOf(of)])) as T;
}

const kinds = ['contractor', 'deal', 'event'] as const;

/** Contractors come before deals, and these before events. */
export function rankOf({ record }: StoreRecord): number {
  return kinds.indexOf(record === 'deal_v2' ? 'deal' : record);
}

/**
 * Records so that those of two stores compare: what an archive may give in any order (contractors,
 * tenants, keys of files) is in one order, and what has an order keeps it.
 */
export function ordered(records: readonly StoreRecord[]): readonly StoreRecord[] {
  const nameOf = (record: StoreRecord) => {
    const { environment, partner } = record.tenant;
    const key = record.record === 'contractor' ? [record.key.register, record.key.email_key] : [];
    return JSON.stringify([rankOf(record), ...key, environment, partner]);
  };
  return records
    .map((record) => ({ name: nameOf(record), record: withKeysInOrder(record) }))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
    .map(({ record }) => record);
}

function withKeysInOrder(record: StoreRecord): StoreRecord {
  if (record.record !== 'deal') return record;
  const keys = [...record.work_file_keys].sort((a, b) => (a.file_id < b.file_id ? -1 : 1));
  return { ...record, work_file_keys: keys };
}
