import { ok } from 'neverthrow';
import { type BrokenStores, createGoodStore, settle, withDeals } from './store-parts.js';

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
  'tells two partners that come at once that each registered the contractor': {
    make: () => {
      const pause = createPause();
      const partners = new Map<string, string>();
      const { contractors, ...store } = createGoodStore();
      const add: typeof contractors.add = async (tenant, given) => {
        const known = await settle(contractors.byKey(tenant, given.key));
        await pause();
        const answered = await settle(contractors.add(tenant, given));
        const name = JSON.stringify([tenant.environment, given.key]);
        if (answered.outcome === 'created') partners.set(name, tenant.partner);
        const isOther = partners.get(name) !== tenant.partner;
        return ok(known === undefined && isOther ? { outcome: 'created' } : answered);
      };
      return { ...store, contractors: { ...contractors, add } };
    },
    foundBy: 'what comes at once is what the model says in some order of it',
  },
};
