import { decodeField, make, type PartInfo } from 'multipasta';
import { joinBytes } from '../wire/join-bytes.js';
import { parametersOf } from './header-parameters.js';
import { numberOrText } from './request-facts.js';

/** A file that comes in a form: what the core takes as an upload. */
export interface FormFile {
  readonly stage_id?: () => unknown;
  readonly name?: string;
  readonly content_type?: string;
  readonly content?: AsyncIterable<Uint8Array>;
}

const contentType = /^\s*multipart\/form-data\s*(?:;|$)/i;
/** RFC 2046, section 5.1.1. */
const soundBoundary = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** The boundary of a form, empty where it is none that may be, or nothing for what is no form. */
export function formBoundary(type: string | undefined): string | undefined {
  if (type === undefined || !contentType.test(type)) return undefined;
  const { boundary = '' } = parametersOf(type);
  return soundBoundary.test(boundary) ? boundary : '';
}

/** What a form may have around its file: fields, heads of parts, boundaries. */
export const formOverhead = 64 * 1024;
const maxParts = 64;

/**
 * Reads a form (RFC 7578) up to its file, and gives it as an upload whose content reads on: to the
 * end of the form, so that fields behind the file are known by then. Nothing is read ahead of what
 * the content is asked for but the piece at hand. What is wrong with a form is thrown by its
 * content, as the core understands it.
 */
export async function readForm(
  chunks: AsyncIterator<Uint8Array>,
  boundary: string,
  fileLimit: number,
): Promise<FormFile> {
  const form = createForm(chunks, boundary, fileLimit);
  try {
    while (form.file() === undefined && (await form.advance()));
  } catch (problem) {
    return { name: 'file', content: failing(problem), stage_id: form.stage };
  }
  const info = form.file();
  if (info === undefined) {
    return { name: 'file', content: failing({ code: 'required' }), stage_id: form.stage };
  }
  const given = withoutPadding(info.headers['content-type']);
  return {
    stage_id: form.stage,
    name: filenameOf(info) ?? '',
    ...(given === undefined ? {} : { content_type: given }),
    content: form.pieces(),
  };
}

/**
 * The value of a part's header without the white space around it (RFC 9110, OWS). The parser leaves
 * some where a chunk ends behind the colon.
 */
function withoutPadding(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return /^[\t ]*(.*[^\t ])?/s.exec(value)?.[1] ?? '';
}

function failing(problem: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
}

type Problem = { readonly code: 'malformed_form' | 'repeated' | 'too_large' };

function createForm(chunks: AsyncIterator<Uint8Array>, boundary: string, fileLimit: number) {
  let file: PartInfo | undefined;
  let stage: unknown;
  let problem: Problem | undefined;
  let isEnded = false;
  let left = fileLimit + formOverhead;
  let held: Uint8Array = new Uint8Array();
  const pieces: Uint8Array[] = [];
  // what stands behind the end of a form is no part of it (RFC 2046, 5.1.1)
  const fail = (code: Problem['code']) => {
    if (!isEnded) problem ??= { code };
  };
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    maxParts,
    maxFieldSize: formOverhead,
    isFile: (info) => nameOf(info) === 'file' || filenameOf(info) !== undefined,
    onFile(info) {
      // a file of another name is an unknown member: it is not looked at
      if (isEnded || nameOf(info) !== 'file') return () => undefined;
      if (file !== undefined) fail('repeated');
      file ??= info;
      return (piece) => {
        if (piece !== null && piece.length > 0) pieces.push(piece);
      };
    },
    onField(info, value) {
      if (!isEnded && nameOf(info) === 'stage_id') stage = numberOrText(decodeField(info, value));
    },
    onError: () => fail('malformed_form'),
    onDone() {
      isEnded = true;
    },
  });
  if (boundary === '') fail('malformed_form');

  function feed(chunk: Uint8Array): void {
    left -= chunk.length;
    if (left < 0) {
      problem ??= { code: 'too_large' };
      return;
    }
    if (isEnded) return;
    const bytes = held.length === 0 ? chunk : joinBytes([held, chunk], held.length + chunk.length);
    // the parser does not see the end of a form that comes to it cut between the last two dashes
    const whole = bytes.length - dashesAtEnd(bytes);
    held = bytes.slice(whole);
    parser.write(bytes.subarray(0, whole));
  }

  function finish(): void {
    if (!isEnded) parser.write(held);
    if (!isEnded) parser.end();
    if (!isEnded) fail('malformed_form');
  }

  /** Takes the next chunk in; false at the end. */
  async function advance(): Promise<boolean> {
    if (problem !== undefined) throw problem;
    const { value, done } = await chunks.next();
    try {
      if (done === true) finish();
      else feed(value);
    } catch {
      fail('malformed_form');
    }
    if (problem !== undefined) throw problem;
    return done !== true;
  }

  return {
    file: () => file,
    stage: () => stage,
    advance,
    async *pieces(): AsyncGenerator<Uint8Array> {
      let isMore = true;
      do {
        for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
        isMore = await advance();
      } while (isMore || pieces.length > 0);
    },
  };
}

/** Two at most. */
function dashesAtEnd(bytes: Uint8Array): number {
  const dash = 0x2d;
  if (bytes.at(-1) !== dash) return 0;
  return bytes.at(-2) === dash ? 2 : 1;
}

// read from the header itself: the parser's own reading knows no letters beyond Latin-1
function nameOf({ headers }: PartInfo): string | undefined {
  return dispositionOf(headers)['name'];
}

const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * The name of a file: in its extended form (RFC 8187, UTF-8) where it is there, or as browsers write
 * it, with a quote and the ends of lines escaped (WHATWG HTML, multipart form data).
 */
function filenameOf({ headers }: PartInfo): string | undefined {
  const { filename, 'filename*': extended } = dispositionOf(headers);
  return (
    extendedValue(extended) ??
    filename?.replaceAll(/%(?:22|0D|0A)/gi, (found) => escaped[found.toUpperCase()] ?? found)
  );
}

function extendedValue(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function dispositionOf(headers: PartInfo['headers']): Readonly<Record<string, string>> {
  const disposition = headers['content-disposition'];
  return parametersOf(typeof disposition === 'string' ? disposition : '');
}
