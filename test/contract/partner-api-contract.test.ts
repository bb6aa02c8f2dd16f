import { createMarketplace, type PartnerApi } from 'dealwright';
import { partnerApiContract } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { createPorts } from '../kit/ports.js';

/** The view of a healthy marketplace, with a mistake. */
type Mistake = (api: PartnerApi<never>) => PartnerApi<never>;

const mistakes: Readonly<Record<string, { readonly make: Mistake; readonly foundBy: string }>> = {
  'forgets the key': {
    make: (api) => ({
      ...api,
      createDealV2: (input, { idempotencyKey: _, ...options } = {}) =>
        api.createDealV2(input, options),
    }),
    foundBy: 'createDealV2 repeats its first answer, as often as it is asked',
  },
  'speaks only English': {
    make: (api) => ({
      ...api,
      registerContractor: (input, { language: _, ...options } = {}) =>
        api.registerContractor(input, options),
    }),
    foundBy: 'speaks Polish to who asks for it',
  },
  'names the first problem only': {
    make: (api) => ({
      ...api,
      createDeal: (input, options) =>
        api
          .createDeal(input, options)
          .mapErr((error) =>
            error.code === 'validation_failed'
              ? Object.freeze({ ...error, errors: Object.freeze(error.errors.slice(0, 1)) })
              : error,
          ),
    }),
    foundBy: 'createDeal lists every field that is one step outside of its rules',
  },
  'answers a little more than the interface': {
    make: (api) => ({
      ...api,
      registerContractor: (input, options) =>
        api.registerContractor(input, options).map((value) => ({ ...value, id: 1 })),
    }),
    foundBy: 'registers the documented contractor, once',
  },
  'gives errors that can be changed': {
    make: (api) => ({
      ...api,
      createDealV2: (input, options) =>
        api.createDealV2(input, options).mapErr((error) => ({ ...error })),
    }),
    foundBy: 'a partner_id is its own in each tenant',
  },
  'trims what it is given': {
    make: (api) => ({
      ...api,
      createDealV2: (input, options) =>
        api.createDealV2(
          typeof input?.partner_id === 'string'
            ? { ...input, partner_id: input.partner_id.trim() }
            : input,
          options,
        ),
    }),
    foundBy: 'a partner_id is compared code point by code point',
  },
};

const subjectWith = (mistake: Mistake) => () => {
  const marketplace = createMarketplace(createPorts());
  return {
    api: (tenant: Parameters<typeof marketplace.partner>[0]) =>
      mistake(marketplace.partner(tenant)),
    close: async () => undefined,
  };
};

describe('the contract of PartnerApi', () => {
  it('passes an implementation without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    partnerApiContract(
      runner,
      subjectWith((api) => api),
    );
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(30);
  });

  it.each(Object.entries(mistakes))('finds one that %s', async (_, { make, foundBy }) => {
    const { runner, failures } = createCollectingRunner();
    partnerApiContract(runner, subjectWith(make));
    expect(await failures()).toContain(foundBy);
  });
});
