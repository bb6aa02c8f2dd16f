import type { DealFilter, DealIndex, DealStretch } from 'dealwright/ports';
import { listedDealOf, storedDealOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import { byPartnerIdStatement, listStatement, listValues, listVariant } from './read-sql.js';
import { type SendOnce, sendUntil } from './send.js';
import type { Statement } from './statement.js';

/** The deals of both versions of a PostgreSQL store, to be read. */
export function createDealIndex(send: SendOnce, schema: string): DealIndex {
  const byPartnerId = byPartnerIdStatement(schema);
  const lists = new Map<string, Statement>();
  const statementOf = (filter: DealFilter, stretch: DealStretch): Statement => {
    const variant = listVariant(filter, stretch);
    const found = lists.get(variant) ?? listStatement(schema, filter, stretch);
    lists.set(variant, found);
    return found;
  };
  return {
    byPartnerId: (tenant, partner_id) =>
      sendUntil(
        async (retries) =>
          (await send(byPartnerId, [tenantText(tenant), partner_id], 1, retries)).map(([text]) =>
            typeof text === 'string' ? storedDealOf(text) : undefined,
          ),
        'read',
      ),
    list(tenant, filter, stretch) {
      const statement = statementOf(filter, stretch);
      const values = listValues(tenantText(tenant), filter, stretch);
      return sendUntil(async (retries) => {
        const sent = await send(statement, values, 1, retries);
        return sent.map((texts) => {
          const listed = texts.map((text) => listedDealOf(text ?? ''));
          return stretch.direction === 'older' ? listed : listed.reverse();
        });
      }, 'read');
    },
  };
}
