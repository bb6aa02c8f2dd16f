import type { AnyRow, RecordKind, Tenant } from 'dealwright/ports';

/**
 * A stored record: a write replaces its row, and never modifies it. The attempt and the version are
 * kept beside the row of the write: V8 copies an object fast, and is slow to add members to the
 * copy.
 */
export interface Entry {
  readonly tenant: Tenant;
  readonly attempt: string;
  readonly version: number | undefined;
  row: AnyRow;
  /** Whether attempt and version were added to the row, as the first read does. */
  isWhole: boolean;
  /** The records under this one, by kind, in the order of their keys. */
  parts: Partial<Record<RecordKind, Entry[]>> | undefined;
}

/** The row of a record as a store returns it: it must not be modified. */
export function wholeRow(entry: Entry): AnyRow {
  if (!entry.isWhole) {
    const { row, attempt, version } = entry;
    // a spread with more members makes an object with slow look-ups in V8
    entry.row = Object.assign({}, row, version === undefined ? { attempt } : { attempt, version });
    entry.isWhole = true;
  }
  return entry.row;
}
