import { createHash } from 'node:crypto';
import { emailKey, type Language } from 'dealwright';
import { err, ok, Result } from 'neverthrow';
import { type BodyKind, fieldsOf } from '../fields.js';
import { jsonOf } from '../input.js';

/** A line of a file. */
export interface RawLine {
  /** From 1, empty ones counted. */
  readonly number: number;
  /** Its bytes without the line break, or `undefined` if there are too many. */
  readonly bytes: Uint8Array | undefined;
  /** How many bytes of the file there are up to its end. */
  readonly end: number;
}

const lineFeed = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];
/** A byte order mark and a carriage return do not count. */
const slack = 4;
const blanks = new Set([0x20, 0x09, 0x0d]);

/**
 * The lines of a stream that are not blank. Of a line longer than `limit` bytes only that many are
 * kept: the rest is skipped.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<RawLine, void, undefined> {
  let number = 1;
  let end = 0;
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (piece: Uint8Array) => {
    size += piece.length;
    if (size <= limit + slack) held.push(piece);
    else held = [];
  };
  const finish = (): RawLine | undefined => {
    const bytes = size > limit + slack ? undefined : trimmed(held, number === 1);
    const line = { number, bytes: bytes && bytes.length <= limit ? bytes : undefined, end };
    number += 1;
    held = [];
    size = 0;
    return line.bytes?.every((byte) => blanks.has(byte)) ? undefined : line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, at));
      end += at + 1 - from;
      from = at + 1;
      const line = finish();
      if (line !== undefined) yield line;
    }
    take(chunk.subarray(from));
    end += chunk.length - from;
  }
  const last = finish();
  if (last !== undefined) yield last;
}

/** The pieces as one, without a carriage return at the end and a byte order mark at the start. */
function trimmed(pieces: readonly Uint8Array[], isFirst: boolean): Uint8Array {
  const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  const from = isFirst && byteOrderMark.every((byte, at) => bytes[at] === byte) ? 3 : 0;
  return bytes.subarray(from, bytes.at(-1) === 0x0d ? -1 : undefined);
}

/** A line that can be sent. */
export interface ImportLine {
  readonly kind: BodyKind;
  readonly body: unknown;
  /** Made from its content alone, so it is the same in every run and in every file. */
  readonly idempotencyKey: string;
  /** The names that must be answered first, if the file has them earlier. */
  readonly after: readonly string[];
  /** The name that later lines may wait for. */
  readonly makes: string;
}

/** Why a line is not sent at all. */
export interface BadLine {
  readonly code: 'invalid_json' | 'invalid_line' | 'payload_too_large';
  readonly message: string;
}

const texts = {
  invalid_json: {
    en: 'The line is not JSON in UTF-8.',
    pl: 'Wiersz nie jest poprawnym JSON-em w kodowaniu UTF-8.',
  },
  payload_too_large: {
    en: 'The line is longer than a body may be.',
    pl: 'Wiersz jest dłuższy, niż może być treść żądania.',
  },
} as const;

/** Reads a line; `undefined` stands for one that is too long. */
export function parseLine(
  bytes: Uint8Array | undefined,
  language: Language,
): Result<ImportLine, BadLine> {
  const plain = (code: keyof typeof texts) => err({ code, message: texts[code][language] });
  if (bytes === undefined) return plain('payload_too_large');
  const json = jsonOf(bytes);
  if (json.isErr()) return plain('invalid_json');
  const { value } = json;
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name, body] = entries[0] ?? [];
  const kinds = Object.keys(fieldsOf) as BodyKind[];
  const kind = kinds.find((each) => each === name);
  if (entries.length !== 1 || kind === undefined || Array.isArray(value)) {
    return err({
      code: 'invalid_line',
      message: `a line is an object with one member, which is one of ${kinds.join(', ')}`,
    });
  }
  const key = keyOf(kind, body);
  // nested deeper than any body of the interface, and too deep to be written again
  if (key.isErr()) return plain('invalid_json');
  const members: Readonly<Record<string, unknown>> = Object(body);
  const text = (member: string) => {
    const value = members[member];
    return typeof value === 'string' ? value : '';
  };
  const deal = `deal ${text('partner_id')}`;
  const contractor = `contractor ${emailKey(text(kind === 'deal' ? 'contractor_email' : 'email'))}`;
  const after = { contractor: [contractor], deal: [contractor, deal], deal_v2: [deal] }[kind];
  const makes = kind === 'contractor' ? contractor : deal;
  return ok({ kind, body, idempotencyKey: key.value, after, makes });
}

/** Two bodies with the same members get the same key, in any order. */
const keyOf = Result.fromThrowable((kind: BodyKind, body: unknown) => {
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
  const members = isRecord ? Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)) : body;
  const text = JSON.stringify([kind, members]);
  return `import-${createHash('sha256').update(text).digest('hex')}`;
});
