import type { Tenant } from 'dealwright';

export {
  exampleContractor as contractor,
  exampleDeal as deal,
  exampleDealV2 as dealV2,
} from 'dealwright/testing';

/** The tenant of these tests. */
export const tenant: Tenant = { environment: 'sandbox', partner: 'acme' };
