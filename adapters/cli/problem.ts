import { type Err, err } from 'neverthrow';
import { printable } from './output.js';

/**
 * A failure: the service is out of reach, an answer is unexpected, a file ended early, requests
 * were cut.
 */
export const failedExit = 1;
/** The command line, a setting or an input file is wrong: nothing was tried. */
export const usageExit = 2;
/** The service refused: a rule is broken, the name is already used, there is no such deal. */
export const refusedExit = 3;
/** The service refuses the token. */
export const unauthorizedExit = 4;
/** Added to the number of the signal that ended it, as shells do. */
export const signalExit = 128;

/** Why a command does not do its work, and its exit code. */
export interface Problem {
  readonly message: string;
  readonly exit: number;
  /** The tables of a database are missing. */
  readonly isUnmigrated?: boolean;
}

export function say({ stderr }: NodeJS.Process, text: string): void {
  stderr.write(`dealwright: ${text}\n`);
}

/** Prints a problem, and returns its exit code. */
export function tell(process: NodeJS.Process, { message, exit }: Problem): number {
  say(process, message);
  return exit;
}

/** Prints the problems of a command line, and returns the exit code. */
export function complain(process: NodeJS.Process, ...problems: readonly string[]): number {
  for (const problem of problems) say(process, problem);
  return usageExit;
}

/** A setting that is wrong. */
export function wrong(message: string): Err<never, Problem> {
  return err({ message, exit: usageExit });
}

/** A database that works but does not fit this version. */
export function unused(name: string, why: string): Err<never, Problem> {
  return err({ message: `${name} is not used: ${why}`, exit: failedExit });
}

/** The failures of the operations of a store. */
export type Failed = { readonly cause?: unknown } | { readonly message: string };

/** A database that has lost a part of itself. */
export function damaged(name: string, said: string): Err<never, Problem> {
  return unused(
    name,
    `it is damaged (${printable(said)}): stop every service on it, keep a copy of it with its -wal file, and copy it back from a backup, or have sqlite3 read what is left with .recover`,
  );
}

/** A database whose last writes are in a damaged log. */
export function damagedLog(name: string, path: string, said: string): Err<never, Problem> {
  return unused(
    name,
    `SQLite would lose writes that were answered (${said}): stop every service on it, keep a copy of it with its -wal file, and copy both back from a backup, or give up the writes that follow with sqlite3 ${printable(path)} "pragma wal_checkpoint(truncate)"`,
  );
}

const damage = /SQLITE_CORRUPT|SQLITE_NOTADB|disk image is malformed|file is not a database/;

/** A database that fails. */
export function failed(name: string, failure: Failed): Err<never, Problem> {
  if ('message' in failure) return unused(name, failure.message);
  const text = causeText(failure.cause);
  if (damage.test(text)) return damaged(name, text);
  const isUnmigrated = unmigrated.test(text);
  return err({ message: `${name} cannot be used: ${text}`, exit: failedExit, isUnmigrated });
}

const full = /SQLITE_FULL|ENOSPC|disk is full|53100/;
const unmigrated = /no such table|42P01/;

/** The error of a driver or a system, on one line, down to its deepest cause. */
export function causeText(cause: unknown): string {
  const { code, message, cause: deeper, errors }: Readonly<Record<string, unknown>> = Object(cause);
  if (deeper !== undefined && deeper !== null) return causeText(deeper);
  // several addresses were tried, and each failed in its own way
  if (Array.isArray(errors) && errors.length > 0) return causeText(errors[0]);
  const said = printable(typeof message === 'string' && message !== '' ? message : String(cause));
  const text = typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said;
  if (full.test(text)) return `the disk is full: ${text}`;
  return unmigrated.test(text) ? `it was not migrated: run dealwright migrate (${text})` : text;
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
};

/** Why a file could not be read or written, in words. */
export function fileProblem(verb: 'read' | 'write', path: string, error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const isNowhere = verb === 'write' && code === 'ENOENT';
  const why = isNowhere ? 'there is no such folder' : (words[code] ?? code);
  return `cannot ${verb} ${printable(path)}: ${why}`;
}
