/**
 * What a store tells of each statement or transaction that it sent: enough for a span or a histogram
 * of OpenTelemetry, and nothing of what is stored.
 */
export interface StatementReport {
  /** What it does, from a small fixed set: `commit`, `reserve`, `deals.byId`, ... */
  readonly statement: string;
  /** How many calls went out together: the size of the batch. */
  readonly rows: number;
  /** From sending it to its answer. */
  readonly milliseconds: number;
  /** Times that it was sent again, after a conflict or a lost connection. */
  readonly retries: number;
  readonly outcome: 'ok' | 'failed';
  /** The database's own code of the failure, where there is one: a SQLSTATE, `SQLITE_BUSY`. */
  readonly code?: string;
}

/**
 * What hosts give a store to be told of its statements. What it throws,
 * or rejects with, is not heard.
 */
export interface StoreHooks {
  readonly onStatement?: (report: StatementReport) => void;
}

/** Tells the host, whatever becomes of that. */
export function tell(hooks: StoreHooks, report: StatementReport): void {
  try {
    const told: unknown = hooks.onStatement?.(report);
    // one that is asynchronous has the same type, and a rejection that nobody hears ends a process
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // a host's hook never changes what a store answers
  }
}
