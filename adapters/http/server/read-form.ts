import { decodeField, make, type PartInfo } from 'multipasta';
import { createByteBuffer } from '../wire/bytes.js';
import { numberOrText } from './request-facts.js';

/** A file in a form, as the core takes an upload. */
export interface FormFile {
  readonly stage_id?: () => unknown;
  readonly name?: string;
  readonly content_type?: string;
  readonly content?: AsyncIterable<Uint8Array>;
}

const contentType = /^\s*multipart\/form-data\s*(?:;|$)/i;
/** RFC 2046, section 5.1.1. */
const soundBoundary = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** The boundary of a form: `''` if it is not valid, `undefined` if the body is not a form. */
export function formBoundary(type: string | undefined): string | undefined {
  if (type === undefined || !contentType.test(type)) return undefined;
  const { boundary = '' } = parametersOf(type);
  return soundBoundary.test(boundary) ? boundary : '';
}

/** Bytes that a form may have around its file: fields, heads of parts, boundaries. */
export const formOverhead = 64 * 1024;
const maxParts = 64;
/** Bytes of a file that are passed on together, so that a store has no work for each byte. */
const smallestPiece = 16 * 1024;

/**
 * Reads a form (RFC 7578) up to its file, and returns it as an upload. Its content reads on to the
 * end of the form: then the fields after the file are known. No more is read than the next piece of
 * the content needs. A mistake in the form is thrown by the content, in a form that the core
 * understands.
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

/** Removes white space around a value (RFC 9110, OWS): the parser leaves some at ends of chunks. */
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
  let isFileWhole = false;
  let isEnded = false;
  let left = fileLimit + formOverhead;
  const arrived = createByteBuffer(Number.POSITIVE_INFINITY);
  const content = createByteBuffer(Number.POSITIVE_INFINITY);
  // bytes after the end of a form are not a part of it (RFC 2046, 5.1.1)
  const fail = (code: Problem['code']) => {
    if (!isEnded) problem ??= { code };
  };
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    maxParts,
    // the parser would keep an object for each piece of a field
    isFile: () => true,
    onFile(info) {
      const name = nameOf(info);
      if (name === 'file' && !isEnded) {
        if (file !== undefined) fail('repeated');
        file ??= info;
        return (piece) => {
          if (piece === null) isFileWhole = true;
          else content.add(piece);
        };
      }
      // a file of another name is an unknown member: it is ignored
      if (filenameOf(info) !== undefined) return () => undefined;
      const field = createByteBuffer(formOverhead);
      return (piece) => {
        if (piece !== null) {
          if (!field.add(piece)) fail('malformed_form');
        } else if (name === 'stage_id' && !isEnded) {
          stage = numberOrText(decodeField(info, field.take()));
        }
      };
    },
    // never called: no part is read as a field
    onField: () => undefined,
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
    arrived.add(chunk);
    const bytes = arrived.take();
    // the parser does not see the end of a form that comes to it cut between the last two dashes
    const whole = bytes.length - dashesAtEnd(bytes);
    arrived.add(bytes.slice(whole));
    parser.write(bytes.subarray(0, whole));
  }

  function finish(): void {
    if (!isEnded) parser.write(arrived.take());
    if (!isEnded) parser.end();
    if (!isEnded) fail('malformed_form');
  }

  /** Reads the next chunk; false at the end. */
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
      for (let isMore = true; isMore; ) {
        // the end of the file must not wait for the end of the body, which may never come
        while (isMore && content.size() < (isFileWhole ? 1 : smallestPiece)) {
          isMore = await advance();
        }
        if (content.size() > 0) yield content.take();
      }
    },
  };
}

/** Two at most. */
function dashesAtEnd(bytes: Uint8Array): number {
  const dash = 0x2d;
  if (bytes.at(-1) !== dash) return 0;
  return bytes.at(-2) === dash ? 2 : 1;
}

// read from the header itself: the parser knows no letters beyond Latin-1
function nameOf({ headers }: PartInfo): string | undefined {
  return dispositionOf(headers)['name'];
}

const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * The name of a file: in its extended form (RFC 8187, UTF-8) if there is one, or else as browsers
 * write it, with quotes and ends of lines escaped (WHATWG HTML, multipart form data).
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

const parameter =
  /[\t ]*;[\t ]*([!#$%&'*+.^_`|~\w-]+)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^;"\t ]*))/suy;

/**
 * The parameters of a header such as Content-Disposition, by their names in lower case. Of a
 * repeated parameter the first counts. Quotes are read as browsers write them (WHATWG HTML,
 * multipart form data): a backslash stands for itself, except in front of a quote.
 */
function parametersOf(header: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  const semicolon = header.indexOf(';');
  if (semicolon < 0) return parameters;
  parameter.lastIndex = semicolon;
  for (let read = parameter.exec(header); read !== null; read = parameter.exec(header)) {
    const [, name = '', quoted, broken, plain = ''] = read;
    parameters[name.toLowerCase()] ??= quoted?.replaceAll('\\"', '"') ?? broken ?? plain;
  }
  return parameters;
}
