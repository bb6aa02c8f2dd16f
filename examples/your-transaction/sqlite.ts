import type { DealV2Input, LocalMarketplace, Tenant } from 'dealwright';
import type { SqliteStore } from 'dealwright/sqlite';
import type { Database } from 'libsql';

export async function placeOrder(
  db: Database,
  { marketplace, store }: { marketplace: LocalMarketplace; store: SqliteStore },
  tenant: Tenant,
  order: DealV2Input,
) {
  db.exec('begin immediate');
  try {
    db.prepare('insert into orders (id) values (?) on conflict do nothing').run(order.partner_id);
    const api = marketplace.within(store.within(db)).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isOk()) db.exec('commit');
    return created;
  } finally {
    if (db.inTransaction) db.exec('rollback');
  }
}
