import { joined, problemAt } from './format.js';

/** A line of an archive. */
export interface ArchiveLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Bytes of the archive up to its end. */
  readonly end: number;
}

const lineFeed = 0x0a;

/**
 * The lines of an archive, wherever its chunks break them. Throws if a line is longer than the
 * limit, before it is read to its end, and if one is not UTF-8.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  longest: number,
): AsyncGenerator<ArchiveLine, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let [number, end, size] = [1, 0, 0];
  let held: Uint8Array[] = [];
  const take = (piece: Uint8Array) => {
    size += piece.length;
    if (size > longest) throw problemAt(number, `is longer than ${longest} bytes`);
    // the source may reuse the bytes of a chunk
    if (piece.length > 0) held.push(piece.slice());
  };
  const finish = (): ArchiveLine => {
    let text: string;
    try {
      text = decoder.decode(joined(held, size));
    } catch {
      throw problemAt(number, 'is not UTF-8');
    }
    [held, size] = [[], 0];
    number += 1;
    return { number: number - 1, text, end };
  };
  for await (const bytes of bytesOf(chunks)) {
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      take(bytes.subarray(from, at));
      end += at + 1 - from;
      from = at + 1;
      yield finish();
    }
    take(bytes.subarray(from));
    end += bytes.length - from;
  }
  if (size > 0) yield finish();
}

/** The members of a line. */
export type Members = Readonly<Record<string, unknown>>;

/** The object on a line. */
export function objectOf({ number, text }: ArchiveLine): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problemAt(number, 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problemAt(number, 'is not a JSON object');
  }
  return value as Members;
}

/** Chunks as bytes: if text is cut within a character, its first half waits for the second. */
async function* bytesOf(chunks: AsyncIterable<Uint8Array | string>) {
  const encoder = new TextEncoder();
  // the encoder would replace half a character
  const bytesOfText = (text: string) =>
    text.isWellFormed() ? encoder.encode(text) : Uint8Array.of(0xff);
  let half = '';
  for await (const chunk of chunks) {
    const text = half + (typeof chunk === 'string' ? chunk : '');
    half = typeof chunk === 'string' ? (/[\ud800-\udbff]$/.exec(text)?.[0] ?? '') : '';
    yield bytesOfText(text.slice(0, text.length - half.length));
    if (typeof chunk !== 'string') yield chunk;
  }
  yield bytesOfText(half);
}
