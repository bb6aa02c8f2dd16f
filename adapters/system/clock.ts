import type { Clock } from 'dealwright/ports';

/**
 * The runtime's own clock and timers.
 *
 * @example
 * ```ts
 * import { createSystemClock } from 'dealwright/system';
 *
 * const milliseconds = createSystemClock().now();
 * ```
 */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep(milliseconds, wake) {
      const timer = setTimeout(wake, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
