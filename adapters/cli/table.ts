import Table from 'cli-table3';
import { printable } from './printable.js';

/** What a cell shows; nothing is a dash. */
export type Cell = string | number | null | undefined;

/** How a table is laid out. */
export interface Layout {
  /** The names of the columns. */
  readonly head?: readonly string[];
  /** Columns of figures, which end below each other. */
  readonly right?: readonly number[];
  /** The column that gives way where the table is wider than `width`. */
  readonly flexible: number;
  /** Whether what does not fit goes on in the next line; otherwise it is cut off with an ellipsis. */
  readonly wrap?: boolean;
  /** Columns of the terminal; absent where there is no terminal: then nothing is cut. */
  readonly width?: number | undefined;
}

/** Narrower than this a column says nothing. */
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
export function formatTable(rows: readonly (readonly Cell[])[], layout: Layout): string {
  const shown = [...(layout.head === undefined ? [] : [layout.head]), ...rows].map((row) =>
    row.map(show),
  );
  const { flexible, width, wrap = false } = layout;
  const natural = widthOf(shown);
  const excess = width === undefined ? 0 : Math.max(0, natural - width);
  const own = widthOf(shown.map((row) => [row[flexible] ?? '']));
  const colWidths: (number | null)[] = [];
  if (excess > 0) {
    for (let at = 0; at < flexible; at += 1) colWidths.push(null);
    colWidths.push(Math.max(Math.min(narrowest, own), own - excess));
  }
  const table = new Table({
    chars,
    style,
    colWidths,
    colAligns: (shown[0] ?? []).map((_, at) => (layout.right?.includes(at) ? 'right' : 'left')),
    wordWrap: wrap,
    wrapOnWordBoundary: false,
  });
  table.push(...shown);
  // what pads the last column would only run over the edge of a narrow terminal
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

function widthOf(rows: readonly (readonly string[])[]): number {
  const table = new Table({ chars, style });
  table.push(...rows.map((row) => [...row]));
  return table.width;
}

function show(cell: Cell): string {
  if (cell === undefined || cell === null || cell === '') return '-';
  return printable(String(cell));
}

/** The members of a record below each other. */
export function formatRecord(record: object, width: number | undefined): string {
  const rows = Object.entries(record).map(([name, value]): Cell[] => [name, cellOf(value)]);
  return formatTable(rows, { flexible: 1, wrap: true, width });
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
