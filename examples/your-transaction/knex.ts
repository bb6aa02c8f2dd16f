import type { DealV2Input, Tenant } from 'dealwright';
import { fromKnex } from 'dealwright/postgres';
import type { Knex } from 'knex';
import { type Deals, NotCreated } from './deals.js';

export function placeOrder(
  knex: Knex,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
) {
  return knex.transaction(async (trx) => {
    await trx('orders').insert({ id: order.partner_id }).onConflict().ignore();
    const api = marketplace.within(store.within(fromKnex(trx))).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
