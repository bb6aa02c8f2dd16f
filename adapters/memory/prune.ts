import { type EndingKind, type RecordKind, shapeOf } from 'dealwright/ports';
import { byCodePoint } from '../shared/code-points.js';
import type { Entry } from './entry.js';
import { type Database, environments, type TenantTables } from './tables.js';

/** Deletes expired records without records under them; returns how many. */
export function prune(database: Database, kind: EndingKind, before: string, limit: number): number {
  let count = 0;
  for (const environment of environments) {
    for (const own of database[environment].tenants.values()) {
      for (const entry of endedIn(own, kind, before)) {
        if (count >= limit) return count;
        remove(own, kind, entry);
        count += 1;
      }
    }
  }
  return count;
}

function* endedIn(own: TenantTables, kind: EndingKind, before: string): Generator<Entry> {
  const { ends, under } = shapeOf(kind);
  const isParents = ends === 'parent' && under !== undefined;
  const { ending } = own.tables[isParents ? (under.kind as RecordKind) : kind];
  for (const entry of ending) {
    if (byCodePoint(String(entry.row['ends_at']), before) > 0) continue;
    if (isParents) yield* [...(entry.parts?.[kind] ?? [])];
    else if (Object.values(entry.parts ?? {}).every((parts) => parts.length === 0)) yield entry;
  }
}

function remove(own: TenantTables, kind: EndingKind, entry: Entry): void {
  const { byKey, ending, indexes, shape } = own.tables[kind];
  byKey.delete(entry.row[shape.key] as string);
  ending.delete(entry);
  indexes.delete(entry);
  own.across[kind].delete(entry);
  const { under } = shape;
  if (under === undefined) return;
  const parent = own.tables[under.kind as RecordKind].byKey.get(entry.row[under.by] as string);
  const siblings = parent?.parts?.[kind];
  const at = siblings?.indexOf(entry) ?? -1;
  if (at >= 0) siblings?.splice(at, 1);
}
