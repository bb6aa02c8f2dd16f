import {
  type FeePolicy,
  formatMoney,
  fromMinorUnits,
  interfaceProfile,
  type MarketplaceOptions,
  type Profile,
  parseSum,
  type StagePlanner,
  splitMoney,
} from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import type { DealwrightOptions } from 'dealwright/host';
import type { HandlerOptions } from 'dealwright/http';
import { type Lifecycle, lifecycle } from 'dealwright/life';
import { strictProfile } from 'dealwright/strict';
import { createSystemPorts } from 'dealwright/system';
import { ok } from 'neverthrow';
import { apiTokens } from './in-memory.js';

/** The values of one option that a service is judged with. */
type Values<T> = Readonly<Record<string, T>>;

/** A tenth of the amount from each side; nothing of an amount that is not above zero. */
const tenth: FeePolicy = ({ amount }) => {
  const sum = parseSum(amount) ?? fail();
  const [fee] = sum > 0n ? (splitMoney(sum, [1, 9]) ?? fail()) : [sum - sum];
  const text = formatMoney(fromMinorUnits(fee ?? fail()));
  return { employer_fee: text, contractor_fee: text };
};

function fail(): never {
  throw new TypeError('not an amount');
}

const inThree: StagePlanner = ({ budget, currency, work_days }) =>
  (splitMoney(budget, [1, 1, 1], currency) ?? fail()).map((share, at) => ({
    name: `Part ${at + 1}`,
    budget: share,
    work_days,
  }));

/** Rules of a host, which have no name. */
const ownProfile: Profile = (sets, descriptionLimit) => {
  const { parseContractor, parseDeal, parseDealV2 } = interfaceProfile(sets, descriptionLimit);
  return { parseContractor, parseDeal, parseDealV2 };
};

const ownLifecycle: Lifecycle = [
  ...lifecycle,
  { command: 'hold', by: ['operator'], from: ['accepted'], to: 'on_hold', event: 'deal.held' },
  { command: 'resume', by: ['operator'], from: ['on_hold'], to: 'accepted', event: 'deal.resumed' },
];

const ofMarketplace: {
  readonly [K in keyof Required<MarketplaceOptions>]: Values<Required<MarketplaceOptions>[K]>;
} = {
  profile: { strict: strictProfile, own: ownProfile },
  contractorScope: { partner: 'partner' },
  stagePlanner: { three: inThree },
  deadline: { short: 2_000 },
  fileLimit: { small: 100_000, large: 50 * 2 ** 20 },
  mode: { prepaid: 'prepaid' },
  feePolicy: { tenth },
  expireV1Deals: { yes: true },
  lifecycle: { own: ownLifecycle },
  sweepForGood: { yes: true },
  descriptionLimit: { short: 500, long: 40_000 },
  keyDays: { one: 1 },
  defaultWorkDays: { none: 0, five: 5 },
  proposalDays: { three: 3 },
  expiryNoticeDays: { never: 0, five: 5 },
  tolerance: { little: '1.00' },
  reviewNoticeDays: { never: 0, one: 1 },
  partnerName: { known: (partner) => `The company ${partner}` },
  valueSets: {
    fewer: { copyright_transfer: ['full_transfer'], freelancer_language: ['pl'] },
    others: { copyright_transfer: ['sold', 'lent'], freelancer_language: ['cs', 'en'] },
  },
};

const system = createSystemPorts();
const allowed = ok({ allowed: true } as const);

const ofHandler: {
  readonly [K in Exclude<keyof HandlerOptions, keyof MarketplaceOptions>]-?: Values<
    HandlerOptions[K]
  >;
} = {
  timer: { own: { ...system.timer } },
  ids: { own: { ...system.ids } },
  digest: { own: (text) => system.digest(text) },
  authenticator: { own: createTokenAuthenticator(Object.entries(apiTokens), system) },
  operatorAuthenticator: { none: undefined },
  acceptBearer: { yes: true },
  basePath: { deals: '/deals' },
  limiter: { patient: { take: () => allowed, takeOther: () => allowed } },
  proxies: { one: 1 },
  environment: { sandbox: 'sandbox' },
  versions: {
    newest: { production: ['2.0'], sandbox: ['2.0'] },
    oldest: { production: ['1.0'], sandbox: ['1.0'] },
  },
  deprecation: { none: undefined },
  corsOrigins: { one: ['https://app.example.com'], all: '*' },
  corsHeaders: { one: ['x-shop'] },
  bodyLimit: { small: 2 ** 16, large: 2 ** 22 },
  retryAfter: { minute: 60 },
  tokenCacheSize: { none: 0 },
  tokenCacheAge: { none: 0 },
  referencePage: { none: {} },
  pages: { none: {} },
  isReady: { yes: () => true },
  onRequest: { heard: () => undefined },
  onError: { heard: () => undefined },
};

/** Tokens in place of a port exclude it. */
const insteadOf: Readonly<Record<string, object>> = {
  authenticator: { apiTokens: undefined },
  operatorAuthenticator: { operatorTokens: undefined },
};

/** An option with one of its values. */
export interface Setting {
  readonly option: string;
  readonly name: string;
  readonly options: DealwrightOptions;
}

/** Every option of `createMarketplace` and `createHandler`, with each value that it is judged with. */
export const settings: readonly Setting[] = Object.entries<Values<unknown>>({
  ...ofMarketplace,
  ...ofHandler,
}).flatMap(([option, values]) =>
  Object.entries(values).map(([value, given]) => ({
    option,
    name: `${option}: ${value}`,
    options: { [option]: given, ...insteadOf[option] },
  })),
);
