/** Runs tasks one after the other. None of them rejects. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes turns of a connection, which does one thing at a time. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const taken = last.then(task);
    last = taken.catch(() => undefined);
    return taken;
  };
}
