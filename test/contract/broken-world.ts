import { createMarketplace, type PartnerApi } from 'dealwright';
import type { MarketplacePorts } from 'dealwright/ports';
import { createManualClock, type ManualClock } from 'dealwright/testing';
import type { ResultAsync } from 'neverthrow';
import { expect } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2, tenant } from '../kit/requests.js';
import { deadline } from './every-fault.js';

/** Under which every call of these tests can be repeated. */
export const key = { idempotencyKey: 'the-key' };

export type Operation = keyof PartnerApi;

/** Each operation with a body that a healthy world takes. */
export const operations: Readonly<
  Record<Operation, (api: PartnerApi<never>) => ResultAsync<unknown, { readonly code: string }>>
> = {
  registerContractor: (api: PartnerApi<never>) => api.registerContractor(contractor, key),
  createDeal: (api: PartnerApi<never>) => api.createDeal(deal, key),
  createDealV2: (api: PartnerApi<never>) => api.createDealV2(dealV2, key),
};

/** A world with one fault in one method of one port, that can be mended. */
export async function brokenWorld(
  break_: (ports: MarketplacePorts, clock: ManualClock) => MarketplacePorts,
  operation: Operation,
) {
  const clock = createManualClock();
  const ports = { ...createPorts(), clock };
  const healthy = createMarketplace(ports, { deadline }).partner(tenant);
  if (operation === 'createDeal')
    expect((await healthy.registerContractor(contractor)).isOk()).toBe(true);
  const broken = createMarketplace(break_(ports, clock), { deadline }).partner(tenant);
  const before = (await ports.events.after(tenant, undefined, 100))._unsafeUnwrap().events.length;
  /** Record, event and idempotency record are all there, or none is. */
  const isStored = async (): Promise<boolean> => {
    const contractorKey = { register: '', email_key: contractor.email };
    const record = {
      registerContractor: () => ports.contractors.byKey(tenant, contractorKey),
      createDeal: () => ports.deals.byPartnerId(tenant, deal.partner_id),
      createDealV2: () => ports.dealsV2.byPartnerId(tenant, dealV2.partner_id),
    }[operation];
    const found = (await record())._unsafeUnwrap() !== undefined;
    const { events } = (await ports.events.after(tenant, undefined, 100))._unsafeUnwrap();
    expect(events.length - before).toBe(found ? 1 : 0);
    return found;
  };
  return { clock, healthy, broken, isStored };
}
