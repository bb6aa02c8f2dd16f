import * as fc from 'fast-check';
import { seed } from '../kit/seed.js';
import { countOf, isLong } from '../tiers.js';
import { type Dice, dice } from './actions.js';
import type { Place } from './place.js';
import { type Shape, shapes } from './states.js';
import { World } from './world.js';

/** The deals that a planner may split so: no stage has another sign than the deal (2.6). */
const plans = shapes.filter(
  ({ budgets }) => budgets.every((each) => each >= 0n) || budgets.every((each) => each <= 0n),
);

/** Milliseconds that a run may take; more for more commands. */
export const timeLimit =
  (isLong ? 3_600_000 : 600_000) + 40 * Number(process.env['DEALWRIGHT_COMMANDS'] ?? 0);

/** Shrinking a failure stops here: by then the example is short enough to read. */
const longest = 60_000;

/**
 * Runs deals in a place until so many commands, reports and effects were made, and returns the
 * number. `DEALWRIGHT_COMMANDS` makes it a long run.
 */
export async function runWorlds(place: () => Place, usually: number): Promise<number> {
  const wanted = countOf('DEALWRIGHT_COMMANDS', usually, 20 * usually);
  let done = 0;
  const steps = fc.array(dice, { maxLength: 80, size: 'max' });
  const live = async (shape: Shape, all: readonly Dice[]) => {
    const world = await World.create(place(), shape);
    await world.live(all);
    done += world.count;
  };
  let last: Promise<void> = Promise.resolve();
  const property = fc.asyncProperty(plans, steps, async (shape, all) => {
    // a run that fast-check has given up still goes on, in the same place
    await last.catch(() => undefined);
    last = live(shape, all);
    await last;
  });
  const numRuns = Math.min(200, Math.ceil(wanted / 50));
  for (let round = 0; done < wanted; round++) {
    // fast-check prints the seed and the shortest deal, and the world prints its steps
    await fc.assert(property, { seed: seed + round, numRuns, interruptAfterTimeLimit: longest });
  }
  console.info(`${done} commands, seed ${seed}`);
  return done;
}
