import type { ServicePromises } from './api/answers.js';
import type { ContractorScope } from './domain/deals/contractor.js';
import { defaultDescriptionLimit } from './domain/deals/deal-v2.js';
import { noNames, type PartnerNaming } from './domain/deals/partner-name.js';
import { interfaceProfile, type Profile, type Rules } from './domain/deals/profile.js';
import { planOneStage, type StagePlanner } from './domain/deals/stage.js';
import {
  daysOfExpiryNotice,
  daysOfReviewNotice,
  daysToDecide,
  defaultDays,
} from './domain/life/deadlines.js';
import { lifecycle as ours } from './domain/life/lifecycle.js';
import type { Lifecycle } from './domain/life/rules.js';
import { type FeePolicy, noFees } from './domain/payments/fees.js';
import { parseMoney } from './domain/values/money.js';
import { isStorableText } from './domain/values/rule.js';
import { defaultValueSets, type ValueSets } from './domain/values/value-sets.js';
import { checkOptions, onlyNames } from './ports/options.js';

/** The options of a host; every default is the value of the decisions. */
export interface MarketplaceOptions {
  /** The rules of input; default `interfaceProfile`. */
  readonly profile?: Profile;
  /** Where a contractor is known; default `'environment'` (decision 2.3). */
  readonly contractorScope?: ContractorScope;
  /** How a deal of either version is split; default: one stage (decisions 2.6 and 9.14). */
  readonly stagePlanner?: StagePlanner;
  /** Milliseconds that a port has to answer, above 0, at most 2^31-1; default 10,000 (decision 8). */
  readonly deadline?: number;
  /** Bytes that a work file may have; default 25 MiB (decision 5.2). */
  readonly fileLimit?: number;
  /**
   * When the employer pays: after the work was approved, or before it is delivered; default
   * `'invoice'` (decision 6). A deal keeps the mode that it was created with.
   */
  readonly mode?: 'invoice' | 'prepaid';
  /** The fees of a new deal, in decimal strings; default: none (decision 6.3). */
  readonly feePolicy?: FeePolicy;
  /**
   * Whether deals of version 1.0 expire if they are not accepted; default `false` (decision 6.2).
   */
  readonly expireV1Deals?: boolean;
  /** The states and commands of a deal; default `lifecycle`. */
  readonly lifecycle?: Lifecycle;
  /**
   * Whether contents that no work file names are swept if their owner is unknown, and deleted for
   * good if the file store has no trash; default `false`: they are not swept.
   */
  readonly sweepForGood?: boolean;
  /** Code points that the description of a deal of version 2.0 may have; default 20,000 (decision 3). */
  readonly descriptionLimit?: number;
  /** Days that the idempotency key of a command is kept, at least 1; default 30 (decision 2.7). */
  readonly keyDays?: number;
  /** Days of work of a stage that sets none, 0 or more; default 30 (decision 9.13). */
  readonly defaultWorkDays?: number;
  /** Days after which an open proposal expires, at least 1; default 14 (decision 9.2). */
  readonly proposalDays?: number;
  /**
   * Days before a deal expires that the clock emits `deal.expires_soon`; default 3, and 0 means never
   * (decision 7.10). A deal keeps what it was created with.
   */
  readonly expiryNoticeDays?: number;
  /**
   * Days before a stage is approved by itself that the clock emits `deal.review_ends_soon`; default
   * 2, and 0 means never. A stage keeps what it was submitted with.
   */
  readonly reviewNoticeDays?: number;
  /**
   * The most that is written off by itself of what a payment leaves due, in all once a deal, and the
   * largest surplus that is no alert: a decimal string; default `'0.00'` (decisions 10.11 and 10.12).
   */
  readonly tolerance?: string;
  /** The names of partners, which the views of their deals show; default: none. */
  readonly partnerName?: PartnerNaming;
  /** The sets of values that the interface does not list (decision 3). */
  readonly valueSets?: Partial<ValueSets>;
}

/** The options, defaults filled in. */
type CheckedOptions = Required<Omit<MarketplaceOptions, 'valueSets'>> & {
  readonly valueSets: ValueSets;
};

/** The function whose options and ports these are, as a message names it. */
export const creator = 'createMarketplace';

/** Ten centuries: a time that RFC 3339 can write. */
const longestDays = 365_000;

/** The longest time of a timer of a runtime: a longer one fires at once. */
const longestDeadline = 2 ** 31 - 1;

/**
 * The options with their defaults. A `TypeError` names an option with an invalid value, or one that
 * does not exist.
 */
