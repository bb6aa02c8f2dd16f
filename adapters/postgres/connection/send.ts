import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { systemTimer, within } from '../../shared/timer.js';
import { tell } from '../../sql/observe.js';
import { asSent, textsIn, textsOf } from './answers.js';
import { type Failure, failureOf, portFailure, unreadable } from './failures.js';
import type { Settings } from './options.js';
import type { PostgresLike } from './postgres-like.js';

type Values = readonly (string | number | null)[];

/** Sends a statement once, and returns the texts of its rows. */
export type SendOnce = (
  statement: Statement,
  values: Values,
  rows?: number,
  retries?: number,
) => Promise<Result<readonly (string | null)[], Failure>>;

/** Sends statements to a database, waits a limited time for each, and calls the host's hooks. */
export function createSender(
  db: PostgresLike,
  { prepare, statementTimeout, hooks }: Pick<Settings, 'prepare' | 'statementTimeout' | 'hooks'>,
): SendOnce {
  const late = () => {
    const cause = new Error(`the database did not answer within ${statementTimeout} ms`);
    throw Object.assign(cause, { code: 'STATEMENT_TIMEOUT' });
  };
  return async ({ does, name, text }, given, rows = 1, retries = 0) => {
    const start = performance.now();
    const values = [...given];
    const report = (outcome: 'ok' | 'failed', code?: string) => {
      if (hooks.onStatement === undefined) return;
      const milliseconds = performance.now() - start;
      const told = { statement: does, rows, milliseconds, retries, outcome };
      tell(hooks, code === undefined ? told : { ...told, code });
    };
    try {
      const query_timeout = statementTimeout;
      const sent = { text, values, query_timeout, types: asSent };
      const asked = db.query(prepare ? { name, ...sent } : sent);
      // a network that drops packets reports nothing for minutes, and each call queued behind a
      // statement would wait as long
      const answer = await within(systemTimer, statementTimeout, late, asked);
      const texts = textsIn(answer.rows);
      report('ok');
      return ok(texts);
    } catch (error) {
      const failure = failureOf(error);
      report('failed', failure.code);
      return err(failure);
    }
  };
}

/** Milliseconds in which a write is repeated: well within the ten seconds that the core waits. */
const longest = 4_000;
/** Before each repeat, in milliseconds. */
const pauses = [5, 20, 80, 250, 500, 1_000, 1_000, 1_000] as const;

/**
 * The kind of a statement: `read` has no effect; `attempt` has it once, however often it is sent;
 * `once` must not be sent again if it may have been carried out.
 */
type Kind = 'read' | 'attempt' | 'once';

/** Whether an earlier sending of the same may have been carried out. */
export interface Doubt {
  isOpen: boolean;
}

/**
 * Sends until it succeeds, fails for good, or takes too long. An earlier doubt stays, and a new one
 * is recorded in it.
 */
export async function sendUntil<T>(
  send: (retries: number) => PromiseLike<Result<T, Failure>>,
  kind: Kind,
  doubt: Doubt = { isOpen: false },
): Promise<Result<T, PortFailure>> {
  const start = performance.now();
  for (let retries = 0; ; retries += 1) {
    const sent = await read(send, retries);
    if (sent.isOk()) return ok(sent.value);
    const failure: Failure = kind === 'read' ? { ...sent.error, outcome: 'none' } : sent.error;
    if (failure.outcome === 'unknown') doubt.isOpen = true;
    const pause = pauses[retries];
    const isOver =
      failure.retry === 'never' ||
      failure.isForHost === true ||
      (doubt.isOpen && kind === 'once') ||
      pause === undefined ||
      performance.now() - start + pause > longest;
    if (isOver) return portFailure(failure, doubt.isOpen);
    // statements that collided must not be repeated at the same moment
    await sleep(pause * (0.5 + Math.random()));
  }
}

/** Any throw comes from reading the answer: sending never rejects. */
async function read<T>(
  send: (retries: number) => PromiseLike<Result<T, Failure>>,
  retries: number,
): Promise<Result<T, Failure>> {
  try {
    return await send(retries);
  } catch (thrown) {
    return err(unreadable(thrown));
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A statement that a store can send many times. Its rows have one text each: `answer`. */
export interface Statement {
  /** Its description for hooks. */
  readonly does: string;
  /** Different for each text, so that no connection confuses two of them. */
  readonly name: string;
  readonly text: string;
}

/** The longest name in bytes: the server cuts off the rest. */
export const longestName = 63;
const digestLength = 10;

/** A statement, named by its purpose and its text. */
export function statement(does: string, variant: string, text: string): Statement {
  const compact = text.replace(/\s+/g, ' ').trim();
  const digest = bytesToHex(sha256(utf8ToBytes(compact))).slice(0, digestLength);
  const label = `dealwright_${does.replace(/\W/g, '_')}${variant}`;
  const name = `${label.slice(0, longestName - digestLength - 1)}_${digest}`;
  return { does, name, text: compact };
}

/** The statement of a name, which is made once: its text must depend on the name alone. */
export type KnownStatements = (name: string, make: () => Statement) => Statement;

/** Keeps statements of one schema, for as many connections as there are. */
export function createKnownStatements(): KnownStatements {
  const statements = new Map<string, Statement>();
  return (name, make) => {
    const found = statements.get(name) ?? make();
    statements.set(name, found);
    return found;
  };
}

/** A schema's name, quoted for a statement. */
export function quoted(schema: string): string {
  return `"${schema}"`;
}

/** An array as text for PostgreSQL, which every driver sends unchanged. */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

/** An element of an array: a quoted element is text, even `"NULL"`. */
export function elementText(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

/** Queries several times: a pool would use several connections, and wait for its own locks. */
export async function checkIsOne(client: PostgresLike): Promise<void> {
  const seen = new Set<unknown>();
  for (let time = 0; time < 3; time += 1) {
    const [pid] = await ask(client, 'select pg_backend_pid()::text as answer');
    seen.add(pid);
  }
  if (seen.size !== 1) throw notOne();
}

/** The texts of a statement's rows; a failure rejects without the values in its error. */
export async function ask(
  client: PostgresLike,
  text: string,
  values?: unknown[],
): Promise<readonly (string | null)[]> {
  try {
    return await textsOf(client, values === undefined ? { text } : { text, values });
  } catch (error) {
    throw failureOf(error).cause;
  }
}

/** Rolls a transaction back. */
export async function giveUp(client: PostgresLike): Promise<void> {
  try {
    await client.query({ text: 'rollback' });
  } catch {
    // the connection is gone, and the transaction with it
  }
}

/** The error for statements on several connections. */
export function notOne(): Error {
  return new Error(
    'an archive needs one connection, for all of its statements: a pool has several',
  );
}
