import bars from 'cli-progress';
import Table from 'cli-table3';

export interface Layout {
  readonly head?: readonly string[];
  /** Columns of figures, which end below each other. */
  readonly right?: readonly number[];
  /** The column that shrinks if the table is wider than `width`. */
  readonly flexible: number;
  /** Whether long text continues on the next line; otherwise it is cut with an ellipsis. */
  readonly wrap?: boolean;
  /** Columns of the terminal; absent without a terminal: then nothing is cut. */
  readonly width?: number | undefined;
}

/** A narrower column is unreadable. */
const narrowest = 8;

/** No lines around the cells, and two blanks between them. */
const chars = {
  ...Object.fromEntries(
    ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) =>
      ['', '-mid', '-left', '-right'].map((part) => [side + part, '']),
    ),
  ),
  middle: '  ',
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** Rows below each other, without lines around them, ending in a line break. */
export function formatTable(rows: readonly (readonly unknown[])[], layout: Layout): string {
  const { head, flexible, width = Number.POSITIVE_INFINITY, wrap = false } = layout;
  const shown = [...(head === undefined ? [] : [head]), ...rows].map((row) => row.map(show));
  const excess = widthOf(shown) - width;
  const own = widthOf(shown.map((row) => [row[flexible] ?? '']));
  const narrowed = Math.max(Math.min(narrowest, own), own - excess);
  const colWidths = excess > 0 ? [...Array<null>(flexible).fill(null), narrowed] : [];
  const table = new Table({
    chars,
    style,
    colWidths,
    colAligns: (shown[0] ?? []).map((_, at) => (layout.right?.includes(at) ? 'right' : 'left')),
    wordWrap: wrap,
    wrapOnWordBoundary: false,
  });
  table.push(...shown);
  // the padding of the last column would only run over the edge of a narrow terminal
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

function widthOf(rows: readonly (readonly string[])[]): number {
  const table = new Table({ chars, style });
  table.push(...rows.map((row) => [...row]));
  return table.width;
}

/** The text of a cell; a missing value is a dash. */
function show(cell: unknown): string {
  let text: string;
  if (Array.isArray(cell) && cell.every((each) => typeof each !== 'object')) {
    text = cell.join(', ');
  } else if (typeof cell === 'object' && cell !== null) text = JSON.stringify(cell);
  else text = String(cell ?? '');
  return text === '' ? '-' : printable(text);
}

/** The members of a record below each other. */
export function formatRecord(record: object, width: number | undefined): string {
  return formatTable(Object.entries(record), { flexible: 1, wrap: true, width });
}

/**
 * Characters that control a terminal, and those that reorder or hide the text around them: control
 * characters, line and paragraph separators, format characters such as those that turn the
 * direction of writing. The two joiners are kept: scripts and emoji need them, and they move
 * nothing.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Text from elsewhere on one line of a terminal: the other characters are escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(unprintable, spell);
}

/**
 * A value as JSON that is safe for a terminal: JSON itself escapes only the control characters
 * below U+0020. It still means exactly the value.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unprintable, (character) =>
    character === '\n' ? character : spell(character),
  );
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spell(character: string): string {
  return (
    named[character] ??
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join('')
  );
}

/** Makes a bar on a terminal's stderr; `total` is the number of bytes, if it is known. */
export function createProgress(
  { stderr: stream }: NodeJS.Process,
  isShown: boolean,
  total?: number,
) {
  let isDrawn = false;
  const bar = new bars.SingleBar(
    {
      stream,
      format: (options, { value, progress }, { note }: { readonly note: string }) =>
        [
          total === undefined
            ? sizeText(value)
            : `[${bars.Format.BarFormat(progress, options)}] ${Math.floor(progress * 100)}%  ${sizeText(value)} of ${sizeText(total)}`,
          note,
        ].join('  '),
      barsize: 30,
      clearOnComplete: true,
      // we handle interrupts, and restore the terminal at any end
      gracefulExit: false,
      linewrap: true,
    },
    bars.Presets.legacy,
  );
  return {
    /** Sets the progress in bytes; the first call draws the bar. */
    at(bytes: number, note = ''): void {
      if (!isShown || !stream.isTTY) return;
      if (!isDrawn) bar.start(total ?? 0, bytes, { note });
      isDrawn = true;
      bar.update(bytes, { note });
    },
    /** Writes a line above the bar. */
    print: (line: string) => void stream.write(`${isDrawn ? '\r\u001b[K' : ''}${line}\n`),
    /** Removes the bar. */
    stop(): void {
      if (isDrawn) bar.stop();
      isDrawn = false;
    },
  };
}

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
