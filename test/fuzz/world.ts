import { createMarketplace } from 'dealwright';
import { createHandler, type Handler } from 'dealwright/http';
import { ok } from 'neverthrow';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';

/** A service with something in it. */
export interface World {
  readonly handler: Handler;
  readonly token: string;
  /** Of a partner that has nothing. */
  readonly strangerToken: string;
  /** Of deals of version 1.0. */
  readonly ids: readonly number[];
  readonly partnerIds: readonly string[];
  /** What was behind every 500 and 503. */
  readonly causes: readonly unknown[];
}

const partnerIds = ['deal-1', 'deal 2/ü', '..', '*', 'by-id'];

/** A service with low limits, so that requests need not be large to be too large. */
export async function createWorld(): Promise<World> {
  const ports = createPorts();
  const marketplace = createMarketplace(ports, { fileLimit: 64 * 1024 });
  const token = 'token-of-the-fuzz-test';
  const strangerToken = 'token-of-a-stranger';
  const tenant = (partner: string) => ({ environment: 'sandbox', partner }) as const;
  const tenants = new Map([
    [token, tenant('acme')],
    [strangerToken, tenant('stranger')],
  ]);
  const causes: unknown[] = [];
  const handler = createHandler(marketplace, {
    ...ports,
    authenticator: { authenticate: (given: string) => ok(tenants.get(given)) },
    bodyLimit: 64 * 1024,
    onError: (report) => causes.push(report),
  });
  const api = marketplace.partner(tenant('acme'));
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const ids: number[] = [];
  for (const partner_id of partnerIds) {
    ids.push((await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap().id);
  }
  (await api.createDealV2(dealV2))._unsafeUnwrap();
  return {
    handler,
    token,
    strangerToken,
    ids,
    partnerIds: [...partnerIds, dealV2.partner_id],
    causes,
  };
}
