import type { ListedKind, RecordKind, RecordRange } from 'dealwright/ports';
import { byCodePoint } from './order.js';
import { type Entry, entryOf, type TenantTables } from './tables.js';

/** The records of a range, in the order of their keys. */
export function entriesIn(
  own: TenantTables,
  kind: ListedKind,
  { under, direction, after, limit }: RecordRange,
): readonly Entry[] {
  const { shape, byKey } = own.tables[kind];
  const parent = shape.under?.kind as RecordKind | undefined;
  const all =
    parent !== undefined && under !== undefined
      ? (entryOf(own, parent, under)?.parts?.[kind] ?? [])
      : [...byKey.values()];
  const sign = direction === 'ascending' ? 1 : -1;
  const keyOf = ({ row }: Entry) => String(row[shape.key]);
  return all
    .filter((entry) => after === undefined || sign * byCodePoint(keyOf(entry), after) > 0)
    .sort((a, b) => sign * byCodePoint(keyOf(a), keyOf(b)))
    .slice(0, limit);
}
