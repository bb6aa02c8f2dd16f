import * as fc from 'fast-check';
import type { DomainEvent } from '../../src/domain/events.js';
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
    const plans = (minLength: number, maxLength: number) =>
      fc.array(anyPlan().map(meeting), { minLength, maxLength, size: 'max' });
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

/** The plan of one tenant, so that they meet; contractors meet those of the other partner too. */
function meeting(plan: Plan): Plan {
  return { ...plan, who: plan.kind === 'contractor' ? plan.who % 2 : 0 };
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
    [[], [register, { ...register, who: 1 }, deal, { ...register, who: 1 }]],
  ];
}

function plan(kind: Plan['kind']): Plan {
  const alike = { who: 0, which: 0, whom: 0, idempotency: undefined, off: 0, events: 1, when: 0 };
  return { kind, status: 'accepted', ...alike };
}

/** The model after an order in which it answers what the store answered, and logs the same events. */
export async function explained(
  store: StoreSubject,
  before: readonly Taken[],
  after: readonly Taken[],
  { tenants }: Universe,
): Promise<Model> {
  const logs: (readonly DomainEvent[])[] = [];
  for (const tenant of tenants) logs.push(await allEvents(store, tenant));
  // its log tells the order of the writes of a tenant: what goes another way is not followed
  const isOnTheWay = (model: Model) =>
    tenants.every((tenant, at) => {
      const events = model.events(tenant);
      return isEqual(events, logs[at]?.slice(0, events.length));
    });
  const countOf = (model: Model) =>
    tenants.reduce((count, tenant) => count + model.events(tenant).length, 0);
  const search = (order: readonly Taken[], left: readonly Taken[]): Model | undefined => {
    const now = replay(order);
    if (left.length === 0) return now;
    const next = left
      .map((taken) => ({ taken, model: replay(order) }))
      .filter(({ taken, model }) =>
        isEqual(taken.operation.expect(model, taken.answered), taken.answered),
      );
    // a change logs an event: what fits here and changes nothing is no hindrance to the others
    const idle = next.filter(({ model }) => countOf(model) === countOf(now));
    if (idle.length > 0) return search(order, without(left, idle));
    for (const each of next.filter(({ model }) => isOnTheWay(model))) {
      const found = search([...order, each.taken], without(left, [each]));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const model = search(before, after);
  const answers = after.map(({ operation, answered }) => `${operation.what}: ${show(answered)}`);
  check(model !== undefined, `no order explains these answers\n  ${answers.join('\n  ')}`);
  return model;
}

function without(all: readonly Taken[], those: readonly { readonly taken: Taken }[]) {
  return all.filter((each) => !those.some(({ taken }) => taken === each));
}

function replay(order: readonly Taken[]): Model {
  const model = createModel();
  for (const { operation, answered } of order) operation.expect(model, answered);
  return model;
}
