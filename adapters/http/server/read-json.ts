import { describeIssue } from 'dealwright';
import { jsonOf } from '../wire/bytes.js';
import type { Members } from '../wire/route.js';
import { isJson, preferredLanguage } from './language.js';
import type { HttpRequest } from './messages.js';
import type { Refusal } from './reply.js';
import type { Turn } from './turn.js';

/** The limits of bodies. */
export interface BodyLimits {
  /** Bytes of JSON. */
  readonly json: number;
  /** Bytes of a file. */
  readonly file: number;
}

/** The limits of bodies, and when large ones are parsed. */
export interface BodyReading extends BodyLimits {
  /** Awaited before a large body is parsed: no other request is answered meanwhile. */
  readonly turn: Turn | undefined;
}

/** A body of more bytes takes a while to be parsed, and to be copied member by member. */
const large = 16 * 1024;
/** Levels of objects and arrays in a body. Bodies of the interface have one. */
const maxDepth = 64;

export async function readJson(
  request: HttpRequest,
  members: Members,
  { json: limit, turn }: BodyReading,
): Promise<{ readonly value: unknown } | Refusal> {
  if (isEncoded(request) || !isJson(request.header('content-type'))) {
    return unsupported('application/json');
  }
  const bytes = await request.body(limit);
  if (bytes === 'too_large') return { code: 'payload_too_large', maxBytes: limit };
  if (bytes === 'aborted') return { code: 'incomplete_body' };
  if (bytes.length > large && turn !== undefined) await turn();
  if (isTooDeep(bytes)) {
    const finding = { path: [], code: 'too_deep', params: { max: maxDepth } } as const;
    const language = preferredLanguage(request.header('accept-language'));
    return { code: 'validation_failed', errors: [describeIssue(finding, language)] };
  }
  const value = jsonOf(bytes);
  if (value === undefined) return { code: 'invalid_json' };
  return { value: bytes.length > large ? picked(value, members) : value };
}

/** Says whether JSON nests too deep. Such JSON takes a hundred times as long to parse. */
function isTooDeep(bytes: Uint8Array): boolean {
  // so few brackets cannot nest too deep, and counting them is much faster than reading each byte
  if (countOf(0x5b, bytes) + countOf(0x7b, bytes) <= maxDepth) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22 /* " */) isText = !isText;
    else if (isText) at += byte === 0x5c /* \ */ ? 1 : 0;
    else if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) depth += 1;
    else if (byte === 0x5d /* ] */ || byte === 0x7d /* } */) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** How often a byte occurs, counted up to `maxDepth` + 1. */
function countOf(byte: number, bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0 && count <= maxDepth; count += 1) {
    at = bytes.indexOf(byte, at + 1);
  }
  return count;
}

/** Keeps the known members: to copy 100,000 others takes twice as long as to parse them. */
function picked(value: unknown, members: Members): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.keys(members)
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => [name, (value as Readonly<Record<string, unknown>>)[name]]),
  );
}

/** Says whether a body has a Content-Encoding: every encoding is refused. */
export function isEncoded(request: HttpRequest): boolean {
  return request.header('content-encoding') !== undefined;
}

/** RFC 9110, 15.5.16 */
export function unsupported(accept: string): Refusal {
  return { code: 'unsupported_media_type', headers: { accept } };
}
