/** Lets so many work at a time, the others in the order in which they came. */
export interface Semaphore {
  /** Resolves when it is one's turn. */
  acquire(): Promise<void>;
  /** Gives one's place to the next. */
  release(): void;
}

/** A semaphore with `places` places. */
export function createSemaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    acquire: () => {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free -= 1;
      return Promise.resolve();
    },
    release: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
