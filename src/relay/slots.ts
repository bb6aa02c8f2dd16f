import type { Timer } from '../ports/timer.js';

/** How long a delivery counts among those that are under way at once. */
const countedTime = 1_000;

/** Runs tasks, of which so many count at once; the others wait in their order. */
export type Slots = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Makes slots. A task that takes longer than a second gives its slot up and goes on without one, so
 * that receivers that hang keep nobody else waiting.
 */
export function createSlots(timer: Timer, limit: number): Slots {
  const waiting: (() => void)[] = [];
  let running = 0;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (task) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
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
