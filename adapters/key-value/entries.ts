import {
  type AnyRow,
  type Environment,
  indexedFields,
  type Kind,
  records,
  type Stored,
  shapeOf,
  type Tenant,
  type Value,
} from 'dealwright/ports';

/** A record as it is stored. */
export interface Entry {
  readonly kind: Kind;
  readonly row: AnyRow;
}

/** The record of an entry: one from before an optional field was added has no value of it. */
export function rowOf<K extends Kind>({ kind, row }: Entry): AnyRow & Stored<K> {
  return { ...nulls[kind], ...row } as AnyRow & Stored<K>;
}

/** By kind: a `null` for each optional field. */
const nulls = Object.fromEntries(
  Object.keys(records).map((kind) => {
    const fields = Object.entries(shapeOf(kind as Kind).fields);
    const optional = fields.filter(([, { isOptional }]) => isOptional);
    return [kind, Object.fromEntries(optional.map(([name]) => [name, null]))];
  }),
) as Readonly<Record<Kind, AnyRow>>;

/**
 * The key of an entry about a kind. A record has its own key, and copies of the records under it
 * come after it. Other entries: the key of a record by its number; the number of records under one;
 * an index of records by its fields and their values; an event by its position.
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

/** The key of an entry in an index of all tenants of an environment. */
export function acrossKey(
  environment: Environment,
  kind: Kind,
  index: readonly string[],
  ...values: readonly Value[]
): string {
  return keyOf('across', environment, kind, index.join(), ...values);
}

/** The key of the entry that a tenant has written, with the number of its events. */
export function tenantKey({ environment, partner }: Tenant): string {
  return keyOf('tenant', environment, partner);
}

/** The indexes of lists: each ends with the position in a list. */
export const listIndexes = (records.deal.indexes as readonly (readonly string[])[]).filter(
  (index) => index.at(-1) === 'attempt',
);

/** The fields in an index of deals, shown or filtered by, so that a list is one range. */
const shownFields = new Set<string>([...indexedFields, ...listIndexes.flat()]);

/** The index of the events of a subject, which have its entries as whole events. */
export const subjectIndex = 'subject,sequence';

/** The keys of the records of a kind that are under one, or of all of a tenant, begin with this. */
export function recordsKey(tenant: Tenant, kind: Kind, parent: string | undefined): string {
  const { under, isListed } = shapeOf(kind);
  if (under === undefined || parent === undefined) return entryKey('record', tenant, kind);
  if (isListed) return entryKey('index', tenant, kind, under.by, parent);
  return `${entryKey('record', tenant, under.kind as Kind, parent)} ${keyOf(kind)}`;
}

/** All entries of a record: itself, a copy under its parent, and its indexes. */
export function entriesOf(tenant: Tenant, { kind, row }: Entry): Map<string, unknown> {
  const { key, number, under, indexes, across = [], isTimed, isListed } = shapeOf(kind);
  const valueAt = (field: string) => row[field] ?? null;
  const own = entryKey('record', tenant, kind, valueAt(key));
  const entries = new Map<string, unknown>([[own, { kind, row }]]);
  if (under !== undefined && isListed) {
    // not after its parent, where a list of parents would have to skip it
    const values = [under.by, valueAt(under.by), valueAt(key)];
    entries.set(entryKey('index', tenant, kind, ...values), { kind, row });
  } else if (under !== undefined) {
    const parent = entryKey('record', tenant, under.kind as Kind, valueAt(under.by));
    entries.set(`${parent} ${keyOf(kind, valueAt(key))}`, { kind, row });
  }
  if (number !== undefined) {
    entries.set(entryKey('number', tenant, kind, valueAt(number)), valueAt(key));
  }
  const shown = Object.entries(row).filter(([field]) => shownFields.has(field));
  const listed = kind === 'deal' ? { kind, row: Object.fromEntries(shown) } : { kind, row };
  for (const index of indexes) {
    const values = [...index, key].map(valueAt);
    // no read asks for records without a value, such as those without a due time
    if (values.includes(null)) continue;
    // a read of due records returns whole records of one moment: in one range
    const isWhole = isTimed && index.at(-1) === 'due_at';
    entries.set(
      entryKey('index', tenant, kind, index.join(), ...values),
      isWhole ? { kind, row } : listed,
    );
  }
  const { environment, partner } = tenant;
  for (const index of across) {
    const values = index.map(valueAt);
    if (values.includes(null)) continue;
    entries.set(acrossKey(environment, kind, index, ...values, partner, valueAt(key)), {
      ...listed,
      partner,
    });
  }
  return entries;
}

/**
 * The key of these parts: no other parts have the same one, and keys sort as their parts do, text
 * by code point and integers by value, if a place has values of one type. The keys that begin with
 * all parts of a key are from that key to `endOf` it.
 */
export function keyOf(...parts: readonly Value[]): string {
  return parts.map(encode).join(' ');
}

/** The end of all keys that begin with the parts of this one: `!` comes right after the blank. */
export function endOf(key: string): string {
  return `${key}!`;
}

function encode(part: Value): string {
  if (part === null) return '!';
  if (typeof part === 'string') return part.replace(/[^"-}]/gu, escaped);
  return part < 0 ? `-${digits(part + Number.MAX_SAFE_INTEGER)}` : digits(part);
}

const digits = (integer: number) => String(integer).padStart(16, '0');

/** Escapes of characters that sort before all others begin with `!`, those after them with `~`. */
function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  return point < 0x22 ? `!${hex.padStart(2, '0')}` : `~${hex.padStart(6, '0')}`;
}
