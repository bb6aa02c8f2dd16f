import {
  type AnyRow,
  type DealFilter,
  type DealPosition,
  type DealRange,
  type ListedDeal,
  type ListedKind,
  passes,
  type RecordKind,
  type RecordRange,
  type Row,
} from 'dealwright/ports';
import { byCodePoint, type Entry, entryOf, type TenantTables } from './tables.js';

/** A page of a tenant's deals, which come oldest first. */
export function listDeals(
  deals: readonly Entry[],
  byKey: ReadonlyMap<string | number, Entry>,
  filter: DealFilter,
  { direction, from, limit }: DealRange,
): readonly ListedDeal[] {
  const all =
    filter.partner_id === undefined
      ? alike(deals, filter)
      : [byKey.get(filter.partner_id)].filter((each) => each !== undefined);
  const [first, last] = span(all, filter);
  const step = direction === 'older' ? -1 : 1;
  const start = startOf(all, direction, from);
  const found: ListedDeal[] = [];
  for (
    let at = step < 0 ? Math.min(start, last) : Math.max(start, first);
    at >= first && at <= last && found.length < limit;
    at += step
  ) {
    const entry = all[at] as Entry;
    if (passes(filter, rowOf(entry))) found.push(listed(entry));
  }
  return direction === 'older' ? found : found.reverse();
}

function listed(entry: Entry): ListedDeal {
  const row = rowOf(entry);
  // member by member: copying them in a loop takes V8 seven times as long
  return {
    partner_id: row.partner_id,
    id: row.id,
    api_version: row.api_version,
    email_freelancer: row.email_freelancer,
    title: row.title,
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    freelancer_status: row.freelancer_status,
    created_at: row.created_at,
    attempt: entry.attempt,
  };
}

const rowOf = ({ row }: Entry) => row as AnyRow & Row<'deal'>;

/** The fields that deals are grouped by: the most selective one comes first. */
const groupedBy = ['attention', 'email_key', 'freelancer_status', 'status'] as const;
type GroupField = (typeof groupedBy)[number];

/** All deals of a tenant by one field, so that a page is found without reading all deals. */
interface Grouping {
  /** The groups by the value of the field, each the oldest first. */
  readonly groups: Map<string | null, Entry[]>;
  readonly groupOf: Map<Entry, Entry[]>;
}

/** By the list of all deals. A grouping is made at its first use: a create does nothing for it. */
const groupings = new WeakMap<readonly Entry[], Map<GroupField, Grouping>>();

/** The deals with a value of a filter, oldest first; all if it has none. */
function alike(deals: readonly Entry[], filter: DealFilter): readonly Entry[] {
  const field = groupedBy.find((each) => filter[each] !== undefined);
  if (field === undefined) return deals;
  const known = groupings.get(deals) ?? new Map<GroupField, Grouping>();
  groupings.set(deals, known);
  const grouping = known.get(field) ?? { groups: new Map(), groupOf: new Map() };
  known.set(field, grouping);
  catchUp(grouping, field, deals);
  return grouping.groups.get(filter[field] ?? '') ?? [];
}

/** Adds the deals that came since: each is read once, and newer ones again. */
function catchUp(grouping: Grouping, field: GroupField, deals: readonly Entry[]): void {
  const arrived: Entry[] = [];
  const missing = deals.length - grouping.groupOf.size;
  for (let at = deals.length - 1; arrived.length < missing; at -= 1) {
    const entry = deals[at] as Entry;
    if (!grouping.groupOf.has(entry)) arrived.push(entry);
  }
  for (const entry of arrived.reverse()) join(grouping, field, entry);
}

function join({ groups, groupOf }: Grouping, field: GroupField, entry: Entry): void {
  const value = rowOf(entry)[field];
  const group = groups.get(value) ?? [];
  groups.set(value, group);
  insertInOrder(group, entry);
  groupOf.set(entry, group);
}

/** Puts a deal whose fields may have changed in its present group. */
export function regroup(deals: readonly Entry[], entry: Entry): void {
  for (const [field, grouping] of groupings.get(deals) ?? []) {
    const group = grouping.groupOf.get(entry);
    if (group === undefined || group === grouping.groups.get(rowOf(entry)[field])) continue;
    group.splice(group.indexOf(entry, placeOf(group, positionOf(entry))), 1);
    join(grouping, field, entry);
  }
}

/** Puts a deal into a list that is oldest first. */
export function insertInOrder(list: Entry[], entry: Entry): void {
  const last = list.at(-1);
  const position = positionOf(entry);
  // nearly always the newest of all, which needs no search
  if (last === undefined || compare(positionOf(last), position) < 0) list.push(entry);
  else list.splice(placeOf(list, position), 0, entry);
}

/** The range of the deals that pass a filter's times: others are not read. */
function span(
  all: readonly Entry[],
  { created_from, created_to }: DealFilter,
): readonly [first: number, last: number] {
  // no attempt has this id, so it comes before all others of its millisecond
  const placeOfTime = (created_at: string) => placeOf(all, { created_at, attempt: '' });
  return [
    created_from === undefined ? 0 : placeOfTime(created_from),
    (created_to === undefined ? all.length : placeOfTime(created_to)) - 1,
  ];
}

/** The start of a range in a list that is oldest first. */
function startOf(
  all: readonly Entry[],
  direction: DealRange['direction'],
  from: DealPosition | undefined,
): number {
  if (from === undefined) return direction === 'older' ? all.length - 1 : 0;
  const at = placeOf(all, from);
  if (direction === 'older') return at - 1;
  const next = all[at];
  return next !== undefined && compare(positionOf(next), from) === 0 ? at + 1 : at;
}

/** How many deals of a list that is oldest first are older than a position. */
function placeOf(all: readonly Entry[], position: DealPosition): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(positionOf(all[middle] as Entry), position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const positionOf = (entry: Entry): DealPosition => ({
  created_at: rowOf(entry).created_at,
  attempt: entry.attempt,
});

/** Older positions come first. */
function compare(a: DealPosition, b: DealPosition): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.attempt === b.attempt ? 0 : a.attempt < b.attempt ? -1 : 1;
}

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
