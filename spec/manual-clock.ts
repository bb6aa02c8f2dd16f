import type { Timer } from '../src/ports/runtime.js';

/**
 * A timer that stands still until a test moves it.
 */
export interface ManualClock extends Timer {
  /** Moves the time on; timers until then fire in order, each at its own time. */
  advance(milliseconds: number): void;
  /** How many timers are set and not cancelled. */
  sleepers(): number;
}

/**
 * Makes a timer that a test sets; by default it starts at 2026-01-01T00:00:00Z.
 *
 * @example
 * ```ts
 * import { createManualClock } from 'dealwright/testing';
 *
 * const timer = createManualClock();
 * timer.sleep(1000, () => console.log('woken'));
 * timer.advance(1000); // woken
 * ```
 */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep(milliseconds, wake) {
      const sleeper = { at: now + milliseconds, wake };
      sleeping.add(sleeper);
      return () => sleeping.delete(sleeper);
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (let next = first(sleeping, until); next !== undefined; next = first(sleeping, until)) {
        sleeping.delete(next);
        now = Math.max(now, next.at);
        next.wake();
      }
      now = until;
    },
    sleepers: () => sleeping.size,
  };
}

function first<S extends { readonly at: number }>(all: Set<S>, until: number): S | undefined {
  let earliest: S | undefined;
  for (const each of all) {
    if (each.at <= until && (earliest === undefined || each.at < earliest.at)) earliest = each;
  }
  return earliest;
}
