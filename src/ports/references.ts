import type { AnyRow, RecordKind } from '../domain/records/records.js';
import type { JudgedStore, Where } from './judge.js';
import type { WriteSet } from './write-set.js';

/** A record that a write expects or changes. */
export interface RecordReference {
  readonly kind: RecordKind;
  readonly key: string | number;
}

/** A count of records that a write expects, as in `JudgedStore.count`. */
export interface CountReference {
  readonly kind: RecordKind;
  readonly under: string | undefined;
  readonly where: Where;
  /**
   * The least number that an expectation wants them to be fewer than. If they are known to be fewer
   * than this, such as all records under one without regard to `where`, any number below it will do.
   */
  readonly than: number;
}

/** All records and counts that a store has to read for a write, each once. */
export interface References {
  /** Of the expectations, the changes and the subject. */
  readonly records: readonly RecordReference[];
  readonly counts: readonly CountReference[];
  /** The values read, in the order of `records` and of `counts`, in the form for `judge`. */
  found(rows: readonly (AnyRow | undefined)[], counts: readonly number[]): JudgedStore;
}

/**
 * Names all that a store has to read for a write, so that one with an asynchronous database reads
 * it first, and then judges: `judge` asks for nothing else. Read it in the transaction that writes,
 * or under the lock.
 *
 * @example
 * ```ts
 * import { type AnyRow, judge, referencesOf, type Judgement, type WriteSet } from 'dealwright/ports';
 *
 * declare function load(kind: string, key: string | number): Promise<AnyRow | undefined>;
 * declare function count(kind: string, under: string | undefined, where: object): Promise<number>;
 *
 * async function judgeLater(write: WriteSet): Promise<Judgement> {
 *   const { records, counts, found } = referencesOf(write);
 *   const rows = await Promise.all(records.map(({ kind, key }) => load(kind, key)));
 *   const sizes = await Promise.all(counts.map((each) => count(each.kind, each.under, each.where)));
 *   return judge(write, found(rows, sizes));
 * }
 * ```
 */
export function referencesOf({ expect, change, subject }: WriteSet): References {
  const records = new Map<string, RecordReference>();
  const counts = new Map<string, CountReference>();
  const refer = ({ kind, key }: RecordReference) => records.set(nameOf(kind, key), { kind, key });
  for (const each of expect) {
    if ('fewer' in each) {
      const { fewer: kind, under, where = {} } = each;
      const name = nameOf(kind, under, where);
      const than = Math.min(each.than, counts.get(name)?.than ?? each.than);
      counts.set(name, { kind, under, where, than });
    } else {
      refer({ kind: 'absent' in each ? each.absent : each.present, key: each.key });
    }
  }
  for (const each of change) refer(each);
  if (subject) refer(subject);
  return {
    records: [...records.values()],
    counts: [...counts.values()],
    found(rows, sizes) {
      const rowOf = inOrder(records, rows);
      const sizeOf = inOrder(counts, sizes);
      return {
        find: (kind, key) => rowOf.get(nameOf(kind, key)),
        count: (kind, under, where) => sizeOf.get(nameOf(kind, under, where)) ?? 0,
      };
    },
  };
}

function nameOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function inOrder<T>(named: ReadonlyMap<string, unknown>, values: readonly T[]) {
  return new Map([...named.keys()].map((name, at) => [name, values[at]]));
}
