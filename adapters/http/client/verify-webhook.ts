import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { Webhook } from 'standardwebhooks';
import { collectBytes, piecesOfStream } from '../wire/bytes.js';
import type {
  VerifyWebhookError,
  VerifyWebhookErrorCode,
  VerifyWebhookOptions,
  WebhookEvent,
  WebhookHeaders,
  WebhookRequest,
} from './webhook-types.js';

/** Seconds that the time of a message may be off, both ways, as in the specification. */
const tolerance = 300;

/**
 * Verifies a message by the Standard Webhooks specification, and returns its event. It checks the
 * signature, that the time is within five minutes, and with `replays` that the message did not come
 * before. Give both secrets while you change from one to the other.
 *
 * `request` is an unread `Request`, or the headers and the raw body. Parsed JSON is refused,
 * because the signature is that of the bytes.
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

/** The most bytes that are read of a stream: no event comes near. */
const maxBody = 2 ** 20;

/** The most characters of a list of signatures, 47 each: to read a longer one may take seconds. */
const maxSignature = 8_192;

/** The headers of the signature. */
export interface SignedHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/**
 * The headers of a message, or the name of the first that is missing or not valid. An id has no
 * full stop, because that separates it from the time in the signed text. A time has only one
 * spelling: with another, the same signature would be valid, and a replay would go unnoticed.
 */
export function readHeaders(
  headers: WebhookHeaders | undefined,
): SignedHeaders | { readonly wrong: string } {
  const id = readHeader(headers, 'webhook-id');
  if (id === undefined || !/^[!-\-/-~]{1,256}$/.test(id)) return { wrong: 'webhook-id' };
  const timestamp = readHeader(headers, 'webhook-timestamp');
  if (timestamp === undefined || !/^[1-9]\d{0,11}$/.test(timestamp)) {
    return { wrong: 'webhook-timestamp' };
  }
  const signature = readHeader(headers, 'webhook-signature');
  return signature && signature.length <= maxSignature
    ? { id, timestamp, signature }
    : { wrong: 'webhook-signature' };
}

function readHeader(headers: WebhookHeaders | undefined, name: string): string | undefined {
  try {
    const value: unknown =
      typeof headers?.get === 'function'
        ? headers.get(name)
        : (headers as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The exact text of a body, or `undefined` if the body is not raw. There is no text if its bytes
 * are not UTF-8 or a character is cut in two: such a body is never signed, and the replacement by a
 * decoder would have the signature of another body.
 */
export async function readBody(
  request: WebhookRequest,
): Promise<{ readonly text: string | undefined } | undefined> {
  try {
    const body = isUnread(request) ? await readBytes(request) : request.body;
    if (typeof body === 'string') return { text: body.isWellFormed() ? body : undefined };
    return isBytes(body) ? { text: decode(body) } : undefined;
  } catch {
    return undefined;
  }
}

type Unread = Extract<WebhookRequest, { arrayBuffer: unknown }>;

function isUnread(request: WebhookRequest): request is Unread {
  return 'arrayBuffer' in request && typeof request.arrayBuffer === 'function';
}

async function readBytes(request: Unread): Promise<Uint8Array | undefined> {
  const { body, bodyUsed } = request;
  if (bodyUsed) return undefined;
  if (!body) return new Uint8Array(await request.arrayBuffer());
  const bytes = await collectBytes(piecesOfStream(body), maxBody);
  return bytes === 'too_large' ? undefined : bytes;
}

function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]';
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
