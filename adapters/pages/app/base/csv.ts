/** Rows of a CSV file (RFC 4180). */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** A spreadsheet runs a cell that begins like a formula: after an apostrophe, it is text. */
const cellOf = (text: string): string =>
  `"${/^[=+\-@\t\r\n]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
