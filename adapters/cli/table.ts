import Table from 'cli-table3';
import { printable } from './printable.js';

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
