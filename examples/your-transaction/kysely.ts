import type { DealV2Input, Tenant } from 'dealwright';
import { fromKysely } from 'dealwright/postgres';
import { CompiledQuery, type Kysely } from 'kysely';
import { type Deals, NotCreated } from './deals.js';

interface Tables {
  orders: { id: string };
}

export function placeOrder(
  db: Kysely<Tables>,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
) {
  return db.transaction().execute(async (trx) => {
    const row = trx.insertInto('orders').values({ id: order.partner_id });
    await row.onConflict((conflict) => conflict.doNothing()).execute();
    const api = marketplace.within(store.within(fromKysely(trx, CompiledQuery))).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
