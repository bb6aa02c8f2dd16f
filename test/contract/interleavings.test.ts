import { expect, it } from 'vitest';
import { explained } from '../../spec/store/interleavings.js';
import { createModel } from '../../spec/store/model.js';
import { operationsOf } from '../../spec/store/operations.js';
import { type Plan, planOf, universe } from '../../spec/store/plans.js';
import type { Operation } from '../../spec/store/reads.js';
import { createGoodStore } from '../kit/store-parts.js';

const values = {
  text: ['Text'],
  integer: [1],
  money: ['1.00'],
  json: [{}],
  isNull: [false],
} as const;
const register = planOf({ kind: 'contractor' });
const deal = planOf({ kind: 'deal' });
const save = planOf({
  changes: [{ form: 'present', kind: 'deal', name: 0, where: 1, off: 0, set: 1 }],
});
const list = planOf({ does: 'list' });

/** Calls that a correct store answered at once, and how often the model was asked about them. */
async function takeTogether(plans: readonly Plan[]) {
  const store = createGoodStore();
  const names = await universe(store, 1, values, 50);
  const model = createModel();
  let asked = 0;
  const take = async (operation: Operation) => {
    const answered = await operation.run(store);
    const expect: Operation['expect'] = (now) => {
      asked += 1;
      return operation.expect(now);
    };
    return { operation: { ...operation, expect }, answered };
  };
  const before = [];
  for (const each of [register, deal]) {
    for (const operation of operationsOf(each, names, model)) {
      before.push(await take(operation));
      operation.expect(model);
    }
  }
  const operations = plans.flatMap((each) => operationsOf(each, names, model));
  const after = await Promise.all(operations.map(take));
  return { store, names, before, after, asked: () => asked };
}

const lists = Array.from({ length: 6 }, () => list);
const other = (plan: Plan) => ({ ...plan, who: 1 });

it('finds an order among many reads, and soon that there is none', async () => {
  const writes = [save, { ...deal, name: 1 }, save, other({ ...register, name: 1 })];
  const all = await takeTogether([...lists, ...writes, ...lists]);
  const { store, names, before, after, asked } = all;
  const model = await explained(store, before, after, names);
  const [tenant] = names.tenants;
  // one of the two saves is refused
  expect(tenant && model.events(tenant)).toHaveLength(4);
  const last = after.length - 1;
  const wrong = after.map((taken, at) => (at === last ? { ...taken, answered: [] } : taken));
  await expect(explained(store, before, wrong, names)).rejects.toThrow('no order explains');
  // call by call, they would have too many orders for a machine
  expect(asked()).toBeLessThan(1_000);
});

it('follows the log of each tenant, in whichever order those of two come', async () => {
  const others = [1, 2].map((name) => other({ ...register, name }));
  const asks = [{ form: 'present', kind: 'contractor', name: 1, where: 0, off: 0 }] as const;
  const own = [save, { ...register, name: 3 }, { ...deal, name: 1, isStray: true, asks }];
  const { store, names, before, after } = await takeTogether([...others, ...own]);
  const model = await explained(store, before, [...after].reverse(), names);
  const counts = names.tenants.map((tenant) => model.events(tenant).length);
  expect(counts).toEqual([5, 2, 0]);
});
