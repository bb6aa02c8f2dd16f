import type { Timer } from '../ports/timer.js';

/** Does a piece of work, and says when it is due again: `Infinity` where only a wake makes it due. */
type Work = () => Promise<number | 'failed'>;

interface Task {
  isWoken: boolean;
  /** How often it has failed since it was last done. */
  failures: number;
  running: Promise<void> | undefined;
  cancel(): void;
}

/** The least pause between two runs of one piece of work, in milliseconds. */
const shortestPause = 1;

/** Milliseconds before work that failed is tried again: doubled each time it fails once more. */
const [firstPause, lastPause] = [1_000, 8_000];

/** Pieces of work by name: each runs once at a time, and one that is woken meanwhile runs again. */
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
    /** Begins nothing any more, and resolves once nothing runs. */
    async stop() {
      isStopped = true;
      for (const { cancel } of tasks.values()) cancel();
      await Promise.all([...tasks.values()].map(({ running }) => running));
    },
  };
}
