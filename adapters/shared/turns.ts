/** Runs tasks one after the other; one that rejects delays none of the others. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes turns of a thing that does one task at a time, such as a connection. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const taken = last.then(task);
    last = taken.catch(() => undefined);
    return taken;
  };
}
