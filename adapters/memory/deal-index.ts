import {
  type DealFilter,
  type DealIndex,
  type DealPosition,
  entryOfDeal,
  entryOfDealV2,
  type ListedDeal,
  passes,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  copyDeal,
  type Shelves,
  type StoredDealV1,
  type StoredDealV2,
  shelfOf,
} from './shelves.js';

type Stored = StoredDealV1 | StoredDealV2;

/** The deals of both versions of a memory store, to be read. */
export function createDealIndex(shelves: Shelves): DealIndex {
  return {
    byPartnerId(tenant, partner_id) {
      const found = shelfOf(shelves, tenant).deals.get(partner_id);
      if (found === undefined) return ok(undefined);
      const { version } = found;
      return found.api_version === '1.0'
        ? ok({ api_version: '1.0', value: copyDeal(found.value), version })
        : ok({ api_version: '2.0', value: { ...found.value }, version });
    },
    list(tenant, filter, { direction, from, limit }) {
      const { inOrder, deals } = shelfOf(shelves, tenant);
      const named = filter.partner_id === undefined ? undefined : deals.get(filter.partner_id);
      const all = filter.partner_id === undefined ? inOrder : named === undefined ? [] : [named];
      const [first, last] = span(all, filter);
      const step = direction === 'older' ? -1 : 1;
      const start = startOf(all, direction, from);
      const found: ListedDeal[] = [];
      for (
        let at = step < 0 ? Math.min(start, last) : Math.max(start, first);
        at >= first && at <= last && found.length < limit;
        at += step
      ) {
        const listed = listedDeal(all[at] as Stored);
        if (passes(filter, listed.entry)) found.push(listed);
      }
      return ok(direction === 'older' ? found : found.reverse());
    },
  };
}

function listedDeal(stored: Stored): ListedDeal {
  const entry =
    stored.api_version === '1.0' ? entryOfDeal(stored.value) : entryOfDealV2(stored.value);
  return { entry, position: { ...stored.position } };
}

/** From where to where the deals lie that a filter's times let through: others are not looked at. */
function span(
  all: readonly Stored[],
  { created_from, created_to }: DealFilter,
): readonly [first: number, last: number] {
  // no event has this id, so that it comes before all others of its millisecond
  const placeOfTime = (created_at: string) => placeOf(all, { created_at, event_id: '' });
  return [
    created_from === undefined ? 0 : placeOfTime(created_from),
    (created_to === undefined ? all.length : placeOfTime(created_to)) - 1,
  ];
}

/** Where a stretch begins in a list that is oldest first. */
function startOf(
  all: readonly Stored[],
  direction: 'older' | 'newer',
  from: DealPosition | undefined,
): number {
  if (from === undefined) return direction === 'older' ? all.length - 1 : 0;
  const at = placeOf(all, from);
  if (direction === 'older') return at - 1;
  const next = all[at];
  return next !== undefined && compare(next.position, from) === 0 ? at + 1 : at;
}

/** How many deals of a list that is oldest first are older than a position. */
export function placeOf(all: readonly Stored[], position: DealPosition): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare((all[middle] as Stored).position, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Older positions come first. */
export function compare(a: DealPosition, b: DealPosition): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.event_id === b.event_id ? 0 : a.event_id < b.event_id ? -1 : 1;
}
