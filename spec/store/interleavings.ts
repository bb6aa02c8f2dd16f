import * as fc from 'fast-check';
import { check, equal, holds, isEqual, show } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { operationsOf } from './operations.js';
import { anyPlan, type Plan, planOf, type Universe, universe } from './plans.js';
import type { Operation } from './reads.js';
import { anyValues } from './rows.js';
import { compare } from './session.js';
import { allEvents, group, type StoreSubject } from './subject.js';

/** A call, and what the store answered. */
interface Taken {
  readonly operation: Operation;
  readonly answered: unknown;
}

/** Calls at the same time are answered as if one had come after the other, in any order. */
export const interleavings = group(
  'interleavings against a model',
  {
    must: {
      '7/store/interleavings':
        'Calls at the same time are answered as the reference model answers them in some order, one after the other.',
    },
  },
  (define) => {
    define('7/store/interleavings', async (store) => {
      let run = 0;
      const plans = (minLength: number, maxLength: number) =>
        fc.array(anyPlan().map(meeting), { minLength, maxLength, size: 'max' });
      const property = fc.asyncProperty(
        plans(0, 5),
        plans(2, 5),
        anyValues(),
        async (first, together, values) => {
          run += 1;
          const names = await universe(store, run, values, 60);
          const model = createModel();
          const before: Taken[] = [];
          for (const plan of first) {
            for (const operation of operationsOf(plan, names, model)) {
              const answered = await operation.run(store);
              equal(answered, operation.expect(model), operation.what);
              before.push({ operation, answered });
            }
          }
          const operations = together.flatMap((plan) => operationsOf(plan, names, model));
          const after = await Promise.all(
            operations.map(async (operation) => ({
              operation,
              answered: await operation.run(store),
            })),
          );
          const found = await explained(store, before, after, names);
          for (const { tenant, write } of names.sent) found.note(tenant, write);
          await compare(store, found);
        },
      );
      const [values] = fc.sample(anyValues(), 1);
      if (values === undefined) return;
      await holds(property, { numRuns: 15, examples: examples().map((each) => [...each, values]) });
    });
  },
);

/**
 * The plan of one tenant, so that plans collide; contractors collide with the other partner's too.
 */
function meeting(plan: Plan): Plan {
  return { ...plan, who: plan.kind === 'contractor' ? plan.who % 2 : 0 };
}

/** Collisions that are rare by chance. */
function examples(): [Plan[], Plan[]][] {
  const register = planOf({ kind: 'contractor' });
  const deal = planOf({ kind: 'deal', more: 1 });
  const keyed = planOf({ kind: 'deal', name: 1, key: 0 });
  const [file, list] = [planOf({ kind: 'work_file' }), planOf({ does: 'list' })];
  const version = { form: 'present', kind: 'deal', name: 0, where: 1, off: 0, set: 1 } as const;
  const save = planOf({ changes: [version] });
  // the fourth changeable field of a deal is `due_at`
  const postponed = (set: number) => planOf({ changes: [{ ...version, where: 0, set }], value: 2 });
  const due = planOf({ does: 'read', value: 3, events: 3 });
  const again = planOf({ does: 'again' });
  // the third changeable field of a consumer is its lease, and the first condition is about it
  const consumer = planOf({ kind: 'consumer' });
  const lease = { form: 'present', kind: 'consumer', name: 0, where: 1, off: 0, set: 2 } as const;
  const claim = planOf({ changes: [lease] });
  const records = planOf({ does: 'read', name: 1 });
  const bound = { form: 'fewer', kind: 'work_file', name: 0, where: 0, off: 0 } as const;
  const bounded = (name: number) => planOf({ kind: 'work_file', name, asks: [bound] });
  return [
    [[deal], [save, save, list]],
    [[deal], [file, save, file]],
    [
      [deal, postponed(3)],
      [postponed(7), due, postponed(11), due],
    ],
    [[deal], [bounded(0), bounded(1), bounded(2)]],
    [
      [deal, consumer],
      [claim, claim, records, claim],
    ],
    [[], [register, register, deal, deal, again]],
    [[], [keyed, { ...keyed, name: 2 }, { ...keyed, name: 2, key: 1 }, deal]],
    [[], [register, { ...register, who: 1 }, keyed, { ...register, who: 1 }]],
  ];
}

/** The model after an order in which it gives the store's answers, and logs the same events. */
export async function explained(
  store: StoreSubject,
  before: readonly Taken[],
  after: readonly Taken[],
  { tenants }: Pick<Universe, 'tenants'>,
): Promise<Model> {
  const logs: (readonly unknown[])[] = [];
  for (const tenant of tenants) logs.push(await allEvents(store, tenant));
  // the log tells the order of a tenant's writes: other orders are not searched
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
      .filter(({ taken, model }) => isEqual(taken.operation.expect(model), taken.answered));
    // a change logs an event: a fitting call without a change does not affect the others
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
  for (const { operation } of order) operation.expect(model);
  return model;
}
