import * as v from 'valibot';
import { currencyText } from './currency.js';
import { email } from './email.js';
import { type Money, moneyText } from './money.js';
import { boundedText, hasAtLeast, hasAtMost, integer, isStorableText, text } from './rule.js';
import type { NewStage, Stage } from './stage.js';
import { type DealStatus, type FreelancerStatus, initialStatuses } from './status.js';

/**
 * What a partner commissions with version 1.0 (interface, Deal 1.0), after defaults.
 */
export interface DealTerms {
  /** The deal's identifier in the partner's own system, 1 to 40 characters, compared exactly. */
  readonly partner_id: string;
  readonly contractor_email: string;
  /** 1 to 200 characters. */
  readonly name: string;
  readonly description: string;
  readonly budget: Money;
  /** Three characters. */
  readonly currency: string;
  readonly work_days: number;
  readonly sub_category_id: number;
}

/**
 * A deal of version 1.0 on its way into a store, which gives it and its stages their ids.
 */
export interface NewDeal extends DealTerms {
  readonly status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  readonly stages: readonly NewStage[];
}

/**
 * A stored deal of version 1.0 with its stages: one aggregate, saved as a whole.
 */
export interface Deal extends NewDeal {
  /** Unique in the environment, 1 to 2^53-1. */
  readonly id: number;
  readonly stages: readonly Stage[];
}

/** The deal of these terms as it begins, each member by its name: V8 is slow to copy what it is spread. */
export function newDeal(
  terms: DealTerms,
  stages: readonly NewStage[],
  created_at: string,
): NewDeal {
  return {
    partner_id: terms.partner_id,
    contractor_email: terms.contractor_email,
    name: terms.name,
    description: terms.description,
    budget: terms.budget,
    currency: terms.currency,
    work_days: terms.work_days,
    sub_category_id: terms.sub_category_id,
    status: initialStatuses.status,
    freelancer_status: initialStatuses.freelancer_status,
    created_at,
    stages,
  };
}

/** Says whether a value can be the id of a deal or a stage (decision 2.4). */
export function isDealId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/** Says whether a value can be a `partner_id` (interface, Deal 1.0; decision 2.2). */
export function isPartnerId(value: unknown): value is string {
  return isStorableText(value) && hasAtLeast(value, 1) && hasAtMost(value, 40);
}

/** `work_days` of a deal that does not say (interface, Deal 1.0; decision 1.10). */
const defaultWorkDays = 30;

/**
 * The rules of the field table.
 *
 * @internal
 */
export function dealEntries() {
  return {
    partner_id: boundedText(1, 40),
    contractor_email: email(),
    name: boundedText(1, 200),
    description: text(1),
    budget: moneyText(),
    currency: currencyText(),
    work_days: v.exactOptional(integer(), defaultWorkDays),
    sub_category_id: integer(),
  };
}
