import { fileMembers } from '../wire/deals.js';
import { callHook } from '../wire/route.js';
import type { ClientUploadOptions } from './client-api.js';
import { copyMembers, encodeInput } from './encode-input.js';
import type { AbortSignalLike, RequestLike } from './fetch-like.js';
import { isBrowser, piecesOf, type Source, sourceOf } from './file-source.js';

/** The body that a call sends with each of its attempts. */
export interface Sendable {
  readonly type?: string;
  /** The body of one more attempt; the signal ends it. */
  readonly open?: (signal: AbortSignalLike) => Opened | Promise<Opened>;
  /** Called when an attempt is answered. */
  readonly close?: () => void;
  /** Says that there can be no other attempt: the content was read. */
  readonly isSpent?: () => boolean;
  /** Why the content could not be read to its end. */
  readonly broken?: () => { readonly cause: unknown } | undefined;
  /** A member that was not sent: errors must not mention it. */
  readonly unsaid?: string;
}

type Opened = Pick<RequestLike, 'body' | 'duplex'>;

/** A body of JSON; `undefined` if it is too long. */
export function asJson(body: string | undefined): Sendable | undefined {
  return body === undefined ? undefined : { type: 'application/json', open: () => ({ body }) };
}

/** A file as a form (RFC 7578), or as JSON without its content if a form cannot carry its terms. */
export function encodeUpload(
  upload: unknown,
  onProgress: ClientUploadOptions['onProgress'],
): Sendable | undefined {
  const terms = copyMembers(upload);
  if (terms === undefined) return asJson(encodeInput(upload, fileMembers));
  const { content, stage_id } = terms;
  const source = sourceOf(content);
  if (source !== undefined && fitsForm(terms)) {
    return encodeForm(terms, source, onProgress);
  }
  const known = {
    ...terms,
    stage_id: typeof stage_id === 'function' ? stage_id() : stage_id,
    // text that is not base64 need not be sent whole to be refused
    content: source === undefined ? (typeof content === 'string' ? '!' : content) : false,
  };
  const json = asJson(encodeInput(known, fileMembers));
  return source === undefined ? json : json && { ...json, unsaid: 'content' };
}

type Terms = Readonly<Record<string, unknown>>;

/** Says whether a form carries the terms of a file unchanged. */
function fitsForm({ name, content_type = 'a/b', stage_id = 0 }: Terms): boolean {
  return (
    /^[^\0\p{Cs}]{1,255}$/u.test(typeof name === 'string' ? name : '') &&
    typeof content_type === 'string' &&
    /^[!-~](?:[\t -~]{0,253}[!-~])?$/.test(content_type) &&
    (typeof stage_id === 'function' || Number.isSafeInteger(stage_id))
  );
}

/**
 * A form with the file as its content. It is streamed if the content is a stream, or if there is
 * `onProgress`. Browsers do not stream it: there the content is read to its end before it is sent.
 */
function encodeForm(
  { name, content_type, stage_id }: Terms,
  source: Source,
  onProgress: ClientUploadOptions['onProgress'],
): Sendable {
  const boundary = randomText();
  const isLate = typeof stage_id === 'function';
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="`;
  const field = (value: unknown) =>
    value === undefined ? '' : `${part}stage_id"\r\n\r\n${value}\r\n`;
  const type = content_type === undefined ? '' : `Content-Type: ${content_type}\r\n`;
  const file = `${part}file"; ${filenameOf(String(name))}\r\n${type}\r\n`;
  const head = (isLate ? '' : field(stage_id)) + file;
  // a stage that is known only after the content was read comes after it
  const tail = () => `\r\n${isLate ? field(numberOf(stage_id())) : ''}--${boundary}--\r\n`;
  const isBlob = source instanceof Blob;
  const isWhole = isBrowser();
  let size = isBlob ? source.size : undefined;
  const tell = (sent: number) => {
    if (onProgress === undefined) return;
    callHook(onProgress, size === undefined ? { sent } : { sent, total: size });
  };
  let body: Blob | undefined;
  let isBegun = false;
  let broken: { readonly cause: unknown } | undefined;

  async function* parts(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    yield encoder.encode(head);
    let read = 0;
    if (!isWhole) tell(read);
    isBegun = true;
    try {
      for await (const piece of piecesOf(source)) {
        yield piece;
        // the next piece is asked for: this one was sent
        read += piece.length;
        if (!isWhole) tell(read);
      }
    } catch (cause) {
      broken = { cause };
      throw cause;
    }
    size = read;
    yield encoder.encode(tail());
  }

  async function gather(signal: AbortSignalLike): Promise<Opened> {
    body = await new Response(streamOf(parts(), signal)).blob();
    tell(0);
    return { body };
  }

  return {
    type: `multipart/form-data; boundary=${boundary}`,
    open(signal) {
      if (!isWhole && (!isBlob || onProgress !== undefined)) {
        return { body: streamOf(parts(), signal), duplex: 'half' };
      }
      if (isBlob) body = new Blob([head, source, tail()]);
      if (body === undefined) return gather(signal);
      tell(0);
      return { body };
    },
    close() {
      if (body !== undefined) tell(size ?? 0);
    },
    isSpent: () => !isBlob && isBegun && body === undefined,
    broken: () => broken,
  };
}

/** Every value but a number is refused, as in process. */
function numberOf(stage_id: unknown): unknown {
  return stage_id === undefined || typeof stage_id === 'number' ? stage_id : 'none';
}

/**
 * The name as browsers write it (WHATWG HTML, multipart/form-data). If that form changes the name,
 * the extended form (RFC 8187) is added.
 */
function filenameOf(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no header holds them
  const unfit = /[\0-\x1f\x7f\\]/g;
  const plain = name.replace(/["\r\n]/g, encodeURIComponent).replace(unfit, '_');
  const isExact = name.search(unfit) < 0 && !/%(?:22|0A|0D)/i.test(name);
  return `filename="${plain}"${isExact ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`;
}

/** A stream that does not read ahead. The signal ends it: some runtimes read on after an abort. */
function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  signal: AbortSignalLike,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start() {
        signal.addEventListener('abort', () => {
          pieces.return(undefined).catch(() => undefined);
        });
      },
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (!done) controller.enqueue(value);
        // an incomplete content must not pass for a complete one
        else if (signal.aborted) controller.error(signal.reason);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** 128 random bits; pages without TLS have no `randomUUID`. */
export function randomText(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
