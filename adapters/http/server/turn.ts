/** Resolves in a later turn of the event loop. */
export type Turn = () => Promise<void>;

interface Runtime {
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly navigator?: { readonly userAgent?: string };
}

// read once, before a test with fake timers can replace it
const { setImmediate: schedule, navigator } = globalThis as Runtime;

/** In Workers, a request must not wait for a promise of another request. */
export const mayWaitForOthers = navigator?.userAgent !== 'Cloudflare-Workers';

/**
 * Gathers the requests of one turn of the event loop, so that they are answered side by side: one
 * step of each, then the next step of each. So the code in the cache of the processor serves many
 * requests before other code replaces it, and a busy server answers about twice as many (ADR 0033).
 * No request waits for others to come: a request that is alone goes on in the same turn.
 *
 * `undefined` if the runtime has no `setImmediate`, and in Workers.
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

/** Callers go on one after the other, each in a turn of the event loop of its own. */
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
