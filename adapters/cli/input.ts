import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { err, ok, Result, ResultAsync } from 'neverthrow';
import { printable } from './output.js';
import { fileProblem } from './problem.js';

/** Opens a file, or stdin if the path is `-`; `total` is the number of bytes, if it is known. */
export async function openInput({ stdin }: NodeJS.Process, path: string) {
  let file: FileHandle | undefined;
  try {
    file = path === '-' ? undefined : await open(path);
    // a shell may have redirected a file to stdin
    const stats = file === undefined ? fstatSync(stdin.fd) : await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const total = stats.isFile() ? stats.size : undefined;
    const source: AsyncIterable<Uint8Array> = file?.createReadStream() ?? stdin;
    return ok({ source, stats, total });
  } catch (error) {
    await file?.close();
    return err(fileProblem('read', path, error));
  }
}

/** The JSON of bytes in UTF-8. The message of a parser is not used: it would repeat the text. */
export const jsonOf = Result.fromThrowable((bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
);

/** The members of the JSON object in a file, or on stdin if the path is `-`. */
export async function readBody(
  process: NodeJS.Process,
  path: string,
): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  const input = await openInput(process, path);
  if (input.isErr()) return err(input.error);
  const name = path === '-' ? 'what came on stdin' : printable(path);
  const bytes = await ResultAsync.fromPromise(buffer(input.value.source), (error) =>
    fileProblem('read', path, error),
  );
  if (bytes.isErr()) return err(bytes.error);
  const value = jsonOf(bytes.value).unwrapOr(undefined);
  if (value === undefined) return err(`${name} is no JSON in UTF-8`);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok({ ...value })
    : err(`${name} is no JSON object`);
}
