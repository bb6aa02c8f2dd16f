import {
  type DealPart,
  type DealWith,
  type DomainEvent,
  dealParts,
  type PortFailure,
  readEvent,
  type Store,
  type StoreArchive,
  type Stored,
  type Tenant,
} from 'dealwright/ports';
import type { Result } from 'neverthrow';

/** The answer of a store that does not fail. */
export async function settle<T>(
  answer: PromiseLike<Result<T, PortFailure>> | Result<T, PortFailure>,
): Promise<T> {
  return (await answer)._unsafeUnwrap();
}

/** The first hundred events of a tenant. */
export async function eventsOf(
  { events }: Pick<Store, 'events'>,
  tenant: Tenant,
): Promise<readonly DomainEvent[]> {
  const page = await settle(events.after(tenant, undefined, 100));
  if (page === 'invalid_cursor') throw new Error('the beginning has no cursor');
  return page.events.map((event) => readEvent(tenant, event));
}

/** A deal of a tenant with all its parts. */
export function dealOf(
  { deals }: Pick<Store, 'deals'>,
  tenant: Tenant,
  partner_id: string,
): Promise<DealWith<DealPart> | undefined> {
  return settle(deals.byPartnerId(tenant, partner_id, dealParts));
}

/** The contractor with this key, of any partner. */
export async function contractorOf(
  { archive }: { readonly archive: StoreArchive },
  key: string,
): Promise<Stored<'contractor'> | undefined> {
  for await (const record of archive.dump()) {
    if (record.kind === 'contractor' && record.row.contractor_key === key) return record.row;
  }
  return undefined;
}

/** Approves the stages of a deal, so that it takes no more files. */
export async function closeStages(store: Store, tenant: Tenant, partner_id: string): Promise<void> {
  const found = await settle(store.deals.byPartnerId(tenant, partner_id, ['stage']));
  const keys = found?.stage.map(({ id }) => id) ?? [];
  await settle(
    store.commit(tenant, {
      attempt: '01KDVE0000000000000000000A',
      expect: keys.map((key) => ({ present: 'stage', key })),
      insert: [],
      change: keys.map((key) => ({ kind: 'stage', key, set: { status: 'approved' } })),
      events: [],
    }),
  );
}
