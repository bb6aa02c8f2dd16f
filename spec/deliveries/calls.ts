import type { Store } from '../../src/ports/store.js';
import { check } from '../expectations.js';

/** Counts the calls of a store that are under way. */
export interface Calls {
  /** The same store for one process, which may be killed: then its calls are not made. */
  counted(): { readonly port: Store; readonly kill: () => void };
  /** Waits until no call is under way, and none follows. */
  settle(): Promise<void>;
}

/**
 * So often in a row no call is under way: between the answer of one and the beginning of the next,
 * the core waits for promises alone, which takes less than one turn.
 */
const quietTurns = 3;

/** Milliseconds of real time: a store that does not answer for so long never does. */
const longestCall = 30_000;

/** Counts what is asked of a store, so that a case knows when nothing is under way any more. */
export function countCalls(store: Store, logsShown: () => PromiseLike<void> | undefined): Calls {
  let underWay = 0;
  return {
    counted() {
      let isDead = false;
      return {
        port: wrap(store, async (call) => {
          if (isDead) return never;
          underWay += 1;
          try {
            const answer = await call();
            return isDead ? never : answer;
          } finally {
            underWay -= 1;
          }
        }),
        kill() {
          isDead = true;
        },
      };
    },
    async settle() {
      await logsShown();
      const end = Date.now() + longestCall;
      for (let quiet = 0; quiet < quietTurns; ) {
        await new Promise((resolve) => setImmediate(resolve));
        quiet = underWay === 0 ? quiet + 1 : 0;
        check(Date.now() < end, 'the store answers');
      }
    },
  };
}

const never = new Promise<never>(() => undefined);

type Call = () => unknown;

/** The same port, whose calls are made by `make`; one that watches asks nothing. */
function wrap<P extends object>(port: P, make: (call: Call) => unknown): P {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === 'object' && member !== null) return wrap(member, make);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const call = () => Reflect.apply(member, target, given);
        return name === 'watch' ? call() : make(call);
      };
    },
  });
}
