import { type PortFailure, unavailable } from 'dealwright/ports';

/** The result codes of SQLite that matter here (https://www.sqlite.org/rescode.html). */
const names: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  17: 'SQLITE_SCHEMA',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  21: 'SQLITE_MISUSE',
  23: 'SQLITE_AUTH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
};

/**
 * The kind of a failure. `busy`: another connection holds the lock, so it is tried again.
 * `passing`: the database cannot serve any request now, and may later. `lasting`: not later either.
 * `own`: the request is to blame, as far as is known.
 */
export type FailureKind = 'busy' | 'passing' | 'lasting' | 'own';

const kinds: Readonly<Record<string, FailureKind>> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_PROTOCOL: 'busy',
  SQLITE_NOMEM: 'passing',
  SQLITE_INTERRUPT: 'passing',
  SQLITE_IOERR: 'passing',
  SQLITE_FULL: 'passing',
  SQLITE_CANTOPEN: 'passing',
  SQLITE_PERM: 'lasting',
  SQLITE_READONLY: 'lasting',
  SQLITE_CORRUPT: 'lasting',
  SQLITE_AUTH: 'lasting',
  SQLITE_NOTADB: 'lasting',
};

/** The result code in errors of drivers: each has another name for it. */
interface Told {
  readonly code?: unknown;
  /** Of `node:sqlite`. */
  readonly errcode?: unknown;
  /** Of `libsql`. */
  readonly rawCode?: unknown;
  /** Of `bun:sqlite`. */
  readonly errno?: unknown;
}

/** The result code of SQLite in the error of a driver, without its extension. */
export function codeOf(cause: unknown): string | undefined {
  const { code, errcode, rawCode, errno } = Object(cause) as Told;
  const number = [errcode, rawCode, errno].find((each) => typeof each === 'number');
  if (typeof number === 'number') return names[number & 0xff];
  if (typeof code !== 'string') return undefined;
  return Object.values(names).find((name) => code === name || code.startsWith(`${name}_`));
}

/** `SQLITE_BUSY_SNAPSHOT`. */
const busySnapshot = 517;

/**
 * Whether another connection has written since the transaction first read: only a new one can
 * write.
 */
export function isOfOldSnapshot(cause: unknown): boolean {
  const { code, errcode, rawCode, errno } = Object(cause) as Told;
  return [errcode, rawCode, errno].includes(busySnapshot) || code === 'SQLITE_BUSY_SNAPSHOT';
}

/** The kind of the error of a driver. */
export function kindOf(cause: unknown): FailureKind {
  return kinds[codeOf(cause) ?? ''] ?? 'own';
}

/** Seconds after which a disk may have room again, or another writer has ended. */
const retryAfter = 1;

/** The failure of a port from the error of a driver. */
export function failureOf(cause: unknown, outcome: PortFailure['outcome']): PortFailure {
  const kind = kindOf(cause);
  const isPassing = kind === 'busy' || kind === 'passing';
  const rest = isPassing ? { retryAfter } : { retryable: false };
  return unavailable({ outcome, cause, ...rest }).error;
}
