/** What is wrong with an archive: the line, counted from 1, and what; never a value of the line. */
export function problemAt(line: number, what: string): Error {
  return new Error(`line ${line} of the archive ${what}`);
}
