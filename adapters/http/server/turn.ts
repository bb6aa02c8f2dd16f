/** Lets all who wait in one turn of the event loop go on together. */
export type Turn = () => Promise<void>;

interface Runtime {
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly navigator?: { readonly userAgent?: string };
}

// taken once, before a test that has the time in its own hands can put another in its place
const { setImmediate: schedule, navigator } = globalThis as Runtime;

/** In Workers a request must not wait for what another has begun. */
export const mayWaitForOthers = navigator?.userAgent !== 'Cloudflare-Workers';

/**
 * Gathers the requests that one turn of the event loop brings, so that they are answered side by
 * side: one step of each, then the next step of each. What the processor has at hand of the program
 * then serves many requests before the next part takes its place, and a server that is busy answers
 * about twice as many (ADR 0033). Nobody waits for more to come: a request that is alone goes on in
 * the same turn.
 *
 * There is no turn to wait for where the runtime has no `setImmediate`, nor in Workers.
 */
export function createTurn(): Turn | undefined {
  if (schedule === undefined || !mayWaitForOthers) return undefined;
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      schedule(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}

/** Lets those who wait go on one after the other, each in a turn of the event loop of its own. */
export function createTurnForEach(): Turn | undefined {
  if (schedule === undefined || !mayWaitForOthers) return undefined;
  let last = Promise.resolve();
  return () => {
    last = last.then(
      () =>
        new Promise((resolve) => {
          schedule(() => resolve());
        }),
    );
    return last;
  };
}
