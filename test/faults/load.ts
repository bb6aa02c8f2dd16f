import { setImmediate as turn } from 'node:timers/promises';
import { type createCommander, give } from './commands.js';
import type { Dice } from './dice.js';
import type { createImagination } from './intents.js';
import { collide, create, type Talk } from './send.js';

/** Requests in flight at a time. */
const width = 24;

/** The sources of the load. */
export type Thoughts = ReturnType<typeof createImagination> & ReturnType<typeof createCommander>;

/**
 * Works without a pause: contractors, deals of both versions, work files and commands, with keys and
 * without. Some are sent twice at once, some again, and some collide with existing records. It ends
 * when it is stopped, or once the service is gone.
 */
export function startLoad(
  talk: Talk,
  { imagine, fileFor, pick, goOn, commandFor }: Thoughts,
  dice: Dice,
): { isOn(): boolean; stop(): Promise<void> } {
  const { journal } = talk;
  let isOn = true;
  /** Goes on with a deal by one step. Returns whether the service still answers. */
  const work = async (): Promise<boolean> => {
    const next = pick();
    const [command, ...script] = next?.script ?? [];
    if (next === undefined || command === undefined) return true;
    const { deal } = next;
    const file = command === 'file' ? fileFor(deal) : undefined;
    const given = file ?? commandFor(deal, command);
    const isTwice = given.key !== undefined && dice.isBelow(20);
    const sent = Array.from({ length: isTwice ? 2 : 1 }, () =>
      given.kind === 'command' ? give(talk, given) : create(talk, given),
    );
    const isAnswered = (await Promise.all(sent)).every(Boolean);
    // without an answer, the command is given again, as by a caller without a key
    goOn({ deal, script: isAnswered ? script : next.script });
    return isAnswered;
  };
  /** Makes one random step. Returns whether the service still answers. */
  const step = async (): Promise<boolean> => {
    if (dice.isBelow(50)) return work();
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
