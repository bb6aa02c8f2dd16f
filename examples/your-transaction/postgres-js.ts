import type { DealV2Input, Tenant } from 'dealwright';
import { fromPostgresJs } from 'dealwright/postgres';
import type { Sql } from 'postgres';
import { type Deals, NotCreated } from './deals.js';

export function placeOrder(
  sql: Sql,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
) {
  return sql.begin(async (tx) => {
    await tx`insert into orders (id) values (${order.partner_id}) on conflict do nothing`;
    const api = marketplace.within(store.within(fromPostgresJs(tx))).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
