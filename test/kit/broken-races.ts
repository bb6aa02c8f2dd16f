import { type BrokenStores, settle, withDeals } from './store-parts.js';

/** Each a moment longer than the one before, so that no two keep step. */
function createPause(): () => Promise<void> {
  let turns = 0;
  return async () => {
    turns += 5;
    for (let turn = turns; turn > 0; turn -= 1) await undefined;
  };
}

/** Mistakes that show where several calls are under way. */
export const brokenRaces: BrokenStores = {
  'judges a version, and saves a moment later': {
    make: () => {
      const pause = createPause();
      return withDeals(({ deals }) => ({
        save: async (tenant, change) => {
          const judged = await settle(deals.byId(tenant, change.deal_id));
          if (judged?.version !== change.version) return deals.save(tenant, change);
          await pause();
          const stored = await settle(deals.byId(tenant, change.deal_id));
          return deals.save(tenant, { ...change, version: stored?.version ?? change.version });
        },
      }));
    },
    foundBy: 'what comes at once is what the model says in some order of it',
  },
};
