import { createMemoryStore } from 'dealwright/memory';
import { ok } from 'neverthrow';

/** A store for measuring what is not the store: it says `created` to every deal and keeps none. */
export function createNothingStore() {
  const store = createMemoryStore();
  let last = 0;
  return {
    ...store,
    deals: {
      ...store.deals,
      add(_tenant, { deal }) {
        last += deal.stages.length;
        const stage_ids = deal.stages.map((_, index) => last - index).reverse();
        return ok({ outcome: 'created', id: last, stage_ids });
      },
    },
  };
}
