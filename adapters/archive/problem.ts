/** What is wrong with an archive: the line, counted from 1, and what; never what stands in it. */
export function problemAt(line: number, what: string, cause?: unknown): Error {
  return new Error(`line ${line} of the archive ${what}`, cause === undefined ? {} : { cause });
}
