import { type TransactionState, transactionFailure } from '../../sql/host-transaction.js';
import type { Failure } from './failures.js';

/** The failure of a statement in the transaction of a host, which alone decides what follows. */
export function forHost(
  failure: Failure,
  transaction: TransactionState,
  lockTimeout: number,
): Failure {
  const { code, outcome, cause } = failure;
  const says = adviceOn(failure, transaction, lockTimeout);
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

function adviceOn(
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
