import { decodeField, make, type PartInfo } from 'multipasta';

/** A file that comes in a form: what the core takes as an upload. */
export interface FormFile {
  readonly stage_id?: () => unknown;
  readonly name?: string;
  readonly content_type?: string;
  readonly content?: AsyncIterable<Uint8Array>;
}

const contentType = /^\s*multipart\/form-data\s*(?:;|$)/i;

/** Says by its value that a Content-Type is a form's; whether its boundary is one shows later. */
export function formBoundary(type: string | undefined): string | undefined {
  return type !== undefined && contentType.test(type) ? type : undefined;
}

/** What a form may have around its file: fields, heads of parts, boundaries. */
const overhead = 64 * 1024;
const maxParts = 64;

/**
 * Reads a form (RFC 7578) up to its file, and gives it as an upload whose content reads on: to the
 * end of the form, so that fields behind the file are known by then. Nothing is read ahead of what
 * the content is asked for but the piece at hand. What is wrong with a form is thrown by its
 * content, as the core understands it.
 */
export async function readForm(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  fileLimit: number,
): Promise<FormFile> {
  const form = createForm(chunks[Symbol.asyncIterator](), type, fileLimit);
  try {
    while (form.file() === undefined && (await form.advance()));
  } catch (problem) {
    return { name: 'file', content: failing(problem), stage_id: form.stage };
  }
  const info = form.file();
  if (info === undefined) return { stage_id: form.stage };
  const given = info.headers['content-type'];
  return {
    stage_id: form.stage,
    name: filenameOf(info) ?? '',
    ...(typeof given === 'string' ? { content_type: given } : {}),
    content: form.pieces(),
  };
}

async function* failing(problem: unknown): AsyncGenerator<Uint8Array> {
  throw problem;
}

type Problem = { readonly code: 'malformed_form' | 'repeated' | 'too_large' };

function createForm(chunks: AsyncIterator<Uint8Array>, type: string, fileLimit: number) {
  let file: PartInfo | undefined;
  let stage: unknown;
  let problem: Problem | undefined;
  let isEnded = false;
  const pieces: Uint8Array[] = [];
  const fail = (code: Problem['code']) => {
    problem ??= { code };
  };
  const parser = make({
    headers: { 'content-type': type },
    maxParts,
    maxTotalSize: fileLimit + overhead,
    maxFieldSize: overhead,
    isFile: (info) => nameOf(info) === 'file' || filenameOf(info) !== undefined,
    onFile(info) {
      // a file of another name is an unknown member: it is not looked at
      if (nameOf(info) !== 'file') return () => undefined;
      if (file !== undefined) fail('repeated');
      file ??= info;
      return (piece) => {
        if (piece !== null && piece.length > 0) pieces.push(piece);
      };
    },
    onField(info, value) {
      if (nameOf(info) === 'stage_id') stage = numberOrText(decodeField(info, value));
    },
    onError(error) {
      const isTooLarge = error._tag === 'ReachedLimit' && error.limit === 'MaxTotalSize';
      fail(isTooLarge ? 'too_large' : 'malformed_form');
    },
    onDone() {
      isEnded = true;
    },
  });

  /** Takes the next chunk in; false at the end. */
  async function advance(): Promise<boolean> {
    if (problem !== undefined) throw problem;
    const { value, done } = await chunks.next();
    try {
      if (done !== true) parser.write(value);
      else if (!isEnded) fail('malformed_form');
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
      do {
        for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
      } while (await advance());
    },
  };
}

// read from the header itself: the parser's own reading knows no letters beyond Latin-1
function nameOf(info: PartInfo): string | undefined {
  return parameterOf(info, 'name');
}

function filenameOf(info: PartInfo): string | undefined {
  return parameterOf(info, 'filename');
}

/** A parameter as browsers write it: in quotes, in UTF-8 (WHATWG HTML, multipart/form-data). */
function parameterOf({ headers }: PartInfo, name: string): string | undefined {
  const disposition = headers['content-disposition'];
  if (typeof disposition !== 'string') return undefined;
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;"\\s]+))`, 'is').exec(disposition) ??
    [];
  return quoted?.replaceAll('\\"', '"') ?? plain;
}

function numberOrText(text: string): unknown {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
