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