export function readOptions(given: MarketplaceOptions, who = creator): CheckedOptions {
  const {
    deadline = 10_000,
    profile = interfaceProfile,
    contractorScope = 'environment',
    stagePlanner = planOneStage,
    fileLimit = 25 * 2 ** 20,
    mode = 'invoice',
    feePolicy = noFees,
    expireV1Deals = false,
    lifecycle = ours as Lifecycle,
    sweepForGood = false,
    descriptionLimit = defaultDescriptionLimit,
    keyDays = 30,
    defaultWorkDays = defaultDays,
    proposalDays = daysToDecide,
    expiryNoticeDays = daysOfExpiryNotice,
    reviewNoticeDays = daysOfReviewNotice,
    tolerance = '0.00',
    partnerName = noNames,
  } = Object(given) as MarketplaceOptions;
  const valueSets = { ...defaultValueSets, ...Object(given).valueSets };
  const options = {
    deadline,
    profile,
    contractorScope,
    stagePlanner,
    fileLimit,
    mode,
    feePolicy,
    expireV1Deals,
    lifecycle,
    sweepForGood,
    descriptionLimit,
    keyDays,
    defaultWorkDays,
    proposalDays,
    expiryNoticeDays,
    reviewNoticeDays,
    tolerance,
    partnerName,
    valueSets,
  };
  checkOptions(who, {
    ...onlyNames('options', given, Object.keys(options)),
    ...onlyNames('valueSets', valueSets, Object.keys(defaultValueSets)),
    [`deadline is a number of milliseconds above 0, at most ${longestDeadline}`]:
      Number.isFinite(deadline) && deadline > 0 && deadline <= longestDeadline,
    'fileLimit is a number of bytes above 0': Number.isSafeInteger(fileLimit) && fileLimit > 0,
    "contractorScope is 'environment' or 'partner'":
      contractorScope === 'environment' || contractorScope === 'partner',
    'descriptionLimit is a number of characters above 0':
      Number.isSafeInteger(descriptionLimit) && descriptionLimit > 0,
    ...areDays({ keyDays, proposalDays }, 1),
    ...areDays({ defaultWorkDays, expiryNoticeDays, reviewNoticeDays }, 0),
    'tolerance is a decimal string of zero or more': isAmount(tolerance),
    'partnerName is a function': typeof partnerName === 'function',
    'profile is a function': typeof profile === 'function',
    "mode is 'invoice' or 'prepaid'": mode === 'invoice' || mode === 'prepaid',
    'feePolicy is a function': typeof feePolicy === 'function',
    'expireV1Deals is true or false': typeof expireV1Deals === 'boolean',
    'sweepForGood is true or false': typeof sweepForGood === 'boolean',
    'lifecycle is a list of rules': Array.isArray(lifecycle),
    'stagePlanner is a function': typeof stagePlanner === 'function',
    'valueSets.copyright_transfer is one or more texts': areTexts(valueSets.copyright_transfer),
    'valueSets.freelancer_language is one or more texts': areTexts(valueSets.freelancer_language),
  });
  return options;
}

/** What these options promise to callers (decision 11.5). */
export function promisesBy(
  options: CheckedOptions,
  { name = 'own', currencies }: Rules,
): Omit<ServicePromises, 'environment'> {
  return {
    versions: ['1.0', '2.0'],
    mode: options.mode,
    profile: name,
    contractor_scope: options.contractorScope,
    ...options.valueSets,
    ...(currencies && { currencies }),
    max_file_size: options.fileLimit,
    max_body_size: Number.MAX_SAFE_INTEGER,
    max_description: options.descriptionLimit,
    takes_fees: options.feePolicy !== noFees,
    splits_deals: options.stagePlanner !== planOneStage,
    expires_v1_deals: options.expireV1Deals,
    default_work_days: options.defaultWorkDays,
    proposal_days: options.proposalDays,
    expiry_notice_days: options.expiryNoticeDays,
    review_notice_days: options.reviewNoticeDays,
    key_days: options.keyDays,
    accepts_bearer: false,
    allows_any_origin: false,
  };
}

/** The check of options that are numbers of days. */
function areDays(options: Readonly<Record<string, number>>, least: 0 | 1) {
  return Object.fromEntries(
    Object.entries(options).map(([name, days]) => [
      `${name} is a number of days, ${least} to ${longestDays}`,
      Number.isSafeInteger(days) && days >= least && days <= longestDays,
    ]),
  );
}

/** Whether an option is an amount that is not below zero. */
function isAmount(given: unknown): boolean {
  return typeof given === 'string' && (parseMoney(given) ?? -1n) >= 0n;
}

function areTexts(values: readonly unknown[]): boolean {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => isStorableText(value) && value !== '')
  );
}
