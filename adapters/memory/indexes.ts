import {
  type AnyRow,
  type Indexed,
  type IndexRange,
  indexedFields,
  type RecordKind,
  type Value,
} from 'dealwright/ports';
import { byCodePoint } from '../shared/code-points.js';
import { type Entry, wholeRow } from './entry.js';

/** The place of a record in an index: its values; no text contains U+0000. */
interface Place {
  readonly at: string;
  readonly entry: Entry;
}

/** One index of the records of a kind, in its order. */
interface Index {
  readonly fields: readonly string[];
  readonly places: Place[];
  readonly placed: Map<Entry, string>;
}

/**
 * The indexes of the records of a kind, of one tenant or of all of an environment. Each is made at
 * its first use: until then a write does nothing for it.
 */
export interface Indexes {
  /** Moves a record to its present places. */
  note(entry: Entry): void;
  delete(entry: Entry): void;
  find(range: IndexRange): readonly Entry[];
}

/** Makes the indexes of these records. */
export function createIndexes(all: () => Iterable<Entry>): Indexes {
  const indexes = new Map<string, Index>();
  const indexOf = (fields: readonly string[]): Index => {
    const name = fields.join();
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const placed = new Map<Entry, string>();
    for (const entry of all()) {
      const at = placeIn(fields, entry);
      if (at !== undefined) placed.set(entry, at);
    }
    const places = [...placed].map(([entry, at]) => ({ at, entry }));
    const made = { fields, places: places.sort((a, b) => byCodePoint(a.at, b.at)), placed };
    indexes.set(name, made);
    return made;
  };
  return {
    note(entry) {
      for (const index of indexes.values()) put(index, entry, placeIn(index.fields, entry));
    },
    delete(entry) {
      for (const index of indexes.values()) put(index, entry, undefined);
    },
    find({ index, equal, from, to, direction, after, limit }) {
      const { places } = indexOf(index);
      const prefix = equal.map((value) => `${value}\0`).join('');
      // U+0001 comes after the end of a value, and before all longer ones
      const end = prefix === '' ? places.length : first(places, `${prefix.slice(0, -1)}\u0001`);
      let low = first(places, `${prefix}${from ?? ''}`);
      let high = to === undefined ? end : Math.min(end, first(places, `${prefix}${to}`));
      if (after !== undefined) {
        const at = `${prefix}${after.join('\0')}`;
        if (direction === 'ascending') low = Math.max(low, first(places, `${at}\0`));
        else high = Math.min(high, first(places, at));
      }
      const found =
        direction === 'ascending'
          ? places.slice(low, Math.min(high, low + limit))
          : places.slice(Math.max(low, high - limit), Math.max(low, high)).reverse();
      return found.map(({ entry }) => entry);
    },
  };
}

function put({ places, placed }: Index, entry: Entry, at: string | undefined): void {
  const before = placed.get(entry);
  if (before === at) return;
  if (before !== undefined) {
    let index = first(places, before);
    // records may have the same values
    while (places[index]?.entry !== entry) index += 1;
    places.splice(index, 1);
    placed.delete(entry);
  }
  if (at === undefined) return;
  placed.set(entry, at);
  places.splice(first(places, at), 0, { at, entry });
}

function placeIn(fields: readonly string[], { row, attempt }: Entry): string | undefined {
  const values: Value[] = [];
  for (const field of fields) {
    const value = field === 'attempt' ? attempt : (row[field] ?? null);
    if (value === null) return undefined;
    values.push(value);
  }
  return values.join('\0');
}

/** The index of the first place that is not before this one. */
function first(places: readonly Place[], at: string): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoint((places[middle] as Place).at, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A record as a caller gets it: it shares nothing with the stored one. */
export function indexed<K extends RecordKind>(kind: K, entry: Entry): Indexed<K> {
  const row = wholeRow(entry);
  const shown: AnyRow =
    kind === 'deal'
      ? Object.fromEntries(indexedFields.map((field) => [field, row[field] ?? null]))
      : { ...row };
  return { partner: entry.tenant.partner, row: shown as Indexed<K>['row'] };
}
