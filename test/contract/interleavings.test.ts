import { expect, it } from 'vitest';
import { explained } from '../../spec/store/interleavings.js';
import { createModel } from '../../spec/store/model.js';
import { type Operation, operationsOf } from '../../spec/store/operations.js';
import { type Plan, resolve, universe } from '../../spec/store/random-steps.js';
import { createGoodStore } from '../kit/store-parts.js';

const names = universe(1);
const all = { which: 0, whom: 0, idempotency: undefined, off: 0, events: 1, when: 0 };
const plan = (kind: Plan['kind'], who = 0): Plan => ({ ...all, kind, who, status: 'accepted' });

/** Calls that a store without a fault answered at once, and how often the model was asked of them. */
async function takeTogether(plans: readonly Plan[]) {
  const store = createGoodStore();
  const model = createModel();
  let asked = 0;
  const take = async (operation: Operation) => {
    const answered = await operation.run(store);
    const expect: Operation['expect'] = (...given) => {
      asked += 1;
      return operation.expect(...given);
    };
    return { operation: { ...operation, expect }, answered };
  };
  const before = [];
  for (const each of [plan('contractor'), plan('deal')]) {
    for (const operation of operationsOf(resolve(each, names), model)) {
      const taken = await take(operation);
      operation.expect(model, taken.answered);
      before.push(taken);
    }
  }
  const operations = plans.flatMap((each) => operationsOf(resolve(each, names), model));
  const after = await Promise.all(operations.map(take));
  return { store, before, after, asked: () => asked };
}

const lists = Array.from({ length: 6 }, () => plan('list'));
const writes = [plan('save'), plan('dealV2'), plan('save'), plan('contractor', 1)];

it('finds an order among many reads, and soon that there is none', async () => {
  const { store, before, after, asked } = await takeTogether([...lists, ...writes, ...lists]);
  const model = await explained(store, before, after, names);
  const [tenant] = names.tenants;
  expect(tenant && model.events(tenant)).toHaveLength(3);
  const last = after.length - 1;
  const wrong = after.map((taken, at) => (at === last ? { ...taken, answered: [] } : taken));
  await expect(explained(store, before, wrong, names)).rejects.toThrow('no order explains');
  // one by one they have more orders than a machine can go through
  expect(asked()).toBeLessThan(1_000);
});

it('follows the log of each tenant, in whatever order those of two come', async () => {
  const others = [plan('contractor', 1), { ...plan('contractor', 1), whom: 1 }];
  const own = [plan('save'), { ...plan('contractor'), whom: 2 }];
  // of the contractor that the other partner registers
  const deal = { ...plan('deal'), which: 1, whom: 1 };
  const { store, before, after } = await takeTogether([...others, ...own, deal]);
  const turned = [...after].reverse();
  const model = await explained(store, before, turned, names);
  const counts = names.tenants.map((tenant) => model.events(tenant).length);
  expect(counts).toEqual([5, 1, 0]);
});
