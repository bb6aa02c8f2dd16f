import { verifyWebhook, type WebhookRequest } from 'dealwright/client';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';

export const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`;
export const secret = secretOf(Buffer.alloc(32, 1));
export const other = secretOf(Buffer.alloc(32, 2));
export const now = () => Math.floor(Date.now() / 1000);
export const event = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', type: 'deal.completed', data: {} };

export interface Message {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of a message, as the sender makes them. */
export function signed({ id, timestamp, body }: Message, secrets: readonly string[] = [secret]) {
  const at = new Date(timestamp * 1000);
  const signatures = secrets.map((each) => new Webhook(each).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

export const message = (changes: Partial<Message> = {}): Message => ({
  id: event.id,
  timestamp: now(),
  body: JSON.stringify(event),
  ...changes,
});

/** The code of the error, or `ok`. */
export async function verdict(
  request: WebhookRequest,
  secrets: string | readonly string[] = secret,
  options = {},
): Promise<string> {
  const verified = await verifyWebhook(request, secrets, options);
  return verified.isOk() ? 'ok' : verified.error.code;
}

export const signedBody = (one: Message, secrets?: readonly string[]) => ({
  headers: signed(one, secrets),
  body: one.body,
});

export const bytesOf = (text: string) => new TextEncoder().encode(text);
export const ids = fc.stringMatching(/^[\w-]{1,64}$/);
export const bodies = fc
  .record({ id: fc.string({ unit: 'binary' }), type: fc.string(), data: fc.jsonValue() })
  .map((each) => JSON.stringify(each));
export const times = fc.integer({ min: -290, max: 290 });
export const keys = fc.uint8Array({ minLength: 24, maxLength: 64 });
