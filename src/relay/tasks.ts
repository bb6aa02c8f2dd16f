import type { Timer } from '../ports/runtime.js';

/** Does a piece of work, and says when it is due again: `Infinity` if only a wake makes it due. */
type Work = () => Promise<number | 'failed'>;

interface Task {
  isWoken: boolean;
  /** How often it has failed since its last success. */
  failures: number;
  running: Promise<void> | undefined;
  cancel(): void;
}

/** The shortest pause between two runs of one piece of work, in milliseconds. */
const shortestPause = 1;

/** Milliseconds before failed work is tried again: doubled with each further failure. */
const [firstPause, lastPause] = [1_000, 8_000];

/** Pieces of work by name: each runs once at a time, and again if it is woken meanwhile. */
export function createTasks(timer: Timer, longestPause: number) {
  const tasks = new Map<string, Task>();
  let isStopped = false;

  const run = async (name: string, task: Task, work: Work) => {
    let again: number | 'failed' = Number.POSITIVE_INFINITY;
    while (task.isWoken && !isStopped) {
      task.isWoken = false;
      again = await work();
      task.failures = again === 'failed' ? task.failures + 1 : 0;
    }
    task.running = undefined;
    if (again === Number.POSITIVE_INFINITY || isStopped) return;
    const pause =
      again === 'failed'
        ? Math.min(firstPause * 2 ** (task.failures - 1), lastPause)
        : Math.max(shortestPause, Math.min(again - timer.now(), longestPause));
    task.cancel = timer.sleep(pause, () => wake(name, work));
  };

  function wake(name: string, work: Work): void {
    if (isStopped) return;
    const task = tasks.get(name) ?? {
      isWoken: false,
      failures: 0,
      running: undefined,
      cancel() {},
    };
    tasks.set(name, task);
    task.isWoken = true;
    if (task.running !== undefined) return;
    task.cancel();
    task.running = run(name, task, work);
  }

  return {
    wake,
    isStopped: () => isStopped,
    /** Begins no more work, and resolves once no work runs. */
    async stop() {
      isStopped = true;
      for (const { cancel } of tasks.values()) cancel();
      await Promise.all([...tasks.values()].map(({ running }) => running));
    },
  };
}

/** How long a task counts against the limit, in milliseconds. */
const countedTime = 1_000;

/** One slot in so many is for places whose last task was slow. */
const slowShare = 4;

/**
 * Runs tasks, a limited number at once. The others wait: those of one name in order, and the names
 * in turn, so that a name with many tasks does not delay the others. `place` is where the task
 * goes; default: the name.
 */
export type Slots = <T>(name: string, task: () => Promise<T>, place?: string) => Promise<T>;

/**
 * Makes slots. A task that takes longer than a second gives up its slot and goes on without one.
 * The next tasks for the same place share a few slots with other slow places, until one is done in
 * time. So receivers that hang do not delay others.
 */
export function createSlots(timer: Timer, limit: number): Slots {
  const quick = createQueue(limit);
  const slow = createQueue(Math.ceil(limit / slowShare));
  const late = new Set<string>();
  return async (name, task, place = name) => {
    const { enter, leave } = late.has(place) ? slow : quick;
    await enter(name);
    let isCounted = true;
    const cancel = timer.sleep(countedTime, () => {
      isCounted = false;
      late.add(place);
      leave();
    });
    try {
      return await task();
    } finally {
      cancel();
      if (isCounted) {
        late.delete(place);
        leave();
      }
    }
  };
}

/** Admits a limited number of tasks at once; the names of waiting tasks take turns. */
function createQueue(limit: number) {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  return {
    async enter(name: string): Promise<void> {
      if (running < limit) {
        running += 1;
        return;
      }
      await new Promise<void>((resolve) => {
        const queue = waiting.get(name);
        if (queue === undefined) waiting.set(name, [resolve]);
        else queue.push(resolve);
      });
    },
    leave(): void {
      const [first] = waiting;
      if (first === undefined) {
        running -= 1;
        return;
      }
      const [name, queue] = first;
      // the name goes behind the other names
      waiting.delete(name);
      const next = queue.shift();
      if (queue.length > 0) waiting.set(name, queue);
      next?.();
    },
  };
}
