import {
  createMarketplace,
  type Environment,
  type MarketplaceOptions,
  type PartnerApi,
} from 'dealwright';
import type { MemoryStore } from 'dealwright/memory';
import type { MarketplacePorts } from 'dealwright/ports';
import { expect } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { contractorOf, dealOf, eventsOf } from '../kit/stored.js';

export const acme = { environment: 'sandbox', partner: 'acme' } as const;

/** A partner's view of a marketplace over memory, with some ports and options of the test's own. */
export function marketplaceWith(
  ports: { readonly [P in keyof MarketplacePorts]?: unknown } = {},
  options: MarketplaceOptions = {},
): {
  readonly api: PartnerApi<never>;
  readonly store: MemoryStore;
  readonly partner: (partner: string, environment?: Environment) => PartnerApi<never>;
} {
  const real = createPorts();
  // broken on purpose: a port in JavaScript may be so
  const marketplace = createMarketplace(
    { ...real, ...(ports as Partial<MarketplacePorts>) },
    options,
  );
  return {
    api: marketplace.partner(acme),
    store: real.store,
    partner: (partner, environment = 'sandbox') => marketplace.partner({ environment, partner }),
  };
}

/** All records of acme in the store: a call without an effect leaves none. */
export async function traceOf(store: MemoryStore) {
  return {
    contractor: await contractorOf(store, 'user@example.com'),
    deal: await dealOf(store, acme, 'unique-ID-of-deal'),
    dealV2: await dealOf(store, acme, 'unique-ID-of-deal-2'),
    events: await eventsOf(store, acme),
  };
}

export const nothing = {
  contractor: undefined,
  deal: undefined,
  dealV2: undefined,
  events: [],
} as const;

const keyed = { idempotencyKey: 'key-1' };

/** The error of an operation that must fail. */
export async function failureOf(answer: ReturnType<PartnerApi<never>[keyof PartnerApi<never>]>) {
  return (await answer)._unsafeUnwrapErr();
}

/** Each operation with a valid body and a key. */
export const operations = [
  ['registerContractor', (api: PartnerApi<never>) => api.registerContractor(contractorBody, keyed)],
  ['createDeal', (api: PartnerApi<never>) => api.createDeal(dealBody, keyed)],
  ['createDealV2', (api: PartnerApi<never>) => api.createDealV2(dealV2Body, keyed)],
] as const;

export const throwing = () => {
  throw new Error('broken');
};

/** The same, with the contractor of the bodies registered. */
export async function withContractor(
  ports: Parameters<typeof marketplaceWith>[0] = {},
  options: Parameters<typeof marketplaceWith>[1] = {},
) {
  const made = marketplaceWith(ports, options);
  expect((await made.api.registerContractor(contractorBody)).isOk()).toBe(true);
  return made;
}

/** The other records of a new deal, besides its stages. */
export const nothingElse = {
  work_file: [],
  employer_payment: [],
  contractor_payment: [],
  posting: [],
  intent: [],
  payment_report: [],
};
