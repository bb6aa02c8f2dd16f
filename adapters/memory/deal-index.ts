import { emailKey } from 'dealwright';
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
      const all =
        filter.partner_id === undefined
          ? alike(inOrder, filter)
          : [deals.get(filter.partner_id)].filter((each) => each !== undefined);
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

/** What deals are grouped by: what tells them best apart comes first. */
const traits = ['email_key', 'freelancer_status', 'status'] as const;
type Trait = (typeof traits)[number];

/** All deals of a tenant by a trait, so that a page is found without looking at all others. */
interface Grouping {
  readonly by: Trait;
  /** Each the oldest first, by what its deals have in common. */
  readonly groups: Map<string, Stored[]>;
  readonly groupOf: Map<Stored, Stored[]>;
}

/** By the list of all deals. What nobody has asked for is not kept: a create does nothing for it. */
const groupings = new WeakMap<readonly Stored[], Map<Trait, Grouping>>();

/** The deals that have a trait that a filter names, oldest first; all where it names none. */
function alike(inOrder: readonly Stored[], filter: DealFilter): readonly Stored[] {
  const by = traits.find((trait) => filter[trait] !== undefined);
  if (by === undefined) return inOrder;
  let known = groupings.get(inOrder);
  if (known === undefined) {
    known = new Map();
    groupings.set(inOrder, known);
  }
  let grouping = known.get(by);
  if (grouping === undefined) {
    grouping = { by, groups: new Map(), groupOf: new Map() };
    known.set(by, grouping);
  }
  catchUp(grouping, inOrder);
  return grouping.groups.get(filter[by] ?? '') ?? [];
}

/** Takes in what came since: a deal is looked at once, and those that are newer than it again. */
function catchUp(grouping: Grouping, inOrder: readonly Stored[]): void {
  const arrived: Stored[] = [];
  const missing = inOrder.length - grouping.groupOf.size;
  for (let at = inOrder.length - 1; arrived.length < missing; at -= 1) {
    const stored = inOrder[at] as Stored;
    if (!grouping.groupOf.has(stored)) arrived.push(stored);
  }
  for (const stored of arrived.reverse()) join(grouping, stored);
}

function join({ by, groups, groupOf }: Grouping, stored: Stored): void {
  const key = traitOf(by, stored);
  let group = groups.get(key);
  if (group === undefined) {
    group = [];
    groups.set(key, group);
  }
  insert(group, stored);
  groupOf.set(stored, group);
}

/** Puts a deal whose statuses may have changed where it belongs now. */
export function regroup(inOrder: readonly Stored[], stored: Stored): void {
  for (const grouping of groupings.get(inOrder)?.values() ?? []) {
    const { by, groups, groupOf } = grouping;
    const group = groupOf.get(stored);
    if (group === undefined || group === groups.get(traitOf(by, stored))) continue;
    group.splice(group.indexOf(stored, placeOf(group, stored.position)), 1);
    join(grouping, stored);
  }
}

function traitOf(by: Trait, { api_version, value }: Stored): string {
  if (by !== 'email_key') return value[by];
  return emailKey(api_version === '1.0' ? value.contractor_email : value.email_freelancer);
}

/** Puts a deal into a list that is oldest first. */
export function insert(list: Stored[], stored: Stored): void {
  const last = list.at(-1);
  // nearly always the newest of all, which need not be sought
  if (last === undefined || compare(last.position, stored.position) < 0) list.push(stored);
  else list.splice(placeOf(list, stored.position), 0, stored);
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
function compare(a: DealPosition, b: DealPosition): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.event_id === b.event_id ? 0 : a.event_id < b.event_id ? -1 : 1;
}
