import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RawLine, readLines } from '../../adapters/cli/import/lines.js';

const limit = 8;

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]) {
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(from, Math.max(from, cut));
    from = Math.max(from, Math.min(cut, bytes.length));
  }
  yield bytes.subarray(from);
}

async function linesOf(text: string, cuts: readonly number[] = []): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  for await (const line of readLines(inPieces(Buffer.from(text), cuts), limit)) lines.push(line);
  return lines;
}

const textOf = ({ bytes }: RawLine) =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

/** The same in another way: by splitting the whole text. */
function expectedOf(text: string) {
  let end = 0;
  return text
    .split('\n')
    .map((line, at, all) => {
      end += Buffer.byteLength(line) + (at < all.length - 1 ? 1 : 0);
      const own = line.replace(/\r$/, '').replace(at === 0 ? /^\ufeff/ : /(?!)/, '');
      return { number: at + 1, text: Buffer.byteLength(own) > limit ? undefined : own, end };
    })
    .filter(({ text: own }) => own === undefined || /[^ \t\r]/.test(own));
}

describe('the lines of a stream', () => {
  it('are those of its text, however it comes in pieces', async () => {
    const part = fc.constantFrom('a', 'bc', 'ż', ' ', '\t', '\r', '\n', '\r\n', '12345', '\ufeff');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
        fc.array(fc.nat(120), { maxLength: 8 }),
        async (text, cuts) => {
          const lines = await linesOf(text, cuts);
          const got = lines.map((line) => ({
            number: line.number,
            text: textOf(line),
            end: line.end,
          }));
          expect(got).toEqual(expectedOf(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('count the empty ones, and pass over what is too long', async () => {
    const lines = await linesOf(`\ufeffone\r\n\r\n \t\n${'x'.repeat(9)}\n12345678\r\nlast`);
    expect(lines.map((line) => [line.number, textOf(line)])).toEqual([
      [1, 'one'],
      [4, undefined],
      [5, '12345678'],
      [6, 'last'],
    ]);
  });
});
