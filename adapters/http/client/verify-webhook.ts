import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { Webhook } from 'standardwebhooks';
import { readBody, readHeaders, type SignedHeaders } from './read-webhook.js';
import type {
  VerifyWebhookError,
  VerifyWebhookErrorCode,
  VerifyWebhookOptions,
  WebhookEvent,
  WebhookRequest,
} from './webhook-types.js';

/** Seconds that the time of a message may be off, both ways, as in the specification. */
const tolerance = 300;

/**
 * Verifies a message by the Standard Webhooks specification, and returns its event. It checks the
 * signature, that the time is within five minutes, and with `replays` that the message did not come
 * before. Give both secrets while you change from one to the other.
 *
 * `request` is an unread `Request`, or the headers and the raw body, as a framework or a serverless
 * host gives them: the event of a function of API Gateway, or the request of Lambda@Edge, can be
 * given as it is. Parsed JSON is refused, because the signature is that of the bytes.
 *
 * A retry is not a replay: it has the same `webhook-id` and another time, and is accepted. So an
 * event may come more than once. If an effect must happen only once, record `event.id` in the
 * transaction of the effect.
 *
 * An event of a type that this version does not know is also returned: have a default branch. `Own`
 * is the type of the events that a host adds.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'dealwright/client';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const verified = await verifyWebhook(request, process.env['WEBHOOK_SECRET'] ?? '');
 *   if (verified.isErr()) return new Response(null, { status: verified.error.status });
 *   const event = verified.value;
 *   if (event.type === 'deal.completed') console.log(event.data.partner_id);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export function verifyWebhook<Own extends { readonly type: string } = never>(
  request: WebhookRequest,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): ResultAsync<WebhookEvent | Own, VerifyWebhookError> {
  return new ResultAsync(
    verify(request, typeof secret === 'string' ? [secret] : secret, options).then((verified) =>
      verified.map((event) => event as WebhookEvent | Own),
    ),
  );
}

async function verify(
  request: WebhookRequest,
  secrets: readonly string[],
  options: VerifyWebhookOptions | undefined,
): Promise<Result<object, VerifyWebhookError>> {
  const webhooks = readSecrets(secrets);
  if (webhooks === undefined) return failure('invalid_webhook_secret');
  const headers = readHeaders(request?.headers);
  if ('wrong' in headers) return failure('invalid_webhook_headers', headers.wrong);
  const timeliness = judgeTime(headers);
  if (timeliness !== undefined) return failure(timeliness);
  const body = await readBody(request);
  if (body === undefined) return failure('invalid_webhook_body');
  const { text } = body;
  if (text === undefined || !webhooks.some((each) => isSignedBy(each, headers, text))) {
    // the body may have come too late
    return failure(judgeTime(headers) ?? 'invalid_webhook_signature');
  }
  const event = readEvent(text);
  if (event === undefined) return failure('invalid_webhook_event');
  const { replays } = Object(options) as VerifyWebhookOptions;
  if (replays === undefined) return ok(event);
  try {
    const until = Number(headers.timestamp) + tolerance;
    // by each secret: during a change, another receiver may have only one of them
    const keys = new Set(webhooks.map((each) => signatureOf(each, headers, text)));
    for (const key of keys) {
      if (!(await replays.isFirst(key, until))) return failure('webhook_replayed');
    }
  } catch {
    return failure('webhook_replays_unavailable');
  }
  return ok(event);
}

function readSecrets(secrets: unknown): readonly Webhook[] | undefined {
  try {
    const webhooks = [...(secrets as readonly string[])].map((secret) => new Webhook(secret));
    return webhooks.length > 0 ? webhooks : undefined;
  } catch {
    return undefined;
  }
}

/** Says whether the time of a message is more than five minutes off. */
function judgeTime({
  timestamp,
}: SignedHeaders): 'webhook_too_old' | 'webhook_too_new' | undefined {
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (age > tolerance) return 'webhook_too_old';
  return age < -tolerance ? 'webhook_too_new' : undefined;
}

function isSignedBy(
  webhook: Webhook,
  { id, timestamp, signature }: SignedHeaders,
  text: string,
): boolean {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  try {
    webhook.verify(text, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** The signature of a message by one secret: no other message has it, with any headers. */
function signatureOf(webhook: Webhook, { id, timestamp }: SignedHeaders, text: string): string {
  return webhook.sign(id, new Date(Number(timestamp) * 1000), text);
}

/** The event in a body: for its other members, the signature vouches. */
function readEvent(text: string): object | undefined {
  try {
    const event = JSON.parse(text);
    return typeof event?.id === 'string' && typeof event.type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

const errors: Readonly<
  Record<VerifyWebhookErrorCode, readonly [VerifyWebhookError['status'], string]>
> = {
  invalid_webhook_secret: [
    500,
    'The secret is not one: give the whsec_... text that the webhook was created with, or a list of such texts.',
  ],
  invalid_webhook_headers: [
    400,
    'A header is missing or cannot be one of a webhook: give the headers of the request as they came.',
  ],
  invalid_webhook_body: [
    400,
    'The body has to be the raw text or bytes of the request, at most 1 MiB of it. Read it before any parser of JSON does, or keep the bytes that the parser gets.',
  ],
  invalid_webhook_signature: [
    400,
    'The signature is not that of this request and secret. Is it the secret of this webhook, and is the body unchanged?',
  ],
  invalid_webhook_event: [400, 'The body is signed, and yet not an event.'],
  webhook_too_old: [
    400,
    'The message is more than five minutes old, or the clock of this machine is ahead.',
  ],
  webhook_too_new: [
    400,
    'The message is more than five minutes in the future: the clock of this machine is behind.',
  ],
  webhook_replayed: [400, 'This message came before. A retry of the sender has another time.'],
  webhook_replays_unavailable: [
    503,
    'The memory of messages that came before has failed. The sender tries again.',
  ],
};

function failure(code: VerifyWebhookErrorCode, header?: string): Result<never, VerifyWebhookError> {
  const [status, text] = errors[code];
  const message = header === undefined ? text : `${header}: ${text}`;
  return err(Object.freeze({ code, message, status }));
}
