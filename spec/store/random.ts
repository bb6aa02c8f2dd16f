import * as fc from 'fast-check';
import { equal, holds } from '../expectations.js';
import { createModel } from './model.js';
import { operationsOf } from './operations.js';
import { anyPlan, universe } from './plans.js';
import { anyValues } from './rows.js';
import { compare } from './session.js';
import { group } from './subject.js';

/** Any sequence of writes and reads has the answers and the final state of the model. */
export const randomWrites = group(
  'random writes against a model',
  {
    must: {
      '7/store/random-writes':
        'The answers to any sequence of calls, and the records after it, are those of the reference model.',
    },
  },
  (define) => {
    define('7/store/random-writes', async (store) => {
      let run = 0;
      const property = fc.asyncProperty(
        fc.array(anyPlan(), { minLength: 1, maxLength: 40, size: 'max' }),
        anyValues(),
        async (plans, values) => {
          run += 1;
          const names = await universe(store, run, values, 200);
          const model = createModel();
          for (const plan of plans) {
            for (const { what, run, expect } of operationsOf(plan, names, model)) {
              equal(await run(store), expect(model), what);
            }
          }
          await compare(store, model);
        },
      );
      await holds(property, { numRuns: 20 });
    });
  },
);
