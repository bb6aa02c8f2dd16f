import type { Timer } from '../src/ports/runtime.js';

/**
 * A fault in a call of a port: it gets the real call, to make it or not, and returns what the
 * caller sees instead.
 */
export type PortFault = (call: () => unknown) => unknown;

/**
 * Makes a call whose answer is lost, even if it is a rejection, which nothing else would handle.
 */
function act(call: () => unknown): void {
  Promise.resolve(call()).catch(() => undefined);
}

const failure = () => new Error('a fault that a test made');

/**
 * The ways in which a port can fail its caller. Those that end in `After` do their work first: it
 * has its effect, and only the answer is lost.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { faults, withFault } from 'dealwright/testing';
 *
 * const broken = withFault(createMemoryStore(), 'commit', faults.rejectsAfter);
 * ```
 */
export const faults = {
  throws: () => {
    throw failure();
  },
  throwsAfter: (call) => {
    act(call);
    throw failure();
  },
  /** A thrown value need not be an error, nor an object. */
  throwsNonsense: () => {
    throw undefined;
  },
  rejects: () => Promise.reject(failure()),
  rejectsAfter: async (call) => {
    await call();
    throw failure();
  },
  hangs: () => new Promise(() => undefined),
  hangsAfter: (call) => {
    act(call);
    return new Promise(() => undefined);
  },
  /** A thenable that answers, and then answers again with something else, and fails. */
  answersTwice: (call) => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that breaks the rules is the point
    then(resolve: (value: unknown) => void, reject: (cause: unknown) => void) {
      Promise.resolve(call()).then((answer) => {
        resolve(answer);
        resolve(undefined);
        reject(failure());
      }, reject);
    },
  }),
  /** A thenable whose `then` throws. */
  thenThrows: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that breaks the rules is the point
    then() {
      throw failure();
    },
  }),
} as const satisfies Record<string, PortFault>;

/**
 * A port that does its work at once and answers only `milliseconds` later.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { answersLate, createManualClock, withFault } from 'dealwright/testing';
 *
 * const timer = createManualClock();
 * const slow = withFault(createMemoryStore(), 'commit', answersLate(timer, 60_000));
 * ```
 */
export function answersLate(timer: Timer, milliseconds: number): PortFault {
  return (call) => {
    const answer = call();
    return new Promise((resolve) => {
      timer.sleep(milliseconds, () => resolve(answer));
    });
  };
}

/**
 * A port that does nothing for `milliseconds`, and then its work: the effect comes after the caller
 * has stopped waiting.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { actsLate, createManualClock, withFault } from 'dealwright/testing';
 *
 * const timer = createManualClock();
 * const slow = withFault(createMemoryStore(), 'commit', actsLate(timer, 60_000));
 * ```
 */
export function actsLate(timer: Timer, milliseconds: number): PortFault {
  return (call) =>
    new Promise((resolve) => {
      timer.sleep(milliseconds, () => resolve(call()));
    });
}

/**
 * A port that answers with a value of the test's choice, and does nothing.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { answers, withFault } from 'dealwright/testing';
 *
 * const broken = withFault(createMemoryStore(), 'commit', answers('what?'));
 * ```
 */
export function answers(value: unknown): PortFault {
  return () => value;
}

/**
 * The same port with a fault in one method, named by its path: `commit`, `deals.byId`. The others
 * work as before.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { faults, withFault } from 'dealwright/testing';
 *
 * const store = withFault(createMemoryStore(), 'deals.byId', faults.hangs);
 * ```
 */
export function withFault<P extends object>(port: P, method: MethodPath<P>, fault: PortFault): P {
  return replaceMethods(port, (path, call) => (path === method ? fault(call) : call()));
}

/**
 * The same port, but each method waits for some turns of the microtask queue before it acts, and
 * some more before it answers, so that calls of several callers interleave.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { delayed } from 'dealwright/testing';
 *
 * const deals = delayed(createMemoryStore().deals, () => 3);
 * ```
 */
export function delayed<P extends object>(port: P, turns: () => number): P {
  const late = async (call: () => unknown) => {
    await pass(turns());
    const answer = await call();
    await pass(turns());
    return answer;
  };
  // a watcher is notified when something happens: it is no call
  return replaceMethods(port, (path, call) => (path === 'watch' ? call() : late(call)));
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
}

/** The methods of a port, and of the ports within it: `commit`, `deals.byId`. */
export type MethodPath<P> = {
  [K in keyof P & string]: NonNullable<P[K]> extends (...args: never[]) => unknown
    ? K
    : NonNullable<P[K]> extends object
      ? `${K}.${MethodPath<NonNullable<P[K]>>}`
      : never;
}[keyof P & string];

function replaceMethods<P extends object>(
  port: P,
  make: (path: string, call: () => unknown) => unknown,
  within = '',
): P {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      const path = `${within}${String(name)}`;
      if (typeof member === 'function') {
        return (...args: unknown[]) => make(path, () => Reflect.apply(member, target, args));
      }
      return typeof member === 'object' && member !== null
        ? replaceMethods(member, make, `${path}.`)
        : member;
    },
  });
}
