import { createMarketplace } from 'dealwright';
import { createSandboxGateway } from 'dealwright/payments';
import type { MarketplacePorts, Tenant } from 'dealwright/ports';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';

export const day = 24 * 60 * 60 * 1000;
export const start = Date.UTC(2026, 0, 1);
export const live = (partner: string): Tenant => ({ environment: 'production', partner });
export const sandboxed = (partner: string): Tenant => ({ environment: 'sandbox', partner });

/** A back end whose clock the test moves, over a real timer. */
export function createHost(given: Partial<MarketplacePorts> = {}) {
  const time = { now: start };
  const ports = {
    ...createPorts(),
    paymentTokens: createOpaqueTokenIssuer(),
    payments: createSandboxGateway(),
    clock: { now: () => time.now },
    ...given,
  };
  // a deal is due once: when it expires
  const marketplace = createMarketplace(ports, { expiryNoticeDays: 0 });
  const create = async (tenant: Tenant, partner_id: string, amount = '500.00') =>
    (
      await marketplace.partner(tenant).createDealV2({ ...dealV2Body, partner_id, amount })
    )._unsafeUnwrap();
  const statusOf = async (tenant: Tenant, partner_id: string) =>
    (await marketplace.partner(tenant).retrieveDealDetails(partner_id))._unsafeUnwrap().status;
  return { time, ports, marketplace, create, statusOf };
}
