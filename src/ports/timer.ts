/**
 * Real time, which measures deadlines of ports, idle connections and sweeping. It is the same for
 * every tenant; the dates of a deal are the clock's.
 */
export interface Timer {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `wake` once, after `milliseconds`; the function that it returns cancels that. */
  sleep(milliseconds: number, wake: () => void): () => void;
}
