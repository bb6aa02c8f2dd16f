import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import {
  failureOf,
  marketplaceWith,
  nothing,
  operations,
  throwing,
  traceOf,
} from './marketplace-with.js';

const keyed = { idempotencyKey: 'key-1' };
const registered = async (ports: Parameters<typeof marketplaceWith>[0]) => {
  const made = marketplaceWith(ports);
  expect((await made.api.registerContractor(contractorBody)).isOk()).toBe(true);
  return made;
};

const id = '01J9Z3K4M5N6P7Q8R9S0T1V2W3';

describe.each(operations)('%s', (_name, operate) => {
  it.each([
    ['throws', throwing],
    ['is NaN', () => Number.NaN],
    ['is infinite', () => Infinity],
    ['is undefined', () => undefined],
    ['is null', () => null],
    ['is a text', () => '2026-01-01'],
    ['is a date', () => new Date(0)],
    ['is beyond the calendar', () => 8.64e15 + 1],
    ['is after the year 9999', () => Date.UTC(10_000, 0, 1)],
    ['is before the year 0', () => Date.UTC(-1, 0, 1)],
  ])('is unavailable, and stores nothing, where the time %s', async (_what, now) => {
    const { clock } = createPorts();
    const { api, store } = marketplaceWith({ clock: { ...clock, now } });
    expect(await failureOf(operate(api))).toMatchObject({
      code: 'unavailable',
      port: 'system',
      outcome: 'none',
      retryable: true,
    });
    expect(await traceOf(store)).toEqual(nothing);
  });

  it.each([
    ['throws', throwing, { port: 'system', retryable: true }],
    ['is empty', () => '', { port: 'ids.next', retryable: false }],
    ['is a UUID', () => crypto.randomUUID(), { port: 'ids.next', retryable: false }],
    ['is in lower case', () => id.toLowerCase(), { port: 'ids.next', retryable: false }],
    ['is too large', () => `8${id.slice(1)}`, { port: 'ids.next', retryable: false }],
    ['is too long', () => `${id}0`, { port: 'ids.next', retryable: false }],
    ['follows a line', () => `x\n${id}`, { port: 'ids.next', retryable: false }],
    ['has a letter that no ULID has', () => id.replace('Z', 'U'), { port: 'ids.next' }],
    ['is a number', () => 7, { port: 'ids.next', retryable: false }],
    ['is undefined', () => undefined, { port: 'ids.next', retryable: false }],
    ['is an object that reads as one', () => ({ toString: () => id }), { port: 'ids.next' }],
    ['is a promise', async () => id, { port: 'ids.next', retryable: false }],
  ])('is unavailable, and stores nothing, where an id %s', async (_what, next, failure) => {
    const { api, store } = marketplaceWith({ ids: { next } });
    expect(await failureOf(operate(api))).toMatchObject({
      code: 'unavailable',
      outcome: 'none',
      ...failure,
    });
    expect(await traceOf(store)).toEqual(nothing);
  });

  it.each([
    ['throws', throwing, true],
    ['is empty', () => '', false],
    ['is undefined', () => undefined, false],
    ['comes later', async () => 'abc', false],
  ])(
    'is unavailable, and stores nothing, where the digest %s',
    async (_what, digest, retryable) => {
      const { api, store } = marketplaceWith({ digest });
      expect(await failureOf(operate(api))).toMatchObject({
        code: 'unavailable',
        port: 'digest',
        outcome: 'none',
        retryable,
      });
      expect(await traceOf(store)).toEqual(nothing);
    },
  );

  it('tells its own errors apart, freezes them, and speaks the language of the call', async () => {
    const { api } = marketplaceWith({ ids: { next: throwing } });
    const english = await failureOf(operate(api));
    expect(english.message).toMatch(/^A part of the service/);
    expect(Object.isFrozen(english)).toBe(true);
    const polish = await failureOf(api.registerContractor(contractorBody, { language: 'pl' }));
    expect(polish.message).toMatch(/^Część usługi/);
  });
});

/** What an `add` must never answer. */
const garbage: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'created'],
  ['no outcome', {}],
  ['another outcome', { outcome: 'perhaps' }],
  ['no word of who was first', { outcome: 'exists' }],
  ['another word of who was first', { outcome: 'exists', by: 'name' }],
  ['a first without an answer', { outcome: 'exists', by: 'idempotency_key' }],
  ['a first of nothing', { outcome: 'exists', by: 'idempotency_key', first: null }],
  [
    'what throws when it is read',
    Object.defineProperty({}, 'outcome', { get: throwing, enumerable: true }),
  ],
];

