import type { AnyRow, RecordKind, Value } from '../domain/records/records.js';
import type { CommitOutcome, WriteSet } from './write-set.js';

/** The allowed values of some fields; other fields may have any value. */
export type Where = Readonly<Record<string, readonly Value[]>>;

/** The reads of a store that judging a write needs. */
export interface JudgedStore {
  /** The stored record with this key, with the attempt that made it. */
  find(kind: RecordKind, key: string | number): AnyRow | undefined;
  /**
   * The number of records of this kind under the one with this key, or of the tenant's if the kind
   * is under no other; of those, the ones whose fields have one of the values of `where`.
   */
  count(kind: RecordKind, under: string | undefined, where: Where): number;
}

/** The result of judging: with `holds`, nothing has been written yet. */
export type Judgement = CommitOutcome | { readonly outcome: 'holds' };

/**
 * Judges the expectations of a write in their order: whether they all hold, which one does not, or
 * that this very attempt was committed before. For stores that look records up one by one, in a
 * state that does not change meanwhile.
 *
 * @example
 * ```ts
 * import { judge, type WriteSet } from 'dealwright/ports';
 *
 * const judgeInEmptyStore = (write: WriteSet) =>
 *   judge(write, { find: () => undefined, count: () => 0 });
 * ```
 */
export function judge({ attempt, expect }: WriteSet, store: JudgedStore): Judgement {
  for (const [index, expected] of expect.entries()) {
    if ('absent' in expected) {
      const found = store.find(expected.absent, expected.key);
      if (found === undefined) continue;
      if (found['attempt'] === attempt) return { outcome: 'committed' };
      if (expected.absent !== 'answer') return refused(index);
      const { fingerprint, answer } = found;
      return {
        ...refused(index),
        first: { fingerprint: String(fingerprint), answer: String(answer) },
      };
    }
    const holds =
      'fewer' in expected
        ? store.count(expected.fewer, expected.under, expected.where ?? {}) < expected.than
        : isAsAsked(store.find(expected.present, expected.key), expected.where);
    if (!holds) return refused(index);
  }
  return { outcome: 'holds' };
}

function refused(expectation: number) {
  return { outcome: 'refused', expectation } as const;
}

function isAsAsked(found: AnyRow | undefined, where: Where = {}): boolean {
  return found !== undefined && fits(found, where);
}

/**
 * Says whether each field of `where` has one of its allowed values in a record.
 *
 * @example
 * ```ts
 * import { fits } from 'dealwright/ports';
 *
 * fits({ status: 'stored', size: 9 }, { status: ['stored', 'accepted'] }); // true
 * ```
 */
export function fits(row: AnyRow, where: Where): boolean {
  for (const field in where) {
    if (where[field]?.includes(row[field] ?? null) === false) return false;
  }
  return true;
}
