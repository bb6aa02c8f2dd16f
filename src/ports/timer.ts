/**
 * Real time: what deadlines of ports, idle connections and sweeping are measured with. It is the
 * same for every tenant; the time that a deal is dated with is the clock's.
 */
export interface Timer {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `wake` once, after `milliseconds`; the function that it returns cancels that. */
  sleep(milliseconds: number, wake: () => void): () => void;
}
