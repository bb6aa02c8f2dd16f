import type { Timer } from '../src/ports/timer.js';

/**
 * A way in which a call of a port goes wrong: it gets the real call, to make it or not, and gives
 * what the caller sees instead.
 */
export type PortFault = (call: () => unknown) => unknown;

/** Makes a call whose answer is lost, also where it is a rejection: nobody is there to handle it. */
function act(call: () => unknown): void {
  Promise.resolve(call()).catch(() => undefined);
}

const failure = () => new Error('a fault that a test made');

/**
 * The ways in which a port can fail its caller. Those that end in `After` do their work first: the
 * effect is there, and only the answer is lost.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { faults, withFault } from 'dealwright/spec';
 *
 * const { deals } = createMemoryStore();
 * const broken = withFault(deals, 'add', faults.rejectsAfter);
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
  /** What is thrown need not be an error, nor anything that can be looked at. */
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
 * import { answersLate, createManualClock, withFault } from 'dealwright/spec';
 *
 * const timer = createManualClock();
 * const slow = withFault(createMemoryStore().deals, 'add', answersLate(timer, 60_000));
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
 * A port that does nothing for `milliseconds`, and then its work: the effect comes when nobody
 * waits any more.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { actsLate, createManualClock, withFault } from 'dealwright/spec';
 *
 * const timer = createManualClock();
 * const slow = withFault(createMemoryStore().deals, 'add', actsLate(timer, 60_000));
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
 * import { answers, withFault } from 'dealwright/spec';
 *
 * const broken = withFault(createMemoryStore().deals, 'add', answers('what?'));
 * ```
 */
export function answers(value: unknown): PortFault {
  return () => value;
}

/**
 * The same port with a fault in one method. The others work as before.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { faults, withFault } from 'dealwright/spec';
 *
 * const deals = withFault(createMemoryStore().deals, 'byId', faults.hangs);
 * ```
 */
export function withFault<P extends object>(
  port: P,
  method: keyof P & string,
  fault: PortFault,
): P {
  return replaceMethods(port, (name, call) => (name === method ? fault(call) : call()));
}

/**
 * The same port, but each method waits for some turns of the microtask queue before it acts, and
 * some more before it answers, so that calls of several callers interleave.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { delayed } from 'dealwright/spec';
 *
 * const deals = delayed(createMemoryStore().deals, () => 3);
 * ```
 */
export function delayed<P extends object>(port: P, turns: () => number): P {
  return replaceMethods(port, async (_, call) => {
    await pass(turns());
    const answer = await call();
    await pass(turns());
    return answer;
  });
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
}

function replaceMethods<P extends object>(
  port: P,
  make: (name: string | symbol, call: () => unknown) => unknown,
): P {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => make(name, () => Reflect.apply(method, target, args));
    },
  });
}
