import type { Language } from './language.js';

/** A cell of a file: text, or an amount of the service, which is a number for a spreadsheet. */
export type Cell = string | { readonly amount: string };

/**
 * Rows of a CSV file (RFC 4180), as a spreadsheet in this language opens it: in Polish a comma is
 * the decimal point, so cells are separated by semicolons.
 */
export function csvOf(rows: readonly (readonly Cell[])[], language: Language): string {
  const separator = language === 'pl' ? ';' : ',';
  const textOf = (cell: Cell) => {
    if (typeof cell === 'string') return cell;
    return language === 'pl' ? cell.amount.replace('.', ',') : cell.amount;
  };
  return rows
    .map((row) => `${row.map((cell) => quoted(textOf(cell))).join(separator)}\r\n`)
    .join('');
}

/** A spreadsheet runs a cell that begins like a formula: after an apostrophe, it is text. */
const quoted = (text: string): string =>
  `"${isLikeFormula(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;

/** The signs of formulas, also after what is not seen. A minus before digits is a number's. */
function isLikeFormula(text: string): boolean {
  if (/^-\d+(?:[.,]\d+)?$/.test(text)) return false;
  // spreadsheets read signs of full width, and other forms of them, as those of ASCII
  return /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\u2212])/u.test(text.normalize('NFKC'));
}
