import { bytesOfBase64, collectBytes, piecesOfStream } from '../wire/bytes.js';
import type { WebhookHeaders, WebhookRequest } from './webhook-types.js';

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

/**
 * The one value of a header, or `undefined` if there is none or another one. Hosts hand over the
 * names in any case, and each value as a text, in a list, or in an object with the name (Lambda@Edge).
 */
function readHeader(headers: unknown, name: string): string | undefined {
  try {
    const [value, ...others] = valuesOf(headers, name);
    return typeof value === 'string' && others.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function valuesOf(headers: unknown, name: string): readonly unknown[] {
  const { get, [Symbol.iterator]: entries } = Object(headers);
  // a `Headers` finds a name in any case; a map, and what is only like one, in one case alone
  const found = typeof get === 'function' ? get.call(headers, name) : undefined;
  const named: Iterable<readonly [unknown, unknown]> =
    found !== undefined && found !== null
      ? [[name, found]]
      : typeof entries === 'function'
        ? (headers as Iterable<readonly [unknown, unknown]>)
        : Object.entries(Object(headers));
  return [...named]
    .filter(([each]) => String(each).toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .map((each) => Object(each).value ?? each);
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
    const body = isUnread(request) ? await readBytes(request) : rawOf(request);
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

/** The raw body as a host hands it over: beside a parsed one, or as base64. */
function rawOf({ rawBody, body, isBase64Encoded }: Exclude<WebhookRequest, Unread>): unknown {
  if (rawBody !== undefined && rawBody !== null) return rawBody;
  if (typeof body === 'string') return isBase64Encoded === true ? bytesOfBase64(body) : body;
  const { data, encoding } = Object(body);
  if (typeof data !== 'string') return body;
  return encoding === 'base64' ? bytesOfBase64(data) : encoding === 'text' ? data : undefined;
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
