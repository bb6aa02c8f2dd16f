import { type PortFailure, unavailable } from 'dealwright/ports';

/** What became of a statement that failed. */
export interface Failure {
  /** The SQLSTATE, or the code of the system or of the driver. */
  readonly code: string | undefined;
  /** Whether it may have been carried out all the same. */
  readonly outcome: 'none' | 'unknown';
  /**
   * `again`: at once, as it lost against others. `wait`: later, when the database is there. `never`:
   * it fails the next time too.
   */
  readonly retry: 'again' | 'wait' | 'never';
  /** Whether the connection, or what is behind it, may be another one now. */
  readonly isConnectionLost: boolean;
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

/** The database has no such table, column or function: it was not migrated, or not as far. */
const unmigrated = new Set(['42P01', '3F000', '42703', '42883']);

/** It lost against others: a conflict of transactions, a deadlock, a lock that did not come in time. */
const conflicts = new Set(['40001', '40P01', '55P03']);

/** Statements that a connection does not know, or knows already: it is not the session's own. */
const pooled = new Set(['26000', '42P05']);

/** The server ends the connection, or cannot say what became of the statement. */
const ended = new Set(['57P01', '57P02', '40003']);

/** node-postgres' pool says these without a code: no connection was made, or free, in time. */
const isUnmade = /due to connection timeout/;
const isNoneFree = /timeout exceeded when trying to connect/;

/** No class begins with E: EPIPE and EPERM are the system's. */
const sqlState = /^[0-9A-DF-Z][0-9A-Z]{4}$/;

/** What a driver's error says of the statement. */
export function failureOf(thrown: unknown): Failure {
  const code = codeOf(thrown);
  const error = withoutValues(thrown);
  const lost = { code, isConnectionLost: true, cause: error } as const;
  const kept = { code, isConnectionLost: false, cause: error } as const;
  if (code === undefined || !isSqlState(code)) {
    // those that are in use may all be well
    if (says(error, isNoneFree)) return { ...kept, outcome: 'none', retry: 'wait' };
    const isUnreached = (code !== undefined && unreached.has(code)) || says(error, isUnmade);
    return { ...lost, outcome: isUnreached ? 'none' : 'unknown', retry: 'wait' };
  }
  if (conflicts.has(code)) return { ...kept, outcome: 'none', retry: 'again' };
  // the server ends the connection: what was under way may have been committed just before
  if (ended.has(code)) return { ...lost, outcome: 'unknown', retry: 'wait' };
  if (code === '57P03' || code === '57P05' || code === '08001' || code === '08004') {
    return { ...lost, outcome: 'none', retry: 'wait' };
  }
  if (code.startsWith('08')) return { ...lost, outcome: 'unknown', retry: 'wait' };
  // a standby, or a server that was made one
  if (code === '25006') return { ...lost, outcome: 'none', retry: 'wait' };
  if (code.startsWith('53') || code.startsWith('58')) {
    return { ...kept, outcome: 'none', retry: 'wait' };
  }
  // cancelled, by a time-out of statements most often
  if (code === '57014') return { ...kept, outcome: 'none', retry: 'wait' };
  if (unmigrated.has(code)) {
    const lacks = `the database lacks a table, column or function (${code}): run "dealwright migrate"`;
    return { ...kept, outcome: 'none', retry: 'never', cause: new Error(lacks, { cause: error }) };
  }
  if (pooled.has(code)) {
    const shared = `the connection's prepared statements are not its own (${code}): behind a pooler in transaction mode give "prepare: false"`;
    return { ...kept, outcome: 'none', retry: 'never', cause: new Error(shared, { cause: error }) };
  }
  return { ...kept, outcome: 'none', retry: 'never' };
}

/** No id is left to be taken. */
export const idsUsedUp = 'IDS_USED_UP';

/** Refused whatever the rows are: a connection that is none, tables that are not there. */
const ofAnyRow = /^(?:28|3D|08)/;

/**
 * Whether it may be one row of a batch that failed all of it: its neighbours do better without it.
 * Which code a fault of one row has is the server's to say, or a trigger's.
 */
export function isOfOneRow({ code, retry }: Failure): boolean {
  if (code === undefined || code === idsUsedUp) return false;
  if (retry !== 'never') return code === '40P01';
  return !(unmigrated.has(code) || pooled.has(code) || ofAnyRow.test(code));
}

/** Values that cannot be made, as they are too long for one: nothing was sent. */
export function unmade(cause: unknown): Failure {
  return {
    code: 'UNMADE_VALUES',
    outcome: 'none',
    retry: 'never',
    isConnectionLost: false,
    cause: withoutValues(cause),
  };
}

/** An answer that cannot be read, though the statement was carried out. */
export function unreadable(thrown: unknown): Failure {
  // a SyntaxError of JSON has the beginning of the text in it, where a payment token may be
  const cause = thrown instanceof SyntaxError ? undefined : withoutValues(thrown);
  const says = 'the database gave an answer that cannot be read';
  return {
    code: 'UNREADABLE_ANSWER',
    outcome: 'unknown',
    retry: 'never',
    isConnectionLost: false,
    cause: new Error(says, { cause }),
  };
}

/** What a port answers: the last failure of a write, and whether an earlier sending may have been it. */
export function portFailure({ outcome, retry, cause }: Failure, isDoubtful: boolean) {
  const failure: Omit<PortFailure, 'code'> = {
    outcome: isDoubtful ? 'unknown' : outcome,
    retryable: retry === 'again' || retry === 'wait',
    ...(retry === 'wait' ? { retryAfter: 1 } : {}),
    cause,
  };
  return unavailable(failure);
}

/** What may hang on an error: elsewhere drivers put the row that was refused, or all that they sent. */
const withoutAny = [
  ...['code', 'severity', 'hint', 'schema', 'table', 'column', 'constraint'],
  ...['errno', 'syscall', 'address', 'port', 'hostname'],
] as const;

/** A host may log a cause with all that hangs on it: no payment token or bank account is among that. */
function withoutValues(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown;
  const error: { readonly [member: string]: unknown } = Object(thrown);
  const { name, message, stack, cause, errors } = error;
  const clean = new Error(typeof message === 'string' ? message : 'the driver says nothing');
  if (typeof name === 'string' && name !== 'Error') Object.assign(clean, { name });
  if (typeof stack === 'string') clean.stack = stack;
  // where several addresses were tried, it has the error of each
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
