import { bytesOfBase64, piecesOfStream } from '../wire/bytes.js';
import type { BodyLike } from './fetch-like.js';

/** A content that each attempt can read again, or one that can be read only once. */
export type Source = Blob | AsyncIterable<Uint8Array>;

/** The source of the bytes of a content, or `undefined` if it is not a content. */
export function sourceOf(content: unknown): Source | undefined {
  listen(content);
  if (typeof content === 'string') return decode(content);
  if (content instanceof Blob) return content;
  if (isBytes(content)) return new Blob([content]);
  const isIterable = Symbol.asyncIterator in Object(content) || isStream(content);
  return isIterable ? (content as AsyncIterable<Uint8Array>) : undefined;
}

/** Says whether the runtime is a browser: over HTTP/1.1, browsers cannot stream a body. */
export function isBrowser(): boolean {
  return /^Mozilla/.test(globalThis.navigator?.userAgent);
}

/** Without a listener, a stream of Node that fails before it is read ends the process. */
function listen(content: unknown): void {
  const { on } = Object(content);
  if (typeof on === 'function') on.call(content, 'error', () => undefined);
}

/** Closes the source of the content of an upload that is not read on. */
export async function releaseContent(upload: unknown): Promise<void> {
  const { content } = upload as { readonly content: Closable };
  listen(content);
  await (content.destroy?.() ?? content.cancel?.() ?? content[Symbol.asyncIterator]().return?.());
}

/** A stream of Node, one of the web, or any iterable. */
interface Closable extends AsyncIterable<unknown> {
  destroy?(): unknown;
  cancel?(): unknown;
}

/** The pieces of a content or of a body; throws if one is not bytes. */
export async function* piecesOf(
  source: Source | BodyLike,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces: AsyncIterable<unknown> | BodyLike =
    source instanceof Blob ? source.stream() : source;
  for await (const piece of isStream(pieces) ? piecesOfStream(pieces) : pieces) {
    if (!isBytes(piece)) throw new TypeError('a piece is not bytes');
    yield piece;
  }
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === '[object Uint8Array]';
}

function isStream(value: unknown): value is BodyLike {
  return 'getReader' in Object(value);
}

/** Base64 as the service takes it in JSON (RFC 4648, section 4); `atob` alone would take more. */
function decode(text: string): Blob | undefined {
  const end = text.search(/[^A-Za-z0-9+/]/);
  if (text.length % 4 > 0 || (end >= 0 && !/^==?$/.test(text.slice(end)))) return undefined;
  return new Blob([bytesOfBase64(text)]);
}
