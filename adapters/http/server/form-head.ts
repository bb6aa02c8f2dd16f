/** The head of a part of a form, as far as it counts. */
export interface PartHead {
  readonly name: string | undefined;
  /** The name of a file: ill-formed text, which every rule refuses, if it is not UTF-8. */
  readonly filename: string | undefined;
  readonly type: string | undefined;
  /** Whether the content is encoded: base64 or quoted-printable (RFC 2045). */
  readonly isEncoded: boolean;
}

/** As many as the head of a request has in Node. */
const maxHeaders = 100;
const line = /^([!#$%&'*+.^_`|~\w-]+):([\t -~\u0080-\uffff]*)$/;

/**
 * Reads what stands between a boundary and the empty line after the head (RFC 7578); `undefined` if
 * a line is not a header.
 */
export function readHead(bytes: Uint8Array): PartHead | undefined {
  const text = new TextDecoder().decode(bytes);
  const headers: Record<string, string> = Object.create(null);
  const [afterBoundary = '', ...lines] = text.split('\r\n');
  if (!/^[\t ]*$/.test(afterBoundary) || lines.length > maxHeaders) return undefined;
  for (const each of lines) {
    const [, name, value = ''] = line.exec(each) ?? [];
    if (name === undefined) return undefined;
    headers[name.toLowerCase()] ??= withoutPadding(value);
  }
  const disposition = headers['content-disposition'] ?? '';
  const { name, filename, 'filename*': extended } = parametersOf(disposition);
  const isForm = /^form-data[\t ]*(?:;|$)/i.test(disposition);
  if (isForm && name === undefined) return undefined;
  const encoding = headers['content-transfer-encoding'] ?? '';
  return {
    name,
    filename: filenameOf(filename, extended, () => isUtf8(bytes)),
    type: headers['content-type'],
    isEncoded: !/^(?:7bit|8bit|binary)?$/i.test(encoding),
  };
}

/** Removes white space around a value (RFC 9110, OWS). */
function withoutPadding(value: string): string {
  return /^[\t ]*(.*[^\t ])?/s.exec(value)?.[1] ?? '';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
/** No text: every rule of a text refuses it. */
const illFormed = '\uD800';

/**
 * The name of a file: in its extended form (RFC 8187, UTF-8) if that can be read, or else as browsers
 * write it, with quotes and ends of lines escaped (WHATWG HTML, multipart form data).
 */
function filenameOf(
  filename: string | undefined,
  extended: string | undefined,
  isUtf8: () => boolean,
): string | undefined {
  const read = extendedValue(extended);
  if (read !== undefined) return read;
  if (filename === undefined) return extended === undefined ? undefined : illFormed;
  // the sign stands in a name, or for bytes that are not UTF-8
  if (filename.includes('\uFFFD') && !isUtf8()) return illFormed;
  return filename.replaceAll(/%(?:22|0D|0A)/gi, (found) => escaped[found.toUpperCase()] ?? found);
}

function extendedValue(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-?8'[^']*'(.+)$/i.exec(value ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const parameter =
  /[\t ]*;[\t ]*([!#$%&'*+.^_`|~\w-]+)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^;"]*))/suy;

/**
 * The parameters of a header such as Content-Disposition, by their names in lower case. Of a
 * repeated parameter the first counts. Quotes are read as browsers write them (WHATWG HTML,
 * multipart form data): a backslash stands for itself, except in front of a quote. A value without
 * quotes may have spaces within, as some clients write names.
 */
export function parametersOf(header: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  const semicolon = header.indexOf(';');
  if (semicolon < 0) return parameters;
  parameter.lastIndex = semicolon;
  for (let read = parameter.exec(header); read !== null; read = parameter.exec(header)) {
    const [, name = '', quoted, broken, plain = ''] = read;
    parameters[name.toLowerCase()] ??= quoted?.replaceAll('\\"', '"') ?? broken ?? plain.trim();
  }
  return parameters;
}
