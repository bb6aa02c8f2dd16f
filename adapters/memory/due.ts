import { byCodePoint } from './order.js';
import type { Entry, Table } from './tables.js';

/** The records whose time has come, the longest overdue first. */
export function dueEntries(
  { shape, timed }: Table,
  before: string,
  limit: number,
): readonly Entry[] {
  const keyOf = ({ row }: Entry) => String(row[shape.key]);
  return [...timed]
    .filter((entry) => byCodePoint(timeOf(entry), before) <= 0)
    .sort((a, b) => byCodePoint(timeOf(a), timeOf(b)) || byCodePoint(keyOf(a), keyOf(b)))
    .slice(0, limit);
}

const timeOf = ({ row }: Entry) => String(row['due_at']);
