import { collectBytes, piecesOfStream } from '../wire/bytes.js';
import type { WebhookHeaders, WebhookRequest } from './webhook-types.js';

/** Bytes of a body that are read of a stream: no event comes near. */
const maxBody = 2 ** 20;

/** Characters of a list of signatures: each takes 47. What anybody sends is not read for seconds. */
const maxSignature = 8_192;

/** What is signed, and how. */
export interface SignedHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/**
 * The headers of a webhook, or the name of the first that is missing or cannot be one. An id has no
 * full stop, which separates it from the time in what is signed. A time has one spelling: of another
 * one the same signature would be found good, and a replay would not be known.
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
 * The text of a body, exactly, or nothing where the body is not raw. There is no text where its bytes
 * are not UTF-8 or a character is cut in two: nobody signs that, and what a decoder puts in its place
 * would have the signature of another body.
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
