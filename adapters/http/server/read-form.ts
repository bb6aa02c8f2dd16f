import { make } from 'multipasta/Search';
import { createByteBuffer } from '../wire/bytes.js';
import { type PartHead, parametersOf, readHead } from './form-head.js';
import { unsupported } from './read-json.js';
import type { Refusal } from './reply.js';
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

/** What a file is sent as. */
export const fileTypes = 'application/json, multipart/form-data';
/** Bytes that a form may have around its file: fields, heads of parts, boundaries. */
export const formOverhead = 64 * 1024;
const maxParts = 64;
/** Two ends of lines. */
const emptyLine = /* @__PURE__ */ Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a);
const longestHead = 16 * 1024 + emptyLine.length;
const dash = 0x2d;
/** Bytes of a file that are passed on together, so that a store has no work for each byte. */
const smallestPiece = 16 * 1024;

/**
 * Reads a form (RFC 7578) up to its file, and returns it as an upload. Its content reads on to the
 * end of the form: then the fields after the file are known. No more is read than the next piece of
 * the content needs. A mistake in the form is thrown by the content, in a form that the core
 * understands. A part that counts and is encoded is refused.
 */
export async function readForm(
  chunks: AsyncIterator<Uint8Array>,
  boundary: string,
  fileLimit: number,
): Promise<FormFile | Refusal> {
  const form = createForm(chunks, boundary, fileLimit);
  try {
    while (form.file() === undefined && (await form.advance()));
  } catch (problem) {
    if (Object(problem).code === 'encoded') return unsupported(fileTypes);
    return { name: 'file', content: failing(problem), stage_id: form.stage };
  }
  const head = form.file();
  if (head === undefined) {
    return { name: 'file', content: failing({ code: 'required' }), stage_id: form.stage };
  }
  return {
    stage_id: form.stage,
    name: head.filename ?? '',
    ...(head.type === undefined ? {} : { content_type: head.type }),
    content: form.pieces(),
  };
}

function failing(problem: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
}

type Problem = { readonly code: 'malformed_form' | 'repeated' | 'too_large' | 'encoded' };

/** Takes the content of a part, piece by piece, and its end. */
interface Part {
  add(piece: Uint8Array): void;
  end(): void;
}

function createForm(chunks: AsyncIterator<Uint8Array>, boundary: string, fileLimit: number) {
  let file: PartHead | undefined;
  let stage: unknown;
  let problem: Problem | undefined;
  let isFileWhole = false;
  let isEnded = false;
  let left = fileLimit + formOverhead;
  const content = createByteBuffer(Number.POSITIVE_INFINITY);
  // bytes after the end of a form are not a part of it (RFC 2046, 5.1.1)
  const fail = (code: Problem['code']) => {
    if (!isEnded) problem ??= { code };
  };

  function open(head: PartHead): Part {
    const { name, filename, isEncoded } = head;
    const isStage = name === 'stage_id' && filename === undefined;
    if (isEncoded && (name === 'file' || isStage)) {
      // once the file is being read, it is too late for another status
      fail(file === undefined ? 'encoded' : 'malformed_form');
    }
    if (name === 'file') {
      if (file !== undefined) fail('repeated');
      file ??= head;
      return {
        add: (piece) => content.add(piece),
        end() {
          isFileWhole = true;
        },
      };
    }
    // a file of another name is an unknown member: it is ignored
    if (filename !== undefined) return { add: () => undefined, end: () => undefined };
    const field = createByteBuffer(formOverhead);
    return {
      add(piece) {
        if (!field.add(piece)) fail('malformed_form');
      },
      end() {
        if (isStage) stage = numberOrText(new TextDecoder().decode(field.take()));
      },
    };
  }

  let parts = 0;
  let part: Part | undefined;
  /** What has come of the head of the part, while it is not whole. */
  let head: Uint8Array | undefined;

  function take(index: number, piece: Uint8Array): void {
    // text before the first boundary
    if (index === 0 || isEnded || problem !== undefined) return;
    if (index !== parts) {
      part?.end();
      part = undefined;
      parts += 1;
      head = new Uint8Array();
      if (index !== parts || parts > maxParts) fail('malformed_form');
    }
    if (head === undefined) part?.add(piece);
    else takeHead(head, piece);
  }

  function takeHead(before: Uint8Array, piece: Uint8Array): void {
    const bytes = new Uint8Array(Math.min(before.length + piece.length, longestHead));
    bytes.set(before);
    bytes.set(piece.subarray(0, longestHead - before.length), before.length);
    if (bytes[0] === dash && bytes[1] === dash) {
      isEnded = true;
      return;
    }
    head = bytes;
    const end = endOfHead(bytes, Math.max(before.length - 3, 0));
    if (end < 0) {
      if (bytes.length === longestHead) fail('malformed_form');
      return;
    }
    head = undefined;
    const read = readHead(bytes.subarray(0, end));
    if (read === undefined) {
      fail('malformed_form');
      return;
    }
    part = open(read);
    const rest = piece.subarray(end + emptyLine.length - before.length);
    if (rest.length > 0) part.add(rest);
  }

  const search = make(`\r\n--${boundary}`, take);
  // the first boundary may stand at the beginning
  search.write(emptyLine.slice(2));
  if (boundary === '') fail('malformed_form');

  function feed(chunk: Uint8Array): void {
    left -= chunk.length;
    if (left < 0) problem ??= { code: 'too_large' };
    else if (!isEnded) search.write(chunk);
  }

  function finish(): void {
    if (!isEnded) search.end();
    if (!isEnded) fail('malformed_form');
  }

  /** Reads the next chunk; false at the end. */
  async function advance(): Promise<boolean> {
    if (problem !== undefined) throw problem;
    const { value, done } = await chunks.next();
    if (done === true) finish();
    else feed(value);
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

/** Where the head ends, looked for from `from` on; -1 if it goes on. */
function endOfHead(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0x0d, from);
  while (at >= 0 && !emptyLine.every((byte, index) => bytes[at + index] === byte)) {
    at = bytes.indexOf(0x0d, at + 1);
  }
  return at;
}
