/**
 * Does a work in the next turn of the event loop, after the work that has come by then. Node, Bun
 * and Deno have a timer without the minimum of a millisecond of others.
 */
export function nextTurn(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}

/** Waits one turn, so that other work can run. */
export function turn(): Promise<void> {
  return new Promise(nextTurn);
}
