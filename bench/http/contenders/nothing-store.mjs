import { ok } from 'neverthrow';

/** A store for measuring what is not the store: it says `created` to all and keeps nothing. */
export function createNothingStore() {
  let last = 0;
  const nothing = () => ok(undefined);
  const missing = () => ok('missing');
  const created = () => ok({ outcome: 'created' });
  return {
    contractors: { add: created, byKey: nothing },
    deals: {
      add(_tenant, { deal }) {
        last += deal.stages.length;
        const stage_ids = deal.stages.map((_, index) => last - index).reverse();
        return ok({ outcome: 'created', id: last, stage_ids });
      },
      byId: nothing,
      byPartnerId: nothing,
      save: missing,
    },
    dealsV2: { add: created, byPartnerId: nothing, save: missing },
  };
}
