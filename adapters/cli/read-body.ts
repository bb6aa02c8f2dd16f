import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { err, ok, type Result } from 'neverthrow';
import { fileProblem } from './file-problem.js';
import { printable } from './printable.js';

/** The members of a JSON object in a file, or in what comes in where the path is `-`. */
export async function readBody(
  path: string,
  stdin: NodeJS.ReadableStream,
): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  const name = path === '-' ? 'what came on stdin' : printable(path);
  let bytes: Uint8Array;
  try {
    bytes = path === '-' ? await buffer(stdin) : await readFile(path);
  } catch (error) {
    return err(fileProblem('read', path, error));
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // what the parser would say repeats the text, which may be nobody's business
    return err(`${name} is no JSON in UTF-8`);
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok({ ...value })
    : err(`${name} is no JSON object`);
}
