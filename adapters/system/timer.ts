import type { Timer } from 'dealwright/ports';

/**
 * The runtime's own clock and timers.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const milliseconds = createSystemTimer().now();
 * ```
 */
export function createSystemTimer(): Timer {
  return {
    now: () => Date.now(),
    sleep(milliseconds, wake) {
      const timer = setTimeout(wake, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
