import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type TransactionState, transactionFailure } from '../../sql/host-transaction.js';
import { changedAnswer } from './answers.js';

/** The failure of a statement. */
export interface Failure {
  /** The SQLSTATE, or the code of the system or of the driver. */
  readonly code: string | undefined;
  /** Whether it may have been carried out all the same. */
  readonly outcome: 'none' | 'unknown';
  /**
   * `again`: at once, as it lost a conflict. `wait`: later, when the database is available.
   * `never`: it fails the next time too.
   */
  readonly retry: 'again' | 'wait' | 'never';
  /** Whether the connection, or the server behind it, may be another one now. */
  readonly isConnectionLost: boolean;
  /** Whether it was in the transaction of a host: it is not sent again. */
  readonly isForHost?: true;
  readonly cause: unknown;
}

/** Nothing reached the database. */
const unreached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOENT',
  // postgres.js
  'CONNECT_TIMEOUT',
]);

/** The server has cancelled a statement: mostly after a time-out. */
const cancelled = '57014';

/**
 * The database has no such table, column or function: it was not migrated, or to an older version.
 */
const unmigrated = new Set(['42P01', '3F000', '42703', '42883']);

/** Unknown or duplicate prepared statements: a pooler shares the connection. */
const pooled = new Set(['26000', '42P05']);

type Verdict = Pick<Failure, 'outcome' | 'retry' | 'isConnectionLost'>;

const wait = { outcome: 'none', retry: 'wait', isConnectionLost: false } as const;
/** It fails the next time too, and nothing was carried out. */
export const never = { outcome: 'none', retry: 'never', isConnectionLost: false } as const;

/** The verdicts on a statement by its SQLSTATE: the first that fits. */
const verdicts: readonly (readonly [code: RegExp, verdict: Verdict])[] = [
  // it lost a conflict: of transactions, by a deadlock, by a lock that did not come in time
  [/^(?:40001|40P01|55P03)$/, { ...wait, retry: 'again' }],
  // the server ends the connection: the transaction may have been committed just before
  [/^(?:57P01|57P02|40003)$/, { ...wait, outcome: 'unknown', isConnectionLost: true }],
  // it accepts no connection; a standby, or a server that became one
  [/^(?:57P03|57P05|08001|08004|25006)$/, { ...wait, isConnectionLost: true }],
  [/^08/, { ...wait, outcome: 'unknown', isConnectionLost: true }],
  // out of a resource; cancelled, mostly by a time-out of statements
  [/^(?:53|58|57014$)/, wait],
];

/** After one of these, the server ends the connection that reports it. */
const isFatal = /^(?:08|57P)/;

/** Messages of node-postgres' pool without a code: no connection was made, or free, in time. */
const isUnmade = /due to connection timeout/;
const isNoneFree = /timeout exceeded when trying to connect/;

/** No class begins with E: EPIPE and EPERM are the system's. */
const sqlState = /^[0-9A-DF-Z][0-9A-Z]{4}$/;

/** The failure of a statement, from a driver's error. */
export function failureOf(thrown: unknown): Failure {
  const code = codeOf(thrown);
  const error = withoutValues(thrown);
  // it was carried out
  if (code === changedAnswer) return { ...never, code, outcome: 'unknown', cause: error };
  if (code === undefined || !isSqlState(code)) {
    // the connections in use may all work
    if (says(error, isNoneFree)) return { ...wait, code, cause: error };
    const isUnreached = (code !== undefined && unreached.has(code)) || says(error, isUnmade);
    const outcome = isUnreached ? 'none' : 'unknown';
    return { ...wait, code, outcome, isConnectionLost: true, cause: error };
  }
  const [, verdict = never] = verdicts.find(([codes]) => codes.test(code)) ?? [];
  // a coordinator passes on errors of other nodes, and keeps its own connection
  const isOfOther = isFatal.test(code) && Object(thrown).severity === 'ERROR';
  const said = adviceOn(code);
  return {
    ...verdict,
    ...(isOfOther ? { isConnectionLost: false } : {}),
    code,
    cause: said === undefined ? error : new Error(said, { cause: error }),
  };
}

/** Advice to a host for a code. */
function adviceOn(code: string): string | undefined {
  if (unmigrated.has(code)) {
    return `the database lacks a table, column or function (${code}): run "dealwright migrate"`;
  }
  if (pooled.has(code)) {
    return `the connection's prepared statements are not its own (${code}): behind a pooler in transaction mode give "prepare: false"`;
  }
  if (code === '25006') {
    return 'the server accepts no write (25006): the transaction is read-only, the server is a standby, or default_transaction_read_only is on for the database, the role or the session: turn it off for Dealwright';
  }
  if (code === '22P05') {
    return 'the encoding of the database cannot keep a character of this text (22P05): move the deals to a database with the encoding UTF8';
  }
  return undefined;
}

/** No id is left to be taken. */
export const idsUsedUp = 'IDS_USED_UP';

/** Errors that no row can cause: a failed connection, missing tables. */
const ofAnyRow = /^(?:28|3D|08)/;

/**
 * Whether one row of a batch may have failed all of it, so that the others should be sent without
 * it. The server, or a trigger, chooses the code for a fault of a row.
 */
