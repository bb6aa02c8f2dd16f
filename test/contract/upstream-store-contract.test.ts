import { createHttpRepositories } from 'dealwright/http-repositories';
import { type UpstreamStoreSubject, upstreamStoreContract } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { createTestHandler, tokenOf } from '../kit/service.js';
import { settle } from '../kit/store-parts.js';
import { fetchFrom } from '../kit/upstream.js';

const createGoodStore = (): UpstreamStoreSubject => ({
  ...createHttpRepositories({
    baseUrl: 'https://deals.example.com',
    token: tokenOf,
    fetch: fetchFrom(createTestHandler()),
  }),
  close: async () => undefined,
});

type Change = (store: UpstreamStoreSubject) => Partial<UpstreamStoreSubject>;

/** Stores with a mistake each, and a case that finds it. */
const mistakes: Readonly<Record<string, readonly [change: Change, foundBy: string]>> = {
  'keeps its tokens to itself': [
    ({ dealsV2 }) => ({
      dealsV2: {
        ...dealsV2,
        add: async (...args) => {
          const outcome = await settle(dealsV2.add(...args));
          return ok(outcome.outcome === 'created' ? { outcome: 'created' } : outcome);
        },
      },
    }),
    'says which token a 2.0 deal was given, and issues one a deal',
  ],
  'loses idempotency keys': [
    ({ deals }) => ({
      deals: {
        ...deals,
        add: (tenant, given) => deals.add(tenant, { ...given, idempotency: undefined }),
      },
    }),
    'answers a repeat under its key with the first answer',
  ],
  'speaks for one partner only': [
    ({ dealsV2, deals, contractors, dealIndex }) => {
      const merge = (tenant: Parameters<typeof deals.byId>[0]) => ({ ...tenant, partner: 'acme' });
      return {
        contractors,
        dealsV2,
        deals: { ...deals, byId: (tenant, id) => deals.byId(merge(tenant), id) },
        dealIndex: {
          ...dealIndex,
          page: (tenant, ...rest) => dealIndex.page(merge(tenant), ...rest),
        },
      };
    },
    'keeps the deals of tenants apart',
  ],
  'takes every conflict for a missing contractor': [
    ({ deals }) => ({
      deals: {
        ...deals,
        add: async (...args) => {
          const outcome = await settle(deals.add(...args));
          return ok(
            outcome.outcome === 'exists' && outcome.by === 'partner_id'
              ? { outcome: 'contractor_missing' }
              : outcome,
          );
        },
      },
    }),
    'keeps a partner_id to one deal, of either version',
  ],
  'does not filter': [
    ({ dealIndex }) => ({
      dealIndex: { ...dealIndex, page: (tenant, _, query) => dealIndex.page(tenant, {}, query) },
    }),
    'lists what passes the filter, of the tenant alone',
  ],
  'gives the first page for every cursor': [
    ({ dealIndex }) => ({
      dealIndex: {
        ...dealIndex,
        page: (tenant, filter, { page_size }) =>
          dealIndex.page(tenant, filter, { page_size, cursor: undefined }),
      },
    }),
    'knows a cursor that is none',
  ],
  'asks for the stage before the content': [
    ({ workFiles }) => ({
      workFiles: {
        add: (tenant, { stage_id, ...upload }) =>
          workFiles.add(tenant, {
            ...upload,
            ...(typeof stage_id === 'number' ? { stage_id } : {}),
            ...(typeof stage_id === 'function' ? { stage_id: stage_id() ?? 0 } : {}),
          }),
      },
    }),
    'stores a file under its stage, whenever the stage is known',
  ],
  'forgets the keys of files': [
    ({ workFiles }) => ({
      workFiles: {
        add: (tenant, upload) => workFiles.add(tenant, { ...upload, idempotencyKey: undefined }),
      },
    }),
    'answers a repeat under its key, and refuses another file under it',
  ],
  'keeps half a file': [
    ({ workFiles }) => ({
      workFiles: {
        add: (tenant, upload) => {
          async function* half() {
            try {
              yield* upload.content;
            } catch {
              // what has come is enough
            }
          }
          return workFiles.add(tenant, { ...upload, content: half() });
        },
      },
    }),
    'keeps nothing of a content that breaks off, or of a stage that is none',
  ],
};

describe('the contract of stores that another service keeps', () => {
  it('passes a store without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    upstreamStoreContract(runner, createGoodStore);
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(15);
  });

  it.each(Object.entries(mistakes))('finds a store that %s', async (_, [change, foundBy]) => {
    const { runner, failures } = createCollectingRunner();
    upstreamStoreContract(runner, () => {
      const store = createGoodStore();
      return { ...store, ...change(store) };
    });
    expect(await failures(foundBy)).toEqual([foundBy]);
  });
});
