import { type RecordKind, shapeOf, type Value } from '../domain/records/records.js';
import { isStoredPart } from '../domain/records/stored.js';
import { isTenant } from '../domain/values/tenant.js';
import type { IndexOwner, IndexRange } from './store.js';

/**
 * Says whether a range is one of an index that the kind has, with values of the types of its
 * fields. A store that makes a query of the names, or takes them from outside, checks them with
 * this: a name of the table of fields needs no quotes.
 *
 * @example
 * ```ts
 * import { isIndexRange } from 'dealwright/ports';
 *
 * const range = { index: ['title'], equal: [], direction: 'ascending', limit: 1 } as const;
 * isIndexRange({ environment: 'sandbox' }, 'deal', range); // false: it goes on with `attempt`
 * ```
 */
export function isIndexRange(owner: IndexOwner, kind: RecordKind, range: IndexRange): boolean {
  const { indexes, across = [] } = shapeOf(kind);
  const { index, equal, from, to, after } = range;
  const isSame = (known: readonly string[]) =>
    known.length === index.length && known.every((field, at) => field === index[at]);
  const rest = index.slice(equal.length);
  const areOf = (fields: readonly string[], values: readonly (Value | undefined)[]) =>
    values.every((value, at) => {
      const field = fields[at] ?? '';
      // an index has no records without a value
      return value !== null && isStoredPart(kind, [field], { [field]: value });
    });
  const { environment, partner } = owner;
  return (
    isTenant({ environment, partner: partner ?? 'all' }) &&
    (partner === undefined ? across : indexes).some(isSame) &&
    rest.length > 0 &&
    areOf(index, equal) &&
    (after === undefined || (after.length === rest.length && areOf(rest, after))) &&
    [from, to].every((end) => end === undefined || areOf(rest, [end]))
  );
}
