import type { Timer } from 'dealwright/ports';

export const systemTimer: Timer = {
  now: () => Date.now(),
  sleep(milliseconds, wake) {
    const timer = setTimeout(wake, milliseconds);
    return () => clearTimeout(timer);
  },
};
