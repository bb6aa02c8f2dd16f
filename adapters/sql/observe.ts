/**
 * The report of a store for each statement or transaction that it sent: enough for a span or a
 * histogram of OpenTelemetry, and without stored data.
 */
export interface StatementReport {
  /** Its name, from a small fixed set: `commit`, `reserve`, `deals.byId`, ... */
  readonly statement: string;
  /** How many calls were sent together: the size of the batch. */
  readonly rows: number;
  /** From sending it to its answer. */
  readonly milliseconds: number;
  /** How often it was sent again, after a conflict or a lost connection. */
  readonly retries: number;
  readonly outcome: 'ok' | 'failed';
  /** The database's own code of the failure, if there is one: a SQLSTATE, `SQLITE_BUSY`. */
  readonly code?: string;
}

/**
 * The hooks of a host for the statements of a store. Errors that they throw or reject with are
 * ignored.
 */
export interface StoreHooks {
  readonly onStatement?: (report: StatementReport) => void;
}

/** Says whether a value may be hooks: an object, whose hook is a function if it has one. */
export function areHooks(hooks: unknown): boolean {
  const { onStatement = tell } = Object(hooks) as StoreHooks;
  return Object(hooks) === hooks && !Array.isArray(hooks) && typeof onStatement === 'function';
}

/** Calls the host's hook, and ignores its errors. */
export function tell(hooks: StoreHooks, report: StatementReport): void {
  try {
    const told: unknown = hooks.onStatement?.(report);
    // an asynchronous hook has the same type, and an unhandled rejection would end the process
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // a host's hook never changes the answer of a store
  }
}
