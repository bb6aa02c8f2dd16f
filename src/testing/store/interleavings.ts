import * as fc from 'fast-check';
import type { DomainEvent } from '../../domain/events.js';
import { check, equal, holds, isEqual, show } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { type Answered, type Operation, operationsOf } from './operations.js';
import { compare } from './random-operations.js';
import { anyPlan, type Plan, resolve, type Universe, universe } from './random-steps.js';
import { allEvents, type DefineCase, type StoreSubject } from './subject.js';

/** A call, and what the store answered. */
interface Taken {
  readonly operation: Operation;
  readonly answered: Answered;
}

/** What comes at once is answered as if one had come after the other, in whatever order. */
export function interleavings(define: DefineCase): void {
  define('what comes at once is what the model says in some order of it', async (store) => {
    let run = 0;
    // of one tenant, so that they meet
    const plans = (minLength: number, maxLength: number) =>
      fc.array(
        anyPlan().map((plan) => ({ ...plan, who: 0 })),
        { minLength, maxLength, size: 'max' },
      );
    const property = fc.asyncProperty(plans(0, 5), plans(2, 5), async (first, together) => {
      run += 1;
      const names = universe(run);
      const model = createModel();
      const before: Taken[] = [];
      for (const plan of first) {
        for (const operation of operationsOf(resolve(plan, names), model)) {
          const answered = await operation.run(store);
          equal(answered, operation.expect(model, answered), operation.what);
          before.push({ operation, answered });
        }
      }
      const operations = together.flatMap((plan) => operationsOf(resolve(plan, names), model));
      const after = await Promise.all(
        operations.map(async (operation) => ({ operation, answered: await operation.run(store) })),
      );
      await compare(store, await explained(store, before, after, names), names);
    });
    await holds(property, { numRuns: 25, examples: examples() });
  });
}

/** What meets seldom by chance. */
function examples(): [Plan[], Plan[]][] {
  const [register, deal, dealV2] = [plan('contractor'), plan('deal'), plan('dealV2')];
  const [save, saveV2, file, list] = [plan('save'), plan('saveV2'), plan('file'), plan('list')];
  return [
    [
      [register, deal],
      [save, save, list],
    ],
    [
      [register, deal],
      [file, save, file],
    ],
    [[dealV2], [saveV2, saveV2, list]],
    [[register], [deal, dealV2, list]],
    [[], [register, register, deal, deal]],
  ];
}

function plan(kind: Plan['kind']): Plan {
  const alike = { who: 0, which: 0, whom: 0, idempotency: undefined, off: 0, events: 1, when: 0 };
  return { kind, status: 'accepted', ...alike };
}

/** The model after an order in which it answers what the store answered, and logs the same events. */
async function explained(
  store: StoreSubject,
  before: readonly Taken[],
  after: readonly Taken[],
  { tenants }: Universe,
): Promise<Model> {
  const logs: (readonly DomainEvent[])[] = [];
  for (const tenant of tenants) logs.push(await allEvents(store, tenant));
  // the log tells the order of writes: what goes another way is not followed any further
  const isOnTheWay = (model: Model) =>
    tenants.every((tenant, at) => {
      const events = model.events(tenant);
      return isEqual(events, logs[at]?.slice(0, events.length));
    });
  const search = (order: readonly Taken[], left: readonly Taken[]): Model | undefined => {
    if (left.length === 0) return replay(order);
    for (const next of left) {
      const model = replay(order);
      if (!isEqual(next.operation.expect(model, next.answered), next.answered)) continue;
      if (!isOnTheWay(model)) continue;
      const others = left.filter((each) => each !== next);
      const found = search([...order, next], others);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const model = search(before, after);
  const answers = after.map(({ operation, answered }) => `${operation.what}: ${show(answered)}`);
  check(model !== undefined, `no order explains these answers\n  ${answers.join('\n  ')}`);
  return model;
}

function replay(order: readonly Taken[]): Model {
  const model = createModel();
  for (const { operation, answered } of order) operation.expect(model, answered);
  return model;
}
