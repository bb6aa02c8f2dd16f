import type { Timer } from '../ports/timer.js';

/** How long a delivery counts among those that are under way at once. */
const countedTime = 1_000;

/**
 * Runs tasks, of which so many count at once. The others wait: those of one name in their order, and
 * the names in turn, so that one with many tasks keeps no other waiting.
 */
export type Slots = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/**
 * Makes slots. A task that takes longer than a second gives its slot up and goes on without one, so
 * that receivers that hang keep nobody else waiting.
 */
export function createSlots(timer: Timer, limit: number): Slots {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  const wait = (name: string) =>
    new Promise<void>((resolve) => {
      const queue = waiting.get(name);
      if (queue === undefined) waiting.set(name, [resolve]);
      else queue.push(resolve);
    });
  const release = () => {
    const [first] = waiting;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [name, queue] = first;
    // it goes behind the other names
    waiting.delete(name);
    const next = queue.shift();
    if (queue.length > 0) waiting.set(name, queue);
    next?.();
  };
  return async (name, task) => {
    if (running < limit) running += 1;
    else await wait(name);
    let isCounted = true;
    const end = () => {
      if (isCounted) release();
      isCounted = false;
    };
    const cancel = timer.sleep(countedTime, end);
    try {
      return await task();
    } finally {
      cancel();
      end();
    }
  };
}
