import { check } from '../../expectations.js';
import type { Reply } from '../server.js';

/** A header `Content-Disposition` (RFC 6266). */
export interface Disposition {
  /** In lower case. */
  readonly type: string;
  /** The values by the names of the parameters, in lower case; an extended value is decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const head = new RegExp(`^\\s*(${token})\\s*`);
const parameter = new RegExp(
  `;\\s*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))\\s*`,
  'y',
);

/** The header of an answer, which must be there and be well formed. */
export function dispositionOf(reply: Reply): Disposition {
  const header = reply.header('content-disposition') ?? '';
  const isFormed = (condition: boolean): void =>
    check(condition, `a Content-Disposition by RFC 6266\n  actual: ${header || 'none'}`);
  const [whole = '', type = ''] = head.exec(header) ?? [];
  isFormed(type !== '');
  const parameters = new Map<string, string>();
  parameter.lastIndex = whole.length;
  while (parameter.lastIndex < header.length) {
    const [, name = '', quoted, plain = ''] = parameter.exec(header) ?? [];
    isFormed(name !== '' && !parameters.has(name.toLowerCase()));
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
    parameters.set(name.toLowerCase(), name.endsWith('*') ? extended(value) : value);
  }
  return { type: type.toLowerCase(), parameters };
}

/** The text of an extended value (RFC 8187), which must be in UTF-8. */
function extended(value: string): string {
  const [, encoded] = /^utf-8'[\w-]*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~\w-])*)$/i.exec(value) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // its bytes are not UTF-8
  }
  throw new Error(`an extended value of RFC 8187 in UTF-8\n  actual: ${value}`);
}

/** The name that a client gives the file: `filename*` comes before `filename`. */
export function nameIn({ parameters }: Disposition): string | undefined {
  return parameters.get('filename*') ?? parameters.get('filename');
}
