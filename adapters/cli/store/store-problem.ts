import type { PortFailure } from 'dealwright/ports';
import { type Err, err } from 'neverthrow';
import { failedExit, usageExit } from '../exit-codes.js';
import { printable } from '../printable.js';

/** Why there is no store, and the exit code that says it. */
export interface StoreProblem {
  readonly message: string;
  readonly exit: number;
  /** Its tables are not there. */
  readonly isUnmigrated?: true;
}

type Failed =
  | Pick<PortFailure, 'code' | 'cause'>
  | { readonly code: string; readonly message: string };

/** A database that is there and does not serve. */
export function failed(name: string, failure: Failed): Err<never, StoreProblem> {
  if ('message' in failure) {
    return err({ message: `${name} is not used: ${failure.message}`, exit: failedExit });
  }
  const text = causeText(failure.cause);
  return err({
    message: `${name} cannot be used: ${text}`,
    exit: failedExit,
    ...(unmigrated.test(text) ? { isUnmigrated: true } : {}),
  });
}

/** A database of another schema than ours. */
export function unlike(name: string, message: string): Err<never, StoreProblem> {
  return failed(name, { code: 'unlike', message });
}

/** A setting that leads nowhere. */
export function wrong(message: string): Err<never, StoreProblem> {
  return err({ message, exit: usageExit });
}

const full = /SQLITE_FULL|ENOSPC|disk is full|53100/;
const unmigrated = /no such table|42P01/;

/** What a driver or a system threw, on one line, down to what it says first hand. */
export function causeText(cause: unknown): string {
  const { code, message, cause: deeper, errors }: Told = Object(cause);
  if (deeper !== undefined && deeper !== null) return causeText(deeper);
  // of several addresses that were tried, each failed in its own way
  if (Array.isArray(errors) && errors.length > 0) return causeText(errors[0]);
  const said = printable(typeof message === 'string' && message !== '' ? message : String(cause));
  const text = typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said;
  if (full.test(text)) return `the disk is full: ${text}`;
  return unmigrated.test(text) ? `it was not migrated: run dealwright migrate (${text})` : text;
}

interface Told {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}
