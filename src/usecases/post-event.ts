import type { DeliveryAttempt } from '../domain/events/webhook.js';
import type { Row } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { Context } from './context.js';
import { secretsOf } from './webhooks.js';

/** The result of an attempt. */
export interface Attempted {
  readonly isDelivered: boolean;
  /** Whether the receiver wants no more events. */
  readonly isGone: boolean;
  /** Whether no other attempt can end otherwise; default: only if the receiver is gone. */
  readonly isFinal?: boolean;
  readonly attempt: DeliveryAttempt;
}

/**
 * Posts a message to a webhook once, signed with every secret that is valid at a time in
 * milliseconds. A failure of a port is a failed attempt: the next one may succeed.
 */
export async function post(
  context: Context,
  tenant: Tenant,
  webhook: Row<'webhook'>,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Promise<Attempted> {
  const secrets = await secretsOf(context, tenant, webhook, now);
  if (secrets.isErr()) return failedAttempt(now, 'secret_unavailable');
  const timestamp = Math.floor(now / 1000);
  const message = { url: webhook.url, id, timestamp, body, secrets: secrets.value };
  const sent = await context.ports.webhooks?.send(tenant.environment, message);
  if (sent === undefined || sent.isErr()) return failedAttempt(now, 'sender_failed');
  if ('error' in sent.value) return failedAttempt(now, sent.value.error);
  const { status_code, response } = sent.value;
  return {
    isDelivered: status_code >= 200 && status_code < 300,
    isGone: status_code === 410,
    // another implementation of the sender may return longer texts
    attempt: {
      at: formatTimestamp(now),
      status_code,
      error: null,
      response: response.slice(0, longestResponse),
    },
  };
}

/** The longest response that is kept, in characters: a sender cuts it too, at a kilobyte. */
const longestResponse = 1_024;

/** An attempt without a response. */
export function failedAttempt(now: number, error: string): Attempted {
  const attempt = { at: formatTimestamp(now), status_code: null, error, response: null };
  return { isDelivered: false, isGone: false, attempt };
}