describe('a store that answers what it must not', () => {
  it.each(garbage)('is unavailable with an unknown outcome: %s', async (_what, decision) => {
    const { contractors, deals, dealsV2 } = createPorts();
    const add = () => ok(decision);
    const { api } = marketplaceWith({
      contractors: { ...contractors, add },
      deals: { ...deals, add },
      dealsV2: { ...dealsV2, add },
    });
    for (const [, operate] of operations) {
      expect(await failureOf(operate(api))).toMatchObject({
        code: 'unavailable',
        outcome: 'unknown',
        retryable: false,
      });
    }
  });

  it('is unavailable where a stranger to the call holds a key that it never gave', async () => {
    const { contractors, deals, dealsV2 } = createPorts();
    const first = { fingerprint: undefined, payment_token: 'x' };
    const add = () => ok({ outcome: 'exists', by: 'idempotency_key', first });
    const { api } = marketplaceWith({
      contractors: { ...contractors, add },
      deals: { ...deals, add },
      dealsV2: { ...dealsV2, add },
    });
    for (const answer of [
      api.registerContractor(contractorBody),
      api.createDeal(dealBody),
      api.createDealV2(dealV2Body),
    ]) {
      expect(await failureOf(answer)).toMatchObject({ code: 'unavailable', retryable: false });
    }
  });

  it.each([
    [{}],
    [{ id: 1 }],
    [{ id: 0, stage_ids: [1] }],
    [{ id: -1, stage_ids: [1] }],
    [{ id: 2 ** 53, stage_ids: [1] }],
    [{ id: '1', stage_ids: [1] }],
    [{ id: 1, stage_ids: [0] }],
    [{ id: 1, stage_ids: [1, 1.5] }],
    [{ id: 1, stage_ids: 7 }],
  ])('is unavailable where a stored deal has no ids: %j', async (ids) => {
    const { deals } = createPorts();
    const add = () => ok({ outcome: 'created', ...ids });
    const { api } = await registered({ deals: { ...deals, add } });
    expect(await failureOf(api.createDeal(dealBody))).toMatchObject({
      code: 'unavailable',
      outcome: 'unknown',
      retryable: false,
    });
  });

  it.each([undefined, '', 'short', 7])(
    'is unavailable where a first 2.0 deal has the token %j',
    async (payment_token) => {
      const { dealsV2, digest } = createPorts();
      const { api } = marketplaceWith({
        digest: () => 'same',
        dealsV2: {
          ...dealsV2,
          add: () =>
            ok({
              outcome: 'exists',
              by: 'idempotency_key',
              first: { fingerprint: 'same', payment_token },
            }),
        },
      });
      expect(digest('')).not.toBe('same');
      expect(await failureOf(api.createDealV2(dealV2Body, keyed))).toMatchObject({
        code: 'unavailable',
        port: 'dealsV2.add',
        outcome: 'unknown',
        retryable: false,
      });
    },
  );

  it.each([[undefined], [{ id: 0, stage_ids: [1] }], [{ id: 1, stage_ids: [1, 1.5] }]])(
    'is unavailable where a first 1.0 deal has the ids %j',
    async (ids) => {
      const { deals } = createPorts();
      const first = { fingerprint: 'same', ids };
      const { api } = marketplaceWith({
        digest: () => 'same',
        deals: { ...deals, add: () => ok({ outcome: 'exists', by: 'idempotency_key', first }) },
      });
      expect(await failureOf(api.createDeal(dealBody, keyed))).toMatchObject({
        code: 'unavailable',
        port: 'deals.add',
        outcome: 'unknown',
        retryable: false,
      });
    },
  );

  it('says so in the language of the call where the answer cannot even be read', async () => {
    const unreadable = Object.defineProperty({}, 'outcome', { get: throwing });
    const { dealsV2 } = createPorts();
    const { api } = marketplaceWith({ dealsV2: { ...dealsV2, add: () => ok(unreadable) } });
    const failure = await failureOf(api.createDealV2(dealV2Body, { language: 'pl' }));
    expect(failure).toMatchObject({ code: 'unavailable', port: 'unknown', outcome: 'unknown' });
    expect(failure.message).toMatch(/^Część usługi/);
  });
});

it.each(operations)(
  'the fingerprint of %s names it: records that were kept must match',
  async (name, operate) => {
    const digested: string[] = [];
    const digest = (text: string) => {
      digested.push(text);
      return 'a-fingerprint';
    };
    const { api } = marketplaceWith({ digest });
    await operate(api);
    const names: Readonly<Record<string, string>> = {
      registerContractor: 'register_contractor',
      createDeal: 'create_deal',
      createDealV2: 'create_deal_v2',
    };
    expect(digested.map((text) => JSON.parse(text)[0])).toEqual([names[name]]);
  },
);
