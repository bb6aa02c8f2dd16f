import type { AnyRow, RecordShape } from 'dealwright/ports';
import { byCodePoint } from './order.js';

/** An entry of a timetable: its row is replaced when it changes. */
interface Entry {
  readonly row: AnyRow;
}

/** The records of a kind that have a `due_at`, in the order in which they are due. */
export interface Timetable<E extends Entry> {
  /** Moves a record to its present place, or removes it. */
  note(entry: E): void;
  /** Removes a record. */
  delete(entry: E): void;
  /** Those whose time has come, the longest overdue first. */
  due(before: string, limit: number, under?: string): readonly E[];
}

interface Place<E> {
  /**
   * Its parent, if due records are read by parent, its time and its key: no text contains U+0000.
   */
  readonly at: string;
  readonly entry: E;
}

/** Makes the timetable of a kind. */
export function createTimetable<E extends Entry>({ key, indexes }: RecordShape): Timetable<E> {
  const above = indexes.find((each) => each.at(-1) === 'due_at')?.slice(0, -1) ?? [];
  const places: Place<E>[] = [];
  const placed = new Map<E, string>();
  /** The index of the first place that is not before this one. */
  const find = (at: string): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byCodePoint((places[middle] as Place<E>).at, at) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const takeOut = (entry: E) => {
    const at = placed.get(entry);
    if (at !== undefined) places.splice(find(at), 1);
    placed.delete(entry);
  };
  return {
    delete: takeOut,
    note(entry) {
      const { row } = entry;
      const time = row['due_at'];
      if (time === null) return takeOut(entry);
      const at = [...above.map((name) => row[name]), time, row[key]].join('\0');
      if (placed.get(entry) === at) return;
      takeOut(entry);
      placed.set(entry, at);
      places.splice(find(at), 0, { at, entry });
    },
    due(before, limit, under = '') {
      const prefix = above.map(() => `${under}\0`).join('');
      const first = find(prefix);
      // after every key of this time
      const end = find(`${prefix}${before}\u{1}`);
      return places.slice(first, Math.min(end, first + limit)).map(({ entry }) => entry);
    },
  };
}
