import { ok, type Result } from 'neverthrow';
import type { DomainEvent } from '../domain/events/events.js';
import { consumerOf, pauseAfter, typesOf } from '../domain/events/webhook.js';
import type { Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/answer.js';
import type { Context } from '../usecases/context.js';
import { type Attempted, post } from '../usecases/post-event.js';
import { liveWebhooks } from '../usecases/webhooks.js';

/** A receiver of the events of a tenant. */
export interface Sink {
  /** The key of its consumer. */
  readonly consumer: string;
  /** The position where it begins while it has no consumer. */
  readonly begins: string | null;
  /** Whether later events of a subject wait for the earlier ones. */
  readonly isOrdered: boolean;
  /** Whether all events go one after the other. */
  readonly isSerial: boolean;
  /** Whether an event that is delivered by the first attempt is recorded, too. */
  readonly isRecorded: boolean;
  /** Whether the outcome of each event is written before the next one, not those of a batch. */
  readonly isOneByOne: boolean;
  /** The webhook that is disabled if it is gone, or has failed for too long. */
  readonly webhook?: Stored<'webhook'>;
  /** Reads the sink again; `undefined` if it takes no more events. */
  refresh?(): Promise<Result<Sink | undefined, PortProblem>>;
  wants(event: Stored<'event'>): boolean;
  /** Makes the attempt of this number, counted from 1, at a moment of real time. */
  deliver(event: DomainEvent, now: number, tries: number): Promise<Attempted>;
  /** Milliseconds to the next attempt, or `undefined` if this was the last one. */
  pauseAfter(tries: number, deliveryId: string): number | undefined;
}

/** The webhooks of a tenant to which events are sent. */
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
    isOneByOne: false,
    webhook,
    async refresh() {
      const found = await context.ports.recordByKey(tenant, 'webhook', webhook.id);
      return found.map((row) =>
        row?.status === 'enabled' ? webhookSink(context, tenant, row) : undefined,
      );
    },
    // a webhook gets no events about itself
    wants: ({ type, subject }) => subject !== consumer && (types.size === 0 || types.has(type)),
    deliver: (event, now) =>
      post(context, tenant, webhook, { id: event.id, body: JSON.stringify(event), now }),
    pauseAfter,
  };
}
