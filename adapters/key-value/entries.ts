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

/** Whose the records of a kind are: no partner has an empty name. */
function ownerOf({ environment, partner }: Tenant, kind: Kind): readonly string[] {
  return [environment, shapeOf(kind).of === 'tenant' ? partner : '', kind];
}

/** Where a record is; copies of those under it follow, kind by kind, in the order of their keys. */
export function recordKey(tenant: Tenant, kind: Kind, key: Value): string {
  return keyOf('record', ...ownerOf(tenant, kind), key);
}

/** Where the key of the record with this integer is. */
export function numberKey(tenant: Tenant, kind: Kind, number: Value): string {
  return keyOf('number', ...ownerOf(tenant, kind), number);
}

/** Where it is counted how many records of a kind are under one. */
export function countKey(tenant: Tenant, kind: Kind, under: Value): string {
  return keyOf('count', ...ownerOf(tenant, kind), under);
}

/** Where a record with these values is in an index. */
export function indexKey(
  tenant: Tenant,
  kind: Kind,
  index: readonly string[],
  values: readonly Value[],
): string {
  return keyOf('index', ...ownerOf(tenant, kind), index.join(), ...values);
}

/** Where an event is, by its position in the log of its tenant. */
export function eventKey(tenant: Tenant, position: number): string {
  return keyOf('event', ...ownerOf(tenant, 'event'), position);
}

/** Where it is stored that a tenant has written, and how many events. */
export function tenantKey({ environment, partner }: Tenant): string {
  return keyOf('tenant', environment, partner);
}

/** Where the last integer is that was reserved in an environment. */
export function reservedKey(environment: string): string {
  return keyOf('reserved', environment);
}

/** What an index has of a record, so that a list is one range: what is shown or filtered by. */
const indexedFields = new Set<string>([...listedFields, ...records.deal.indexes.flat()]);

/** All that is stored of a record: itself, a copy under its parent, and the ways to find it. */
export function entriesOf(tenant: Tenant, { kind, row }: Entry): Map<string, unknown> {
  const { key, number, under, indexes } = shapeOf(kind);
  const valueAt = (field: string) => row[field] ?? null;
  const entries = new Map<string, unknown>([
    [recordKey(tenant, kind, valueAt(key)), { kind, row }],
  ]);
  if (under !== undefined) {
    const parent = recordKey(tenant, under.kind as Kind, valueAt(under.by));
    entries.set(`${parent} ${keyOf(kind, valueAt(key))}`, { kind, row });
  }
  if (number !== undefined) {
    entries.set(numberKey(tenant, kind, valueAt(number)), valueAt(key));
  }
  const shown = Object.entries(row).filter(([field]) => indexedFields.has(field));
  const listed = { kind, row: Object.fromEntries(shown) };
  for (const index of indexes) {
    entries.set(indexKey(tenant, kind, index, [...index, key].map(valueAt)), listed);
  }
  return entries;
}
