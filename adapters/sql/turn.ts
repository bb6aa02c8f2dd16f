/**
 * Does a work in the next turn of the event loop, behind what has come by then. Node, Bun and Deno
 * have a timer without the millisecond that others take at least.
 */
export function nextTurn(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}

/** Lets everybody else have a turn. */
export function turn(): Promise<void> {
  return new Promise(nextTurn);
}
