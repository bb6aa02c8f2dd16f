import {
  type AnyRow,
  type Kind,
  listedFields,
  records,
  shapeOf,
  type Tenant,
  type Value,
} from 'dealwright/ports';
import { keyOf } from './keys.js';

/** A record as it is stored. */
export interface Entry {
  readonly kind: Kind;
  readonly row: AnyRow;
}

/**
 * The key of an entry about a kind: a record by its key, with copies of those that are read with it after it; the
 * key of a record by its number; how many are under one; an index of records by its fields and their
 * values; an event by its position.
 */
export function entryKey(
  entry: 'record' | 'number' | 'count' | 'index' | 'event',
  { environment, partner }: Tenant,
  kind: Kind,
  ...parts: readonly Value[]
): string {
  // no partner has an empty name
  return keyOf(entry, environment, shapeOf(kind).of === 'tenant' ? partner : '', kind, ...parts);
}

/** Where it is stored that a tenant has written, and how many events. */
export function tenantKey({ environment, partner }: Tenant): string {
  return keyOf('tenant', environment, partner);
}

/** The indexes of lists: each ends with the position in a list. */
export const listIndexes = (records.deal.indexes as readonly (readonly string[])[]).filter(
  (index) => index.at(-1) === 'attempt',
);

/** What an index has of a record, so that a list is one range: what is shown or filtered by. */
const indexedFields = new Set<string>([...listedFields, ...listIndexes.flat()]);

/** The index of the events of a subject, which have its entries as whole events. */
export const subjectIndex = 'subject,sequence';

/** The keys of the records of a kind that are under one, or of all of a tenant, begin with this. */
export function recordsKey(tenant: Tenant, kind: Kind, parent: string | undefined): string {
  const { under, isListed } = shapeOf(kind);
  if (under === undefined || parent === undefined) return entryKey('record', tenant, kind);
  if (isListed) return entryKey('index', tenant, kind, under.by, parent);
  return `${entryKey('record', tenant, under.kind as Kind, parent)} ${keyOf(kind)}`;
}

/** All that is stored of a record: itself, a copy under its parent, and the ways to find it. */
export function entriesOf(tenant: Tenant, { kind, row }: Entry): Map<string, unknown> {
  const { key, number, under, indexes, isTimed, isListed } = shapeOf(kind);
  const valueAt = (field: string) => row[field] ?? null;
  const own = entryKey('record', tenant, kind, valueAt(key));
  const entries = new Map<string, unknown>([[own, { kind, row }]]);
  if (under !== undefined && isListed) {
    // not after its parent, where a list of parents would pass over it
    const values = [under.by, valueAt(under.by), valueAt(key)];
    entries.set(entryKey('index', tenant, kind, ...values), { kind, row });
  } else if (under !== undefined) {
    const parent = entryKey('record', tenant, under.kind as Kind, valueAt(under.by));
    entries.set(`${parent} ${keyOf(kind, valueAt(key))}`, { kind, row });
  }
  if (number !== undefined) {
    entries.set(entryKey('number', tenant, kind, valueAt(number)), valueAt(key));
  }
  const shown = Object.entries(row).filter(([field]) => indexedFields.has(field));
  const listed = { kind, row: Object.fromEntries(shown) };
  for (const index of indexes) {
    const values = [...index, key].map(valueAt);
    // nobody asks for what has no value, as what is due at no time
    if (values.includes(null)) continue;
    // a read of what is due gives whole records, as they are at one moment: in one range
    const isWhole = isTimed && index.at(-1) === 'due_at';
    entries.set(
      entryKey('index', tenant, kind, index.join(), ...values),
      isWhole ? { kind, row } : listed,
    );
  }
  return entries;
}
