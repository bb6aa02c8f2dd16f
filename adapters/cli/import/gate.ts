/** Lets so many through at a time, the others in the order in which they came. */
export interface Gate {
  /** Resolves when it is one's turn. */
  enter(): Promise<void>;
  /** Gives one's place to the next. */
  leave(): void;
}

/** A gate with `places` places. */
export function createGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    enter: () => {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free -= 1;
      return Promise.resolve();
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
