/** Runs a limited number of tasks of a name at once; the others wait their turn. */
export type Queues = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/** Makes queues in which at most `limit` tasks of one name run at once. */
export function createQueues(limit: number): Queues {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (name, task) => {
    let queue = queues.get(name);
    if (queue === undefined) {
      queue = { running: 0, waiting: [] };
      queues.set(name, queue);
    }
    if (queue.running < limit) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else {
        queue.running -= 1;
        if (queue.running === 0) queues.delete(name);
      }
    }
  };
}
