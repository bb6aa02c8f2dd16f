import type { PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { systemTimer } from '../../shared/timer.js';
import { within } from '../../shared/within.js';
import { tell } from '../../sql/observe.js';
import { type Failure, failureOf, portFailure, unreadable } from './failures.js';
import type { Settings } from './options.js';
import type { PostgresLike } from './postgres-like.js';
import type { Statement } from './statement.js';

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
      const asked = db.query(
        prepare ? { name, text, values, query_timeout } : { text, values, query_timeout },
      );
      // a network that drops packets reports nothing for minutes, and each call queued behind a
      // statement would wait as long
      const answer = await within(systemTimer, statementTimeout, late, asked);
      const texts = answer.rows.map((row) => textOf(row['answer']));
      report('ok');
      return ok(texts);
    } catch (error) {
      const failure = failureOf(error);
      report('failed', failure.code);
      return err(failure);
    }
  };
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
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
