import type { DealV2Created, DealV2Input, Tenant } from 'dealwright';
import type { Pool } from 'pg';
import { type Deals, NotCreated } from './deals.js';

export async function placeOrder(
  pool: Pool,
  { marketplace, store }: Deals,
  tenant: Tenant,
  order: DealV2Input,
): Promise<DealV2Created> {
  const client = await pool.connect();
  let broken: unknown;
  try {
    await client.query('begin');
    await client.query('insert into orders (id) values ($1) on conflict do nothing', [
      order.partner_id,
    ]);
    const api = marketplace.within(store.within(client)).partner(tenant);
    const created = await api.createDealV2(order, { idempotencyKey: order.partner_id });
    if (created.isErr()) throw new NotCreated(created.error);
    await client.query('commit');
    return created.value;
  } catch (error) {
    await client.query('rollback').catch((failed) => {
      broken = failed;
    });
    throw error;
  } finally {
    // a connection that cannot even roll back is closed
    client.release(broken !== undefined);
  }
}
