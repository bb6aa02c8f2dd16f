import type { CreateDealError, LocalMarketplace } from 'dealwright';
import type { PostgresStore } from 'dealwright/postgres';

/** The deals of a host, in its own PostgreSQL. */
export interface Deals {
  readonly marketplace: LocalMarketplace;
  readonly store: PostgresStore;
}

/** Thrown in a transaction, which rolls it back. */
export class NotCreated extends Error {
  constructor(readonly error: CreateDealError) {
    super(error.message);
  }
}

/** Runs a transaction again that lost against another one, or its connection: five times at most. */
export async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (thrown) {
      if (attempt === 5 || !isWorthAnother(thrown)) throw thrown;
    }
  }
}

function isWorthAnother(thrown: unknown): boolean {
  if (thrown instanceof NotCreated) {
    return thrown.error.code === 'unavailable' && thrown.error.retryable;
  }
  // your own statements lose, too: a serialization failure, a deadlock
  const { code, cause } = Object(thrown) as { code?: unknown; cause?: unknown };
  return /^(?:40001|40P01)$/.test(String(code)) || (cause !== undefined && isWorthAnother(cause));
}
