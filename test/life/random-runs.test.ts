import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed } from '../kit/seed.js';
import { countOf } from '../tiers.js';
import { act, dice } from './actions.js';
import { Run } from './run.js';
import { shapes } from './states.js';

/** `DEALWRIGHT_COMMANDS=2000000 npx vitest run test/life/random-runs.test.ts` is a long run. */
const wanted = countOf('DEALWRIGHT_COMMANDS', 30_000, 500_000);
/** Shrinking a failure stops here: by then the example is short enough to read. */
const longest = 60_000;

test(
  'deals live as the written decisions say',
  () => {
    let done = 0;
    const steps = fc.array(dice, { maxLength: 80, size: 'max' });
    const property = fc.property(shapes, steps, (shape, all) => {
      const run = new Run(shape, () => {
        done += 1;
      });
      for (const each of all) act(run, each);
    });
    const numRuns = Math.min(200, Math.ceil(wanted / 50));
    for (let round = 0; done < wanted; round++) {
      // fast-check prints the seed and the shortest deal, and the run prints its steps
      fc.assert(property, { seed: seed + round, numRuns, interruptAfterTimeLimit: longest });
    }
    console.info(`${done} commands, seed ${seed}`);
    expect(done).toBeGreaterThanOrEqual(wanted);
  },
  120_000 + wanted,
);
