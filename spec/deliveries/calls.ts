import type { Store } from '../../src/ports/store.js';
import { type Call, check, wrap } from '../expectations.js';

/** Counts the calls of a store that are under way. */
export interface Calls {
  /** The same store for one process, which may be killed: then it makes no more calls. */
  counted(): { readonly port: Store; readonly kill: () => void };
  /** Waits until no call is under way, and none follows. */
  settle(): Promise<void>;
}

/**
 * How many turns in a row no call must be under way. Between the answer of one call and the start
 * of the next the core only waits for promises, which takes less than one turn.
 */
const quietTurns = 3;

/** Milliseconds of real time: a store that has not answered by then never does. */
const longestCall = 30_000;

/** More than a case needs before the time moves on. */
const mostCalls = 5_000;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Counts the calls of a store, so that a case knows when none is under way any more. */
export function countCalls(store: Store, logsShown: () => PromiseLike<void> | undefined): Calls {
  let underWay = 0;
  let made = 0;
  return {
    counted() {
      let isDead = false;
      const count = async (call: Call) => {
        if (isDead) return never;
        underWay += 1;
        made += 1;
        try {
          // a store that answers at once would leave no turn for anything else
          if (made % 100 === 0) await nextTurn();
          const answer = await call();
          return isDead ? never : answer;
        } finally {
          underWay -= 1;
        }
      };
      return {
        // watching is no call
        port: wrap(store, (call, name) => (name === 'watch' ? call() : count(call))),
        kill() {
          isDead = true;
        },
      };
    },
    async settle() {
      await logsShown();
      const end = Date.now() + longestCall;
      made = 0;
      for (let quiet = 0; quiet < quietTurns; ) {
        await nextTurn();
        check(made < mostCalls, 'relays rest where nothing is left to do');
        quiet = underWay === 0 ? quiet + 1 : 0;
        check(Date.now() < end, 'the store answers');
      }
    },
  };
}

const never = new Promise<never>(() => undefined);
