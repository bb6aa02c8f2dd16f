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
    await manager.insert(Order, { id: order.partner_id });
    const api = marketplace.within(store.within(fromTypeOrm(manager))).partner(tenant);
    const created = await api.createDealV2(order);
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
