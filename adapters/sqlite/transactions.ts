import type { PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import type { Batch } from './batch.js';
import { codeOf, failureOf, kindOf } from './failures.js';
import type { Prepare } from './sqlite-like.js';

/** A write, which decides and changes within a transaction that has begun. */
export interface Write<Out> {
  /** Its name for a host. */
  readonly name: string;
  readonly apply: (batch: Batch) => Out;
}

/** The result of a transaction. */
export type Attempt<Out> =
  | { readonly state: 'committed'; readonly outcomes: readonly Out[] }
  | {
      /** `own`: one of the writes is to blame, and the others may be sent without it. */
      readonly state: 'busy' | 'own' | 'failed';
      readonly failure: PortFailure;
      readonly code: string | undefined;
    };

/**
 * Carries out writes in one transaction, in their order: each sees the changes of those before it.
 * All of them are committed, or none.
 */
export type Transact = <Out>(writes: readonly Write<Out>[]) => Attempt<Out>;

/** Makes transactions of a connection on which nothing else begins any. */
export function createTransact(
  prepare: Prepare,
  beginBatch: () => Batch,
  makeReady: () => void,
): Transact {
  const begin = prepare('begin immediate');
  const commit = prepare('commit');
  const { rollBack, isOpen } = createRollback(prepare);

  return (writes) => {
    try {
      makeReady();
      if (isOpen()) rollBack();
      begin.run();
    } catch (cause) {
      return refused(cause, kindOf(cause) === 'busy' ? 'busy' : 'failed');
    }
    const batch = beginBatch();
    const done = settle(() => {
      const outcomes = writes.map(({ apply }) => apply(batch));
      batch.settle();
      return outcomes;
    });
    if (done.isErr()) {
      rollBack();
      const kind = kindOf(done.error);
      return refused(done.error, kind === 'busy' || kind === 'own' ? kind : 'failed');
    }
    const committed = settle(() => commit.run());
    if (committed.isErr()) {
      const cause = committed.error;
      rollBack();
      // within the open transaction a read finds records that are rolled back next
      if (isOpen()) return refused(cause, 'failed', 'unknown');
      // most errors of a commit undo it; a driver error after a commit does not
      const found = settle(batch.isThere);
      if (found.isErr()) return refused(cause, 'failed', 'unknown');
      if (!found.value) return lost(cause);
    }
    return { state: 'committed', outcomes: done.value };
  };
}

/** The result of a transaction that was not committed, as far as is known. */
function lost<Out>(cause: unknown): Attempt<Out> {
  if (kindOf(cause) === 'busy') return refused(cause, 'busy');
  // a full disk has no room for the mark of the commit; a failing one may have written it, and show
  // it after the next start
  return refused(cause, 'failed', codeOf(cause) === 'SQLITE_FULL' ? 'none' : 'unknown');
}

function refused<Out>(
  cause: unknown,
  state: 'busy' | 'own' | 'failed',
  outcome: PortFailure['outcome'] = 'none',
): Attempt<Out> {
  return { state, failure: failureOf(cause, outcome), code: codeOf(cause) };
}

function settle<T>(body: () => T): Result<T, unknown> {
  try {
    return ok(body());
  } catch (cause) {
    return err(cause);
  }
}

/** Rolls back, even if SQLite has done so itself. */
function createRollback(prepare: Prepare) {
  const rollback = prepare('rollback');
  let isOpen = false;
  return {
    rollBack() {
      try {
        rollback.run();
        isOpen = false;
      } catch (cause) {
        // a failed rollback is repeated before the next transaction
        isOpen = !/no transaction is active/.test(String(cause));
      }
    },
    isOpen: () => isOpen,
  };
}
