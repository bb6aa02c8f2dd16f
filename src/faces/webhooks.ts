import type { OperatorWebhooks } from '../api/operator-api.js';
import type { Actor, Tenant } from '../domain/values/tenant.js';
import { answerQuery, type Context } from '../usecases/context.js';
import {
  listDealDeliveries,
  listDeliveries,
  listFailedDeliveries,
  redeliver,
  redeliverAll,
} from '../usecases/deliveries.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { enableWebhook, listWebhooks } from '../usecases/webhooks.js';

/** The methods for the webhooks of a partner that its operator has, too. */
export function webhookMethods(
  context: Context,
  tenant: Tenant,
  actor: Actor,
): OperatorWebhooks<never> {
  return {
    listWebhooks: (options) => answerQuery(tenant, options, (call) => listWebhooks(context, call)),
    enableWebhook: (id, options) =>
      answerQuery(tenant, options, (call) => enableWebhook(context, { ...call, actor }, id)),
    listDeliveries: (id, query, options) =>
      answerQuery(tenant, options, (call) => listDeliveries(context, call, id, query)),
    listFailedDeliveries: (query, options) =>
      answerQuery(tenant, options, (call) => listFailedDeliveries(context, call, query)),
    listDealDeliveries: (partner_id, query, options) =>
      answerQuery(tenant, options, (call) =>
        listDealDeliveries(context, call, byPartnerId(context, call, partner_id), query),
      ),
    redeliver: (id, delivery_id, options) =>
      answerQuery(tenant, options, (call) => redeliver(context, call, id, delivery_id)),
    redeliverAll: (id, input, options) =>
      answerQuery(tenant, options, (call) => redeliverAll(context, call, id, input)),
  };
}
