/** The state of the host's transaction after a failed call. */
export type TransactionState = 'usable' | 'lost';

/** Why a call within the transaction of a host failed: the `cause` of its `unavailable`. */
export interface TransactionFailure extends Error {
  /** The database's own code, if there is one: a SQLSTATE, `SQLITE_BUSY`. */
  readonly code?: string;
  /**
   * `usable`: the call is undone, and all else stays. `lost`: the transaction cannot be committed
   * any more, or its state is unknown; roll it back.
   */
  readonly transaction: TransactionState;
}

/** Makes the error with the state of the transaction, and the driver's error. */
export function transactionFailure(
  says: string,
  transaction: TransactionState,
  cause: unknown,
  code: string | undefined,
): TransactionFailure {
  const told = code === undefined ? { transaction } : { transaction, code };
  return Object.assign(new Error(says, { cause }), told);
}

/**
 * The state of your transaction after a call within it that was not `ok`. `usable`: the call has
 * changed nothing, and you may go on, commit, or roll back. `lost`: roll back, and begin again if
 * the error is `retryable`. A refusal (`deal_exists`, `validation_failed`) leaves it usable.
 *
 * @example
 * ```ts
 * import type { CreateDealError } from 'dealwright';
 * import { transactionAfter } from 'dealwright/postgres';
 *
 * export const mayGoOn = (error: CreateDealError) => transactionAfter(error) === 'usable';
 * ```
 */
export function transactionAfter(error: object): TransactionState {
  const { code, port, cause } = Object(error) as Readonly<Record<string, unknown>>;
  const { transaction } = Object(cause) as { readonly transaction?: unknown };
  if (transaction === 'usable' || transaction === 'lost') return transaction;
  // a store that did not answer in time may still be at work
  const isOfStore = code === 'unavailable' && String(port ?? 'store.').startsWith('store.');
  return isOfStore ? 'lost' : 'usable';
}
