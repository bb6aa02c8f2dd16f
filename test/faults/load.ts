import { setImmediate as turn } from 'node:timers/promises';
import type { Dice } from './dice.js';
import type { Intent } from './journal.js';
import { collide, create, type Talk } from './send.js';

/** Requests in flight at a time. */
const width = 24;

/**
 * Creates without a pause: contractors, deals of both versions and work files, with keys and
 * without, some sent twice at once, some again, some that collide with what is there. It ends when
 * it is stopped, or by itself once the service is gone.
 */
export function startLoad(
  talk: Talk,
  imagine: () => Intent,
  dice: Dice,
): { isOn(): boolean; stop(): Promise<void> } {
  const { journal } = talk;
  let isOn = true;
  /** Answers whether the service still does. */
  const step = async (): Promise<boolean> => {
    const earlier = dice.isBelow(20) ? dice.pick(journal.intents.slice(-300)) : undefined;
    if (earlier === undefined) {
      const intent = imagine();
      // a file without a key is a new one each time
      const isTwice = dice.isBelow(15) && (intent.kind !== 'file' || intent.key !== undefined);
      const sent = Array.from({ length: isTwice ? 2 : 1 }, () => create(talk, intent));
      return (await Promise.all(sent)).every(Boolean);
    }
    return earlier.answer !== undefined && dice.isBelow(60)
      ? collide(talk, earlier, dice.isBelow(50))
      : earlier.key === undefined || create(talk, earlier);
  };
  const workers = Array.from({ length: width }, async () => {
    while (isOn && (await step())) await turn();
    isOn = false;
  });
  return {
    isOn: () => isOn,
    async stop() {
      isOn = false;
      await Promise.all(workers);
    },
  };
}
