import { checkOptions } from 'dealwright/ports';
import type { ReplayMemory } from './webhook-types.js';

/** The options of `createReplayMemory`. */
export interface ReplayMemoryOptions {
  /**
   * How many messages are remembered, at least 1; default 100,000. A message is accepted, and
   * remembered, for ten minutes at most. If more come in that time, the oldest is forgotten early.
   */
  readonly size?: number;
}

/**
 * Remembers in this process which messages came. Several processes that receive need a shared
 * memory: give `verifyWebhook` one of your own, such as `SET key 1 NX EXAT until` of Redis.
 *
 * Throws a `TypeError` for a size that is not a whole number from 1 on.
 *
 * @example
 * ```ts
 * import { createReplayMemory, verifyWebhook } from 'dealwright/client';
 *
 * const replays = createReplayMemory();
 * const receive = (request: Request, secret: string) => verifyWebhook(request, secret, { replays });
 * ```
 */
export function createReplayMemory(options: ReplayMemoryOptions = {}): ReplayMemory {
  const { size = 100_000 } = Object(options) as ReplayMemoryOptions;
  checkOptions('createReplayMemory', {
    'size is a whole number from 1 on': Number.isSafeInteger(size) && size >= 1,
  });
  const known = new Map<string, number>();

  // the oldest entries come first
  function forget(now: number): void {
    for (const [key, until] of known) {
      if (until >= now && known.size < size) return;
      known.delete(key);
    }
  }

  return {
    isFirst(key, untilSeconds) {
      if (known.has(key)) return false;
      forget(Date.now() / 1000);
      known.set(key, untilSeconds);
      return true;
    },
  };
}