export function isOfOneRow({ code, retry }: Failure): boolean {
  if (code === undefined || code === idsUsedUp) return false;
  if (retry !== 'never') return code === '40P01';
  return !(unmigrated.has(code) || pooled.has(code) || ofAnyRow.test(code));
}

/** The same for a read: one that takes too long, together or alone, is tried without the others. */
export function mayBeOfOne(failure: Failure): boolean {
  return failure.code === cancelled || isOfOneRow(failure);
}

/** Values that cannot be made, as a text would be too long: nothing was sent. */
export function unmade(cause: unknown): Failure {
  return { ...never, code: 'UNMADE_VALUES', cause: withoutValues(cause) };
}

/** The result of `make`, or why it fails: by default as values that are too long. */
export function made<T>(make: () => T, failure = unmade): Result<T, Failure> {
  try {
    return ok(make());
  } catch (thrown) {
    return err(failure(thrown));
  }
}

/** An answer that cannot be read, though the statement was carried out. */
export function unreadable(thrown: unknown): Failure {
  // a SyntaxError of JSON contains the start of the text, which may have a payment token
  const cause = thrown instanceof SyntaxError ? undefined : withoutValues(thrown);
  const says = 'the database gave an answer that cannot be read';
  return {
    ...never,
    code: 'UNREADABLE_ANSWER',
    outcome: 'unknown',
    cause: new Error(says, { cause }),
  };
}

/** Says whether a database has no such feature: a cluster does not accept every statement. */
export function isUnsupported(cause: unknown): boolean {
  return codeOf(cause) === '0A000';
}

/** The failure of a port: of the last sending; with a doubt, an earlier one may have succeeded. */
export function portFailure({ outcome, retry, cause }: Failure, isDoubtful: boolean) {
  const failure: Omit<PortFailure, 'code'> = {
    outcome: isDoubtful ? 'unknown' : outcome,
    retryable: retry === 'again' || retry === 'wait',
    ...(retry === 'wait' ? { retryAfter: 1 } : {}),
    cause,
  };
  return unavailable(failure);
}

/**
 * The members of an error that are kept: others may contain the refused row, or all that was sent.
 */
const withoutAny = [
  ...['code', 'severity', 'hint', 'schema', 'table', 'column', 'constraint'],
  ...['errno', 'syscall', 'address', 'port', 'hostname'],
] as const;

/**
 * A host may log a cause with all its members: they must contain no payment token or bank account.
 */
function withoutValues(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown;
  const error: { readonly [member: string]: unknown } = Object(thrown);
  const { name, message, stack, cause, errors } = error;
  const clean = new Error(typeof message === 'string' ? message : 'the driver says nothing');
  if (typeof name === 'string' && name !== 'Error') Object.assign(clean, { name });
  if (typeof stack === 'string') clean.stack = stack;
  // if several addresses were tried, it has the error of each
  if (cause !== undefined) clean.cause = withoutValues(cause);
  if (Array.isArray(errors)) Object.assign(clean, { errors: errors.map(withoutValues) });
  for (const each of withoutAny) {
    const value = error[each];
    if (typeof value === 'string' || typeof value === 'number') {
      Object.assign(clean, { [each]: value });
    }
  }
  return clean;
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function isSqlState(code: string): boolean {
  return sqlState.test(code);
}

function says(error: unknown, words: RegExp): boolean {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === 'string' && words.test(message);
}

/** The failure of a statement in the transaction of a host, which alone decides what follows. */
export function forHost(
  failure: Failure,
  transaction: TransactionState,
  lockTimeout: number,
): Failure {
  const { code, outcome, cause } = failure;
  const says = transactionAdvice(failure, transaction, lockTimeout);
  return {
    ...failure,
    // the server reported the failure, and the host has not committed yet
    outcome: isSaidByServer(code) || transaction === 'usable' ? 'none' : outcome,
    isForHost: true,
    cause: transactionFailure(says, transaction, cause, code),
  };
}

function isSaidByServer(code: string | undefined): boolean {
  return code !== undefined && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
}

function transactionAdvice(
  { code = 'no code', isConnectionLost, cause }: Failure,
  transaction: TransactionState,
  lockTimeout: number,
): string {
  if (code === '25P01')
    return 'the connection is not within a transaction: begin one first (25P01)';
  if (code === '25P02') {
    return 'a statement before this call failed, and the transaction with it: roll it back (25P02)';
  }
  if (code === '40001') {
    return 'the transaction lost against another one: roll it back, and begin it again (40001)';
  }
  if (code === '40P01') {
    return 'the transaction was in a deadlock: roll it back, and begin it again (40P01)';
  }
  if (code === 'STATEMENT_TIMEOUT') {
    return 'the database did not answer in time, and may be at it yet: roll the transaction back';
  }
  // a transaction that was begun `read only`: its connection is fine
  if (isConnectionLost && code !== '25006') {
    return `the connection was lost, and the transaction with it: begin it again on another one (${code})`;
  }
  const left =
    transaction === 'usable'
      ? 'the transaction is as it was before the call'
      : 'roll the transaction back';
  if (code === '55P03') {
    return `another transaction holds a lock that this call needs, for ${lockTimeout} ms and more (55P03): ${left}`;
  }
  const { message } = Object(cause) as { readonly message?: unknown };
  return `${String(message ?? 'the database refused the call')} (${code}): ${left}`;
}
