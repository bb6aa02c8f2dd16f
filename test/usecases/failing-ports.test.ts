import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import {
  failureOf,
  marketplaceWith,
  nothing,
  operations,
  throwing,
  traceOf,
} from './marketplace-with.js';

describe('a port that says how it failed', () => {
  const cause = new Error('connection reset');
  const failures: readonly PortFailure[] = [
    unavailable({ outcome: 'none', cause }).error,
    unavailable({ outcome: 'unknown', retryable: false }).error,
    unavailable({ outcome: 'unknown', retryAfter: 7 }).error,
  ];

  it.each(failures)('is passed on word by word: %j', async (failure) => {
    const { store } = createPorts();
    const { api } = marketplaceWith({ store: { ...store, commit: () => err(failure) } });
    for (const [, operate] of operations) {
      const { message, ...rest } = await failureOf(operate(api));
      expect(rest).toStrictEqual({ ...failure, port: 'store.commit' });
      expect(message).toMatch(/idempotency key/);
    }
  });

  it('is passed on without what else the port says', async () => {
    const { store } = createPorts();
    const failure = { ...unavailable({ outcome: 'none' }).error, message: 'm', sql: 'secret' };
    const { api } = marketplaceWith({ store: { ...store, commit: () => err(failure) } });
    for (const [, operate] of operations) {
      const { message, ...rest } = await failureOf(operate(api));
      expect(rest).toStrictEqual({
        code: 'unavailable',
        outcome: 'none',
        retryable: true,
        port: 'store.commit',
      });
      expect(message).toMatch(/idempotency key/);
    }
  });

  it.each(failures)(
    'is passed on from the catalogue, which changes nothing: %j',
    async (failure) => {
      const { categories } = createPorts();
      const subcategory = () => err(failure);
      const { api } = marketplaceWith({ categories: { ...categories, subcategory } });
      for (const answer of [api.createDeal(dealBody), api.createDealV2(dealV2Body)]) {
        const { message: _, ...rest } = await failureOf(answer);
        const port = 'categories.subcategory';
        expect(rest).toStrictEqual({ ...failure, port, outcome: 'none' });
      }
    },
  );

  it.each([
    ['null', null],
    ['another subcategory', { id: 76, name: { en: 'a', pl: 'b' } }],
    ['a subcategory without an id', {}],
    ['an id that throws', Object.defineProperty({}, 'id', { get: throwing })],
  ])('knows no subcategory if the catalogue answers %s', async (_what, found) => {
    const { categories } = createPorts();
    const subcategory = () => ok(found);
    const { api, store } = marketplaceWith({ categories: { ...categories, subcategory } });
    for (const answer of [api.createDeal(dealBody), api.createDealV2(dealV2Body)]) {
      expect(await failureOf(answer)).toMatchObject({
        code: 'unavailable',
        port: 'categories.subcategory',
        outcome: 'none',
        retryable: false,
      });
    }
    expect(await traceOf(store)).toEqual(nothing);
  });

  it('is heard if it says so later', async () => {
    const { store } = createPorts();
    const commit = async () => err(unavailable({ outcome: 'none' }).error);
    const { api } = marketplaceWith({ store: { ...store, commit } });
    for (const [, operate] of operations) {
      expect(await failureOf(operate(api))).toMatchObject({ code: 'unavailable', outcome: 'none' });
    }
  });

  it('at the category catalogue does not hide that the input is invalid', async () => {
    const { categories } = createPorts();
    const { api } = marketplaceWith({ categories: { ...categories, subcategory: throwing } });
    expect(await failureOf(api.createDeal({ ...dealBody, name: '' }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['name'], code: 'too_short' }],
    });
  });
});
