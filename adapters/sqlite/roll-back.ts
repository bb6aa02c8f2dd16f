import type { Prepare } from './sqlite-like.js';

/** Ends a transaction that came to nothing, so that what is told is why. */
export function rollBack(prepare: Prepare): void {
  try {
    prepare('rollback').run();
  } catch {
    // SQLite rolls back itself after some errors
  }
}
