import { createMemoryStore } from 'dealwright/memory';
import type {
  DealIndex,
  DealRepository,
  DealV2Repository,
  DomainEvent,
  EventPage,
  PortFailure,
  Tenant,
} from 'dealwright/ports';
import type { StoreSubject } from 'dealwright/spec';
import { ok, type Result } from 'neverthrow';

export const close = async () => undefined;

/** A store without a fault, to break. */
export function createGoodStore(): StoreSubject {
  return { ...createMemoryStore(), close };
}

/** What a memory store answers. */
export async function settle<T>(
  answer: PromiseLike<Result<T, PortFailure>> | Result<T, PortFailure>,
) {
  const result = await answer;
  if (result.isErr()) throw new Error('a memory store does not fail');
  return result.value;
}

/** A store that asks the store which `of` gives for a tenant, as the tenant that `as` makes of it. */
export function routed(
  of: (tenant: Tenant) => StoreSubject,
  as: (tenant: Tenant) => Tenant = (tenant) => tenant,
): StoreSubject {
  return {
    contractors: {
      add: (tenant, given) => of(tenant).contractors.add(as(tenant), given),
      byKey: (tenant, key) => of(tenant).contractors.byKey(as(tenant), key),
    },
    deals: {
      add: (tenant, given) => of(tenant).deals.add(as(tenant), given),
      byId: (tenant, id) => of(tenant).deals.byId(as(tenant), id),
      byPartnerId: (tenant, id) => of(tenant).deals.byPartnerId(as(tenant), id),
      save: (tenant, ...rest) => of(tenant).deals.save(as(tenant), ...rest),
      addWorkFile: (tenant, given) => of(tenant).deals.addWorkFile(as(tenant), given),
      recordedWorkFiles: (tenant, ids) => of(tenant).deals.recordedWorkFiles(as(tenant), ids),
    },
    dealsV2: {
      add: (tenant, given) => of(tenant).dealsV2.add(as(tenant), given),
      byPartnerId: (tenant, id) => of(tenant).dealsV2.byPartnerId(as(tenant), id),
      save: (tenant, ...rest) => of(tenant).dealsV2.save(as(tenant), ...rest),
    },
    dealIndex: {
      byPartnerId: (tenant, id) => of(tenant).dealIndex.byPartnerId(as(tenant), id),
      list: (tenant, ...rest) => of(tenant).dealIndex.list(as(tenant), ...rest),
    },
    events: { after: (tenant, ...rest) => of(tenant).events.after(as(tenant), ...rest) },
    close,
  };
}

/** The store as it would be if every tenant were the one that `merge` makes of it. */
export function mergeTenants(merge: (tenant: Tenant) => Tenant): StoreSubject {
  const store = createGoodStore();
  return routed(() => store, merge);
}

/** A good store whose log answers with what `change` makes of a page. */
export function withEvents(
  change: (page: EventPage, cursor: string | undefined, limit: number) => EventPage,
): StoreSubject {
  const store = createGoodStore();
  return {
    ...store,
    events: {
      after: async (tenant, cursor, limit) => {
        const page = await settle(store.events.after(tenant, cursor, limit));
        return ok(page === 'invalid_cursor' ? page : change(page, cursor, limit));
      },
    },
  };
}

/** The first hundred events of a tenant. */
export async function eventsOf(
  { events }: Pick<StoreSubject, 'events'>,
  tenant: Tenant,
): Promise<readonly DomainEvent[]> {
  const page = await settle(events.after(tenant, undefined, 100));
  if (page === 'invalid_cursor') throw new Error('the beginning is no cursor');
  return page.events;
}

/** A good store with other methods in its index. */
export function withIndex(change: (store: StoreSubject) => Partial<DealIndex>): StoreSubject {
  const store = createGoodStore();
  return { ...store, dealIndex: { ...store.dealIndex, ...change(store) } };
}

/** A good store with other methods in its repository of 1.0 deals. */
export function withDeals(change: (store: StoreSubject) => Partial<DealRepository>): StoreSubject {
  const store = createGoodStore();
  return { ...store, deals: { ...store.deals, ...change(store) } };
}

/** A good store with other methods in its repository of 2.0 deals. */
export function withDealsV2(
  change: (store: StoreSubject) => Partial<DealV2Repository>,
): StoreSubject {
  const store = createGoodStore();
  return { ...store, dealsV2: { ...store.dealsV2, ...change(store) } };
}

/** A good store that understands every `partner_id` as `fold` makes it. */
export function folding(fold: (partner_id: string) => string): StoreSubject {
  return withDealsV2(({ dealsV2 }) => ({
    add: (tenant, given) =>
      dealsV2.add(tenant, {
        ...given,
        deal: { ...given.deal, partner_id: fold(given.deal.partner_id) },
      }),
    byPartnerId: (tenant, partner_id) => dealsV2.byPartnerId(tenant, fold(partner_id)),
  }));
}

/** Says whether a deal of either version has this `partner_id`. */
export async function isTaken(store: StoreSubject, tenant: Tenant, partner_id: string) {
  return (
    (await settle(store.deals.byPartnerId(tenant, partner_id))) !== undefined ||
    (await settle(store.dealsV2.byPartnerId(tenant, partner_id))) !== undefined
  );
}

/** Stores with a mistake each that the contract has to find, and a case that finds it. */
export type BrokenStores = Readonly<
  Record<string, { readonly make: () => StoreSubject; readonly foundBy: string }>
>;
