import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import type { MethodPath } from 'dealwright/testing';
import { ok } from 'neverthrow';
import type { Operation } from './broken-world.js';
import { unreadable } from './every-fault.js';

/** A method of a port that an operation calls, and the meaning of its failure. */
export interface Case {
  readonly port: MethodPath<MarketplacePorts>;
  readonly operation: Operation;
  readonly outcome: 'none' | 'unknown';
  /** Answers that it must not give. */
  readonly values: Readonly<Record<string, unknown>>;
}

const failing = { 'a failure that it calls unknown': unavailable({ outcome: 'unknown' }) };
const unreadableValue = { 'a value that cannot be looked at': ok(unreadable) };
const throwing = () => {
  throw new Error('broken');
};

const wrongOutcomes = {
  ...unreadableValue,
  'no outcome': ok(undefined),
  'null instead of an outcome': ok(null),
  'a text': ok('committed'),
  'an empty outcome': ok({}),
  'another outcome': ok({ outcome: 'perhaps' }),
  'a refusal of nothing': ok({ outcome: 'refused' }),
  'a refusal of what was not expected': ok({ outcome: 'refused', expectation: 7 }),
  'a refusal that is not a number': ok({ outcome: 'refused', expectation: '0' }),
  'a first answer that is missing': ok({ outcome: 'refused', expectation: 0 }),
  'a first answer of nothing': ok({ outcome: 'refused', expectation: 0, first: null }),
  'a first answer without a fingerprint': ok({
    outcome: 'refused',
    expectation: 0,
    first: { answer: '{}' },
  }),
  'a first answer that is not JSON': ok({
    outcome: 'refused',
    expectation: 0,
    first: { fingerprint: 'f', answer: '{' },
  }),
  'a first answer that is not an object': ok({
    outcome: 'refused',
    expectation: 0,
    first: { fingerprint: 'f', answer: '7' },
  }),
  'an outcome that throws when it is read': ok(
    Object.defineProperty({}, 'outcome', { get: throwing, enumerable: true }),
  ),
};

const wrongIds = {
  ...failing,
  'no number': ok(undefined),
  zero: ok(0),
  'a negative number': ok(-1),
  'a text': ok('1'),
  'a fraction': ok(1.5),
  'a number that is not safe': ok(2 ** 53),
  'a number whose followers are not safe': ok(2 ** 53 - 1),
};

const wrongTokens = {
  ...failing,
  ...unreadableValue,
  'no token': ok(undefined),
  'a short token': ok('a'.repeat(21)),
  'a long token': ok('a'.repeat(2049)),
  'a token with a space': ok(`${'a'.repeat(30)} `),
  'a token that is not a text': ok(7),
};

const wrongDeals = {
  ...failing,
  ...unreadableValue,
  'null instead of a deal': ok(null),
  'an object that is not a deal': ok({ version: 1 }),
  'a deal without its fields': ok({ deal: {}, stage: [], work_file: [] }),
};

/** Every method that an operation calls once it has begun. */
export const cases: readonly Case[] = [
  ...(['listCategories'] as const).map(
    (operation): Case => ({
      port: 'categories.tree',
      operation,
      outcome: 'none',
      values: {
        ...failing,
        ...unreadableValue,
        'no tree': ok(undefined),
        'null instead of a tree': ok(null),
        'a tree of nothing': ok([null]),
        'categories without names': ok([{ id: 1, subcategories: [] }]),
      },
    }),
  ),
  ...(['retrieveDeal', 'uploadFile'] as const).map(
    (operation): Case => ({
      port: 'store.deals.byId',
      operation,
      outcome: 'none',
      values: wrongDeals,
    }),
  ),
  {
    port: 'store.deals.byPartnerId',
    operation: 'retrieveDealDetails',
    outcome: 'none',
    values: wrongDeals,
  },
  {
    port: 'store.deals.list',
    operation: 'listDeals',
    outcome: 'none',
    values: {
      ...failing,
      ...unreadableValue,
      'no list': ok(undefined),
      'a number instead of a list': ok(7),
      'a list of nothing': ok([null]),
      'deals without a position': ok([{ partner_id: 'x' }]),
    },
  },
  {
    port: 'files.put',
    operation: 'uploadFile',
    outcome: 'none',
    values: {
      ...failing,
      ...unreadableValue,
      'another outcome': ok('perhaps'),
      'stored, without having read it': ok('stored'),
    },
  },
  {
    port: 'files.get',
    operation: 'uploadFile',
    outcome: 'none',
    values: { ...failing, 'no content': ok(undefined), 'a number': ok(7) },
  },
  {
    port: 'scanner.scan',
    operation: 'uploadFile',
    outcome: 'none',
    values: {
      ...failing,
      ...unreadableValue,
      'no verdict': ok(undefined),
      'another verdict': ok('clean'),
    },
  },
  ...(['registerContractor', 'createDeal', 'createDealV2', 'uploadFile'] as const).map(
    (operation): Case => ({
      port: 'store.commit',
      operation,
      outcome: 'unknown',
      values: wrongOutcomes,
    }),
  ),
  ...(['createDeal', 'createDealV2'] as const).flatMap((operation): readonly Case[] => [
    { port: 'store.reserve', operation, outcome: 'none', values: wrongIds },
    {
      port: 'categories.subcategory',
      operation,
      outcome: 'none',
      values: {
        ...failing,
        'null instead of a subcategory': ok(null),
        'another subcategory': ok({ id: 1 }),
        'a subcategory without an id': ok({}),
        'an id that throws': ok(Object.defineProperty({}, 'id', { get: throwing })),
      },
    },
  ]),
  {
    port: 'paymentTokens.issue',
    operation: 'createDealV2',
    outcome: 'none',
    values: wrongTokens,
  },
];
