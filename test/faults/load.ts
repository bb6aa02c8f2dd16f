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
): { stop(): Promise<void> } {
  const { journal } = talk;
  let isOn = true;
  const step = async () => {
    const earlier = dice.isBelow(20) ? dice.pick(journal.intents.slice(-300)) : undefined;
    if (earlier === undefined) {
      const intent = imagine();
      // a file without a key is a new one each time
      const isTwice = dice.isBelow(15) && (intent.kind !== 'file' || intent.key !== undefined);
      await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => create(talk, intent)));
    } else if (earlier.answer !== undefined && dice.isBelow(60)) {
      await collide(talk, earlier, dice.isBelow(50));
    } else if (earlier.key !== undefined) {
      await create(talk, earlier);
    }
  };
  const workers = Array.from({ length: width }, async () => {
    while (isOn) await step();
  });
  return {
    async stop() {
      isOn = false;
      await Promise.all(workers);
    },
  };
}
