import type { DealV2Input, Tenant } from 'dealwright';
import { fromDrizzle } from 'dealwright/postgres';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { type Deals, NotCreated } from './deals.js';

const orders = pgTable('orders', { id: text().primaryKey() });

export function placeOrder(
  db: NodePgDatabase,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
) {
  return db.transaction(async (tx) => {
    await tx.insert(orders).values({ id: order.partner_id }).onConflictDoNothing();
    const api = marketplace.within(store.within(fromDrizzle(tx, sql))).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    return created.value;
  });
}
