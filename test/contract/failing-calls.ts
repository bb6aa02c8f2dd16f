import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { type PortFault, withFault } from 'dealwright/spec';
import { ok } from 'neverthrow';
import type { Operation } from './broken-world.js';
import { unreadable } from './every-fault.js';

/** A method of a port that an operation calls, and what its failure means. */
export interface Case {
  readonly port: string;
  readonly operation: Operation;
  readonly outcome: 'none' | 'unknown';
  readonly values: Readonly<Record<string, unknown>>;
  readonly break_: (ports: MarketplacePorts, fault: PortFault) => MarketplacePorts;
}

const unreadableValue = { 'a value that cannot be looked at': ok(unreadable) };
const wrongOutcomes = {
  'no outcome': ok(undefined),
  'an outcome that is none': ok({ outcome: 'perhaps' }),
  'a conflict that is none': ok({ outcome: 'exists', by: 'the way' }),
};
const wrongIds = {
  'a deal without ids': ok({ outcome: 'created' }),
  'an id that is none': ok({ outcome: 'created', id: 0, stage_ids: [1] }),
  'stage ids that are none': ok({ outcome: 'created', id: 1, stage_ids: ['1'] }),
  'no id for its stage': ok({ outcome: 'created', id: 1, stage_ids: [] }),
  'an id for a stage that it has not': ok({ outcome: 'created', id: 1, stage_ids: [1, 2] }),
};
const wrongTokens = {
  ...unreadableValue,
  'no token': ok(undefined),
  'a short token': ok('a'.repeat(21)),
  'a long token': ok('a'.repeat(2049)),
  'a token with a space': ok(`${'a'.repeat(30)} `),
  'a token that is no text': ok(7),
};

/** What reads: nothing can have happened. */
const reading: readonly Case[] = [
  ...(['listCategories', 'listCategoryTree'] as const).map(
    (operation): Case => ({
      port: 'categories.tree',
      operation,
      outcome: 'none',
      values: {
        ...unreadableValue,
        'no tree': ok(undefined),
        'null instead of a tree': ok(null),
        'a tree of nothing': ok([null]),
        'categories without names': ok([{ id: 1, subcategories: [] }]),
        'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
      },
      break_: (ports, fault) => ({
        ...ports,
        categories: withFault(ports.categories, 'tree', fault),
      }),
    }),
  ),
  ...(['retrieveDeal', 'uploadFile'] as const).map(
    (operation): Case => ({
      port: 'deals.byId',
      operation,
      outcome: 'none',
      values: {
        ...unreadableValue,
        'null instead of a deal': ok(null),
        'no deal': ok({ version: 1 }),
        'another deal': ok({ value: { id: 77, stages: [] }, version: 1 }),
        'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
      },
      break_: (ports, fault) => ({ ...ports, deals: withFault(ports.deals, 'byId', fault) }),
    }),
  ),
  {
    port: 'dealIndex.byPartnerId',
    operation: 'retrieveDealDetails',
    outcome: 'none',
    values: {
      ...unreadableValue,
      'null instead of a deal': ok(null),
      'no deal': ok({ api_version: '1.0' }),
      'another deal': ok({ api_version: '2.0', value: { partner_id: 'another', amount: 1n } }),
      'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
    },
    break_: (ports, fault) => ({
      ...ports,
      dealIndex: withFault(ports.dealIndex, 'byPartnerId', fault),
    }),
  },
  {
    port: 'dealIndex.list',
    operation: 'listEmployerDeals',
    outcome: 'none',
    values: {
      ...unreadableValue,
      'no list': ok(undefined),
      'a number instead of a list': ok(7),
      'a list of nothing': ok([null]),
      'deals without money': ok([{ entry: { partner_id: 'x' }, position: {} }]),
      'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
    },
    break_: (ports, fault) => ({ ...ports, dealIndex: withFault(ports.dealIndex, 'list', fault) }),
  },
];

/** What an upload asks besides: until its record is to be stored, nothing has happened. */
const uploading: readonly Case[] = [
  {
    port: 'files.put',
    operation: 'uploadFile',
    outcome: 'none',
    values: {
      ...unreadableValue,
      'an outcome that is none': ok('perhaps'),
      'stored, without having read it': ok('stored'),
      'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
    },
    break_: (ports, fault) => ({ ...ports, files: withFault(ports.files, 'put', fault) }),
  },
  {
    port: 'files.get',
    operation: 'uploadFile',
    outcome: 'none',
    values: {
      'no content': ok(undefined),
      'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
    },
    break_: (ports, fault) => ({ ...ports, files: withFault(ports.files, 'get', fault) }),
  },
  {
    port: 'scanner.scan',
    operation: 'uploadFile',
    outcome: 'none',
    values: {
      ...unreadableValue,
      'no verdict': ok(undefined),
      'a verdict that is none': ok('clean'),
      'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
    },
    break_: (ports, fault) => ({
      ...ports,
      ...(ports.scanner && { scanner: withFault(ports.scanner, 'scan', fault) }),
    }),
  },
  {
    port: 'deals.addWorkFile',
    operation: 'uploadFile',
    outcome: 'unknown',
    values: wrongOutcomes,
    break_: (ports, fault) => ({ ...ports, deals: withFault(ports.deals, 'addWorkFile', fault) }),
  },
];

/** Every method that an operation calls once it has begun. */
export const cases: readonly Case[] = [
  ...reading,
  ...uploading,
  {
    port: 'contractors.add',
    operation: 'registerContractor',
    outcome: 'unknown',
    values: wrongOutcomes,
    break_: (ports, fault) => ({
      ...ports,
      contractors: withFault(ports.contractors, 'add', fault),
    }),
  },
  {
    port: 'deals.add',
    operation: 'createDeal',
    outcome: 'unknown',
    values: { ...wrongOutcomes, ...wrongIds },
    break_: (ports, fault) => ({ ...ports, deals: withFault(ports.deals, 'add', fault) }),
  },
  {
    port: 'dealsV2.add',
    operation: 'createDealV2',
    outcome: 'unknown',
    values: wrongOutcomes,
    break_: (ports, fault) => ({ ...ports, dealsV2: withFault(ports.dealsV2, 'add', fault) }),
  },
  ...(['createDeal', 'createDealV2'] as const).map(
    (operation): Case => ({
      port: 'categories.subcategory',
      operation,
      outcome: 'none',
      values: {
        ...unreadableValue,
        'null instead of a subcategory': ok(null),
        'another subcategory': ok({ id: 1 }),
        'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
      },
      break_: (ports, fault) => ({
        ...ports,
        categories: withFault(ports.categories, 'subcategory', fault),
      }),
    }),
  ),
  {
    port: 'paymentTokens.issue',
    operation: 'createDealV2',
    outcome: 'none',
    values: wrongTokens,
    break_: (ports, fault) => ({
      ...ports,
      paymentTokens: withFault(ports.paymentTokens, 'issue', fault),
    }),
  },
];
