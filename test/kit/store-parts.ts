import { createMemoryStore } from 'dealwright/memory';
import type { DealRepository, DealV2Repository, PortFailure, Tenant } from 'dealwright/ports';
import type { StoreSubject } from 'dealwright/testing';
import type { Result } from 'neverthrow';

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

/** The store as it would be if every tenant were the one that `merge` makes of it. */
export function mergeTenants(merge: (tenant: Tenant) => Tenant): StoreSubject {
  const { contractors, deals, dealsV2, dealIndex, events } = createGoodStore();
  return {
    contractors: {
      add: (tenant, given) => contractors.add(merge(tenant), given),
      byKey: (tenant, key) => contractors.byKey(merge(tenant), key),
    },
    deals: {
      add: (tenant, given) => deals.add(merge(tenant), given),
      byId: (tenant, id) => deals.byId(merge(tenant), id),
      byPartnerId: (tenant, id) => deals.byPartnerId(merge(tenant), id),
      save: (tenant, ...rest) => deals.save(merge(tenant), ...rest),
      addWorkFile: (tenant, given) => deals.addWorkFile(merge(tenant), given),
      recordedWorkFiles: (tenant, ids) => deals.recordedWorkFiles(merge(tenant), ids),
    },
    dealsV2: {
      add: (tenant, given) => dealsV2.add(merge(tenant), given),
      byPartnerId: (tenant, id) => dealsV2.byPartnerId(merge(tenant), id),
      save: (tenant, ...rest) => dealsV2.save(merge(tenant), ...rest),
    },
    dealIndex: {
      byPartnerId: (tenant, id) => dealIndex.byPartnerId(merge(tenant), id),
      list: (tenant, ...rest) => dealIndex.list(merge(tenant), ...rest),
    },
    events: { after: (tenant, ...rest) => events.after(merge(tenant), ...rest) },
    close,
  };
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
