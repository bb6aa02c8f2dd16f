import type { DealV2Input, Tenant } from 'dealwright';
import { fromTypeOrm } from 'dealwright/postgres';
import { type DataSource, EntitySchema } from 'typeorm';
import { type Deals, NotCreated } from './deals.js';

export const Order = new EntitySchema<{ id: string }>({
  name: 'orders',
  columns: { id: { type: 'text', primary: true } },
});

export function placeOrder(
  dataSource: DataSource,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
) {
  return dataSource.transaction(async (manager) => {
    const row = manager.createQueryBuilder().insert().into(Order).values({ id: order.partner_id });
    await row.orIgnore().execute();
    const api = marketplace.within(store.within(fromTypeOrm(manager))).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
