import { ok, type Result } from 'neverthrow';
import { consumerOf, pauseAfter, typesOf } from '../domain/events/webhook.js';
import type { Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Context } from '../usecases/context.js';
import { post } from '../usecases/post-event.js';
import { liveWebhooks } from '../usecases/webhooks.js';
import type { Sink } from './sink.js';

/** The endpoints of a tenant to which events are sent. */
export async function webhookSinks(
  context: Context,
  tenant: Tenant,
): Promise<Result<readonly Sink[], PortProblem>> {
  if (context.ports.webhooks === undefined) return ok([]);
  const found = await liveWebhooks(context.ports, tenant);
  return found.map((rows) =>
    rows
      .filter(({ status }) => status === 'enabled')
      .map((webhook) => webhookSink(context, tenant, webhook)),
  );
}

function webhookSink(context: Context, tenant: Tenant, webhook: Stored<'webhook'>): Sink {
  const consumer = consumerOf(webhook.id);
  const types = new Set(typesOf(webhook));
  return {
    consumer,
    begins: null,
    isOrdered: webhook.ordered === 1,
    isSerial: false,
    isRecorded: true,
    webhook,
    async refresh() {
      const found = await context.ports.recordByKey(tenant, 'webhook', webhook.id);
      return found.map((row) =>
        row?.status === 'enabled' ? webhookSink(context, tenant, row) : undefined,
      );
    },
    // an endpoint is not told of itself
    wants: ({ type, subject }) => subject !== consumer && (types.size === 0 || types.has(type)),
    deliver: (event, now) =>
      post(context, tenant, webhook, { id: event.id, body: JSON.stringify(event), now }),
    pauseAfter,
  };
}
