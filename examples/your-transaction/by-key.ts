import { randomUUID } from 'node:crypto';
import type { DealV2Input, PartnerApi, TransportError } from 'dealwright';
import type { Database } from 'libsql';

/** Runs once, when your program starts. */
export function migrate(db: Database): void {
  db.exec(`create table if not exists orders (
    id text primary key,
    deal text not null,
    idempotency_key text not null,
    state text not null
  )`);
}

/** Step 1, in your transaction: the row, with all that the deal is made of, and a key. */
export function recordOrder(db: Database, deal: DealV2Input): void {
  db.prepare(`insert into orders (id, deal, idempotency_key, state)
    values (?, ?, ?, 'open') on conflict do nothing`).run(
    deal.partner_id,
    JSON.stringify(deal),
    randomUUID(),
  );
}

interface OpenOrder {
  readonly id: string;
  readonly deal: string;
  readonly idempotency_key: string;
}

/** Errors that do not tell whether the deal exists: repeat the call later with the same key. */
const notYet = ['unavailable', 'unexpected_response', 'aborted', 'rate_limited', 'unauthorized'];

/** Steps 2 and 3, for each open row. */
export async function createDeals(db: Database, api: PartnerApi<TransportError>): Promise<void> {
  const open = db
    .prepare("select id, deal, idempotency_key from orders where state = 'open'")
    .all() as OpenOrder[];
  for (const { id, deal, idempotency_key: idempotencyKey } of open) {
    const created = await api.createDealV2(JSON.parse(deal), { idempotencyKey });
    const state = created.isOk() ? 'created' : created.error.code;
    if (notYet.includes(state)) continue;
    db.prepare('update orders set state = ? where id = ?').run(state, id);
  }
}
