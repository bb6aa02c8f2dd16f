/** Random numbers that are the same for the same seed. */
export interface Dice {
  /** An integer from 0 to below `end`. */
  below(end: number): number;
  isBelow(percent: number): boolean;
  pick<T>(from: readonly T[]): T | undefined;
}

/** Makes dice of a seed (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    isBelow: (percent) => below(100) < percent,
    pick: (from) => from[below(from.length)],
  };
}
