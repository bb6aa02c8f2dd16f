import * as fc from 'fast-check';
import type { DealStretch } from '../../src/ports/deal-index.js';
import { equal, holds } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { operationsOf } from './operations.js';
import { anyPlan, resolve, type Step, type Universe, universe } from './random-steps.js';
import { allEvents, ask, type DefineCase, type StoreSubject } from './subject.js';

/** Any sequence of writes has the outcomes and leaves the state that the model says. */
export function randomOperations(define: DefineCase): void {
  define('a store is what the model says, after any sequence of writes', async (store) => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(anyPlan(), { minLength: 1, maxLength: 40, size: 'max' }),
      async (plans) => {
        run += 1;
        const names = universe(run);
        const model = createModel();
        for (const plan of plans) await take(store, model, resolve(plan, names));
        await compare(store, model, names);
      },
    );
    await holds(property, { numRuns: 60 });
  });
}

/** Takes a step in the store and in the model, which answer alike. */
export async function take(store: StoreSubject, model: Model, step: Step): Promise<void> {
  for (const { what, run, expect } of operationsOf(step, model)) {
    const answered = await run(store);
    equal(answered, expect(model, answered), what);
  }
}

/** All that the store has is what the model has. */
export async function compare(store: StoreSubject, model: Model, names: Universe): Promise<void> {
  for (const tenant of names.tenants) {
    for (const key of names.keys) {
      const read = await ask(store.contractors.byKey(tenant, key));
      equal(read, model.contractor(tenant, key), 'a contractor in the end');
    }
    for (const partner_id of names.partnerIds) {
      const expected = model.deal(tenant, partner_id);
      const read = await ask(store.deals.byPartnerId(tenant, partner_id));
      const readV2 = await ask(store.dealsV2.byPartnerId(tenant, partner_id));
      const { api_version, position: _, ...deal } = expected ?? { api_version: undefined };
      const indexed = expected && { api_version, ...deal };
      equal(await ask(store.dealIndex.byPartnerId(tenant, partner_id)), indexed, 'in the index');
      equal(read, api_version === '1.0' ? deal : undefined, 'a 1.0 deal in the end');
      equal(readV2, api_version === '2.0' ? deal : undefined, 'a 2.0 deal in the end');
      if (expected?.api_version !== '1.0') continue;
      const { id } = expected.value;
      for (const other of names.tenants) {
        const own = names.partnerIds
          .map((each) => model.deal(other, each))
          .find((each) => each?.api_version === '1.0' && each.value.id === id);
        const found = own && { value: own.value, version: own.version };
        equal(await ask(store.deals.byId(other, id)), found, 'a 1.0 deal by id');
      }
    }
    const all: DealStretch = { direction: 'older', from: undefined, limit: 100 };
    const listed = await ask(store.dealIndex.list(tenant, {}, all));
    equal(listed, model.list(tenant, {}), 'the list in the end');
    equal(await allEvents(store, tenant, 7), model.events(tenant), 'the events in the end');
  }
}
