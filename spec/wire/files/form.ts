import type { Request } from '../server.js';

/** A part of a form. */
export interface Part {
  readonly name: string;
  /** Of a file. */
  readonly filename?: string;
  readonly type?: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** The header `Content-Disposition`, if it is not to be made from the names. */
  readonly disposition?: string;
}

/** What differs from a plain form. */
export interface FormStyle {
  readonly boundary?: string;
  /** The boundary as the header `Content-Type` has it, in quotation marks if need be. */
  readonly declared?: string;
  /** The names of the headers of its parts; default: as usual. */
  readonly headerNames?: (name: string) => string;
  readonly before?: string;
  readonly after?: string;
  /** The end of the form; default: the closing boundary. */
  readonly end?: string;
}

/** A request whose body is a form (RFC 7578). */
export function formOf(parts: readonly Part[], style: FormStyle = {}): Request {
  const { boundary = 'x5kqRb0undary7Zt', headerNames = (name: string) => name } = style;
  const { declared = boundary, before = '', after = '', end = `--${boundary}--\r\n` } = style;
  const pieces: (string | Uint8Array<ArrayBuffer>)[] = [before];
  for (const { name, filename, type, content, disposition } of parts) {
    const ofFile = filename === undefined ? '' : `; filename="${filename}"`;
    const value = disposition ?? `form-data; name="${name}"${ofFile}`;
    pieces.push(`--${boundary}\r\n${headerNames('Content-Disposition')}: ${value}\r\n`);
    if (type !== undefined) pieces.push(`${headerNames('Content-Type')}: ${type}\r\n`);
    pieces.push('\r\n', content, '\r\n');
  }
  return {
    raw: joined([...pieces, end, after]),
    headers: { 'content-type': `multipart/form-data; boundary=${declared}` },
  };
}

/** A form with this file, as the JavaScript runtime writes it. */
export async function usualFormOf(file: Blob, name: string): Promise<Request> {
  const form = new FormData();
  form.append('file', file, name);
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? undefined;
  return {
    raw: new Uint8Array(await response.arrayBuffer()),
    headers: { 'content-type': type },
  };
}

function joined(pieces: readonly (string | Uint8Array<ArrayBuffer>)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const all = pieces.map((each) => (typeof each === 'string' ? encoder.encode(each) : each));
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of all) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}
