import type { AddDealOutcome, DealRepository, DealV2Repository, Tenant } from 'dealwright/ports';
import type { StoreSubject } from 'dealwright/spec';
import { ok } from 'neverthrow';
import {
  type BrokenStores,
  createGoodStore,
  folding,
  isTaken,
  mergeTenants,
  routed,
  settle,
  withDeals,
  withDealsV2,
} from './store-parts.js';

/** Mistakes in adding and saving. */
export const brokenWrites: BrokenStores = {
  'hands out what it keeps': {
    make: () =>
      withDealsV2(({ dealsV2 }) => {
        const kept = new Map<string, ReturnType<DealV2Repository['byPartnerId']>>();
        return {
          byPartnerId: (tenant, partner_id) => {
            const name = JSON.stringify([tenant, partner_id]);
            const answer = kept.get(name) ?? dealsV2.byPartnerId(tenant, partner_id);
            kept.set(name, answer);
            return answer;
          },
        };
      }),
    foundBy: 'does not hand out what it keeps',
  },
  'keeps what it was given': {
    make: () =>
      withDeals(({ deals }) => {
        const given = new Map<string, Parameters<DealRepository['add']>[1]['deal']>();
        return {
          add: (tenant, addition) => {
            given.set(addition.deal.partner_id, addition.deal);
            return deals.add(tenant, addition);
          },
          byPartnerId: async (tenant, partner_id) => {
            const read = await settle(deals.byPartnerId(tenant, partner_id));
            const name = given.get(partner_id)?.name;
            return ok(read && { ...read, value: { ...read.value, ...(name && { name }) } });
          },
        };
      }),
    foundBy: 'does not keep what it was given',
  },
  'checks first and acts later': {
    make: () => {
      const store = createGoodStore();
      const isFree = async (tenant: Tenant, partner_id: string) => {
        const taken = await isTaken(store, tenant, partner_id);
        await undefined;
        return !taken;
      };
      const exists = ok({ outcome: 'exists', by: 'partner_id' } as const);
      return {
        ...store,
        deals: {
          ...store.deals,
          add: async (tenant, given) => {
            if (!(await isFree(tenant, given.deal.partner_id))) return exists;
            const outcome = await settle(store.deals.add(tenant, given));
            // somebody else was faster by now, and is overwritten
            return outcome.outcome === 'exists'
              ? ok({ outcome: 'created', id: 1000, stage_ids: [1000, 1001] })
              : ok(outcome);
          },
        },
        dealsV2: {
          ...store.dealsV2,
          add: async (tenant, given) => {
            if (!(await isFree(tenant, given.deal.partner_id))) return exists;
            await store.dealsV2.add(tenant, given);
            return ok({ outcome: 'created' });
          },
        },
      };
    },
    foundBy: 'of 40 adds of one partner_id, of both versions, one wins',
  },
  'forgets events of adds': {
    make: () =>
      withDealsV2(({ dealsV2 }) => ({
        add: (tenant, given) => dealsV2.add(tenant, { ...given, events: [] }),
      })),
    foundBy: 'gives events in the order of their writes, in pages of any size',
  },
  'saves to the deal of somebody else': {
    make: () =>
      withDeals(({ deals }) => {
        const owners = new Map<number, Tenant>();
        return {
          add: async (tenant, given) => {
            const outcome = await settle(deals.add(tenant, given));
            if (outcome.outcome === 'created') owners.set(outcome.id, tenant);
            return ok(outcome);
          },
          save: (tenant, change) => deals.save(owners.get(change.deal_id) ?? tenant, change),
        };
      }),
    foundBy: 'finds nothing to save to elsewhere',
  },
  'moves on all stages that a change does not name': {
    make: () =>
      withDeals(({ deals }) => ({
        save: async (tenant, change) => {
          const stored = await settle(deals.byId(tenant, change.deal_id));
          const [named] = change.stages;
          const stages = stored?.value.stages.map(({ id }) => ({
            id,
            status: change.stages.find((each) => each.id === id)?.status ?? named?.status,
          }));
          const known = stages?.filter(
            (each): each is (typeof change.stages)[number] => each.status !== undefined,
          );
          return deals.save(tenant, { ...change, stages: known ?? [] });
        },
      })),
    foundBy: 'moves a 1.0 deal of the version that was read on',
  },
  'forgets events of saves': {
    make: () =>
      withDeals(({ deals }) => ({
        save: (tenant, change) => deals.save(tenant, { ...change, events: [] }),
      })),
    foundBy: 'moves a 1.0 deal of the version that was read on',
  },
  'loses idempotency keys': {
    make: () =>
      withDealsV2(({ dealsV2 }) => ({
        add: (tenant, given) => dealsV2.add(tenant, { ...given, idempotency: undefined }),
      })),
    foundBy: 'gives the first answer of a 2.0 deal with its token',
  },
  'has keys of its own for each version': {
    make: () =>
      withDealsV2(({ dealsV2 }) => ({
        add: (tenant, { idempotency, ...given }) =>
          dealsV2.add(tenant, {
            ...given,
            idempotency: idempotency && { ...idempotency, key: `2.0 ${idempotency.key}` },
          }),
      })),
    foundBy: 'judges key, then partner_id, then contractor',
  },
  'remembers the key of a refusal': {
    make: () =>
      withDeals(({ deals }) => {
        const refused = new Set<string>();
        return {
          add: async (tenant, given) => {
            const key = given.idempotency?.key ?? '';
            const fingerprint = given.idempotency?.fingerprint ?? '';
            if (refused.has(key)) {
              return ok({ outcome: 'exists', by: 'idempotency_key', first: { fingerprint } });
            }
            const outcome = await settle(deals.add(tenant, given));
            if (outcome.outcome === 'contractor_missing' && key !== '') refused.add(key);
            return ok(outcome);
          },
        };
      }),
    foundBy: 'refuses a 1.0 deal without its contractor, and keeps nothing of it',
  },
  'lets partners see each other': {
    make: () => mergeTenants(({ environment }) => ({ environment, partner: 'everybody' })),
    foundBy: 'keeps tenants apart',
  },
  'has one environment': {
    make: () => mergeTenants(({ partner }) => ({ environment: 'sandbox', partner })),
    foundBy: 'keeps tenants apart',
  },
  'finds a deal by its id for anybody': {
    make: () =>
      withDeals(({ deals }) => {
        const owners = new Map<number, Tenant>();
        return {
          add: async (tenant, given) => {
            const outcome = await settle(deals.add(tenant, given));
            if (outcome.outcome === 'created') owners.set(outcome.id, tenant);
            return ok(outcome);
          },
          byId: (tenant, id) => deals.byId(owners.get(id) ?? tenant, id),
        };
      }),
    foundBy: 'keeps tenants apart',
  },
  'counts the stages of each deal from 1': {
    make: () =>
      withDeals(({ deals }) => ({
        add: async (tenant, given) => {
          const outcome: AddDealOutcome = await settle(deals.add(tenant, given));
          return ok(
            outcome.outcome === 'created'
              ? { ...outcome, stage_ids: outcome.stage_ids.map((_, index) => index + 1) }
              : outcome,
          );
        },
      })),
    foundBy: 'gives ids that no other deal or stage of the environment has',
  },
  'lets partners have ids of their own': {
    make: () => {
      const stores = new Map<string, StoreSubject>();
      const of = ({ partner }: Tenant): StoreSubject => {
        const store = stores.get(partner) ?? createGoodStore();
        stores.set(partner, store);
        return store;
      };
      return routed(of);
    },
    foundBy: 'gives ids that no other deal or stage of the environment has',
  },
  'saves over a newer version': {
    make: () =>
      withDeals(({ deals }) => ({
        save: async (tenant, change) => {
          const stored = await settle(deals.byId(tenant, change.deal_id));
          return deals.save(tenant, { ...change, version: stored?.version ?? change.version });
        },
      })),
    foundBy: 'refuses a version that is no longer, or not yet, the stored one',
  },
  'calls stale what is missing': {
    make: () =>
      withDealsV2(({ dealsV2 }) => ({
        save: async (...args) => {
          const outcome = await settle(dealsV2.save(...args));
          return ok(outcome === 'missing' ? 'stale' : outcome);
        },
      })),
    foundBy: 'finds nothing to save to elsewhere',
  },
  'judges the partner_id before the key': {
    make: () =>
      withDeals((store) => ({
        add: async (tenant, given) =>
          (await isTaken(store, tenant, given.deal.partner_id))
            ? ok({ outcome: 'exists', by: 'partner_id' })
            : store.deals.add(tenant, given),
      })),
    foundBy: 'judges key, then partner_id, then contractor',
  },
  'judges the contractor first': {
    make: () =>
      withDeals(({ deals, contractors }) => ({
        add: async (tenant, given) =>
          (await settle(contractors.byKey(tenant, given.contractor))) === undefined
            ? ok({ outcome: 'contractor_missing' })
            : deals.add(tenant, given),
      })),
    foundBy: 'judges key, then partner_id, then contractor',
  },
  'folds the case of a partner_id': {
    make: () => folding((partner_id) => partner_id.toLowerCase()),
    foundBy: 'compares a partner_id exactly',
  },
  'trims a partner_id': {
    make: () => folding((partner_id) => partner_id.trim()),
    foundBy: 'compares a partner_id exactly',
  },
  'normalises a partner_id': {
    make: () => folding((partner_id) => partner_id.normalize('NFC')),
    foundBy: 'compares a partner_id exactly',
  },
  'answers an attempt that comes again as another one': {
    make: () =>
      withDealsV2(({ dealsV2 }) => {
        const attempts = new Set<string>();
        return {
          add: async (tenant, given) => {
            const outcome = await settle(dealsV2.add(tenant, given));
            const [first = { id: '' }] = given.events;
            const isAgain = attempts.size === attempts.add(first.id).size;
            return ok(isAgain ? { outcome: 'exists', by: 'partner_id' } : outcome);
          },
        };
      }),
    foundBy: 'a deal that is added again by the same attempt is created, once',
  },
  'takes a contractor who is known for the same attempt': {
    make: () => {
      const store = createGoodStore();
      const add: typeof store.contractors.add = async (tenant, given) => {
        const outcome = await settle(store.contractors.add(tenant, given));
        const isKnown = outcome.outcome === 'exists' && outcome.by === 'email';
        return ok(isKnown ? { outcome: 'created' } : outcome);
      };
      return { ...store, contractors: { ...store.contractors, add } };
    },
    foundBy: 'a contractor that is added again by the same attempt is created, once',
  },
};
