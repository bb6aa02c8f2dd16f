import * as fc from 'fast-check';
import { equal, holds } from '../expectations.js';
import { createModel } from './model.js';
import { operationsOf } from './operations.js';
import { anyPlan, universe } from './plans.js';
import { anyValues } from './rows.js';
import { compare } from './session.js';
import type { DefineCase } from './subject.js';

/** Any sequence of writes and reads has the answers and the final state of the model. */
export function randomWrites(define: DefineCase): void {
  define('a store is what the model says, after any sequence of writes', async (store) => {
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
}
