import type { BodyLike } from './fetch-like.js';

/** A content that is read again with each attempt, or one that can be read once. */
export type Source = Blob | AsyncIterable<Uint8Array>;

/** Where the bytes of a content come from, or nothing where it is none. */
export function sourceOf(content: unknown): Source | undefined {
  if (typeof content === 'string') return decode(content);
  if (content instanceof Blob) return content;
  if (isBytes(content)) return new Blob([content]);
  const isIterable = Symbol.asyncIterator in Object(content) || isStream(content);
  return isIterable ? (content as AsyncIterable<Uint8Array>) : undefined;
}

/** Says whether the runtime is a browser: it sends a body as a whole, or not at all over HTTP/1.1. */
export function isBrowser(): boolean {
  return /^Mozilla/.test(globalThis.navigator?.userAgent);
}

/** The pieces of a content; one that is no bytes is thrown. */
export async function* piecesOf(source: Source): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces = source instanceof Blob ? source.stream() : source;
  for await (const piece of isStream(pieces) ? iterate(pieces) : pieces) {
    if (!isBytes(piece)) throw new TypeError('a piece is no bytes');
    yield piece;
  }
}

/** The pieces of a stream, which not every browser can iterate. */
export async function* iterate(stream: BodyLike): AsyncGenerator<Uint8Array | undefined> {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    isRead = true;
  } finally {
    // nobody waits for the rest, nor for the news that nobody does
    if (!isRead) reader.cancel().then(undefined, () => undefined);
  }
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === '[object Uint8Array]';
}

function isStream(value: unknown): value is ReadableStream {
  return 'getReader' in Object(value);
}

/** Base64 as the service takes it in JSON (RFC 4648, section 4); `atob` alone would take more. */
function decode(text: string): Blob | undefined {
  const end = text.search(/[^A-Za-z0-9+/]/);
  if (text.length % 4 > 0 || (end >= 0 && !/^==?$/.test(text.slice(end)))) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return new Blob([bytes]);
}
