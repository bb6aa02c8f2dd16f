import * as v from 'valibot';
import type { Row } from '../records/records.js';
import { currencyText } from '../values/codes.js';
import { email, emailKey } from '../values/email.js';
import { formatMoney, type Money, moneyText, positive } from '../values/money.js';
import { boundedText, integer, oneOf } from '../values/rule.js';
import { initialStatuses } from '../values/status.js';
import type { CopyrightTransfer, FreelancerLanguage, ValueSets } from '../values/value-sets.js';
import type { PlannedDeal } from './stage.js';

/** A deal of version 2.0 as a partner sends it (interface, Deal 2.0; decision 3). */
export interface DealV2Input {
  /** The deal's identifier in the partner's own system, 1 to 40 characters, compared exactly. */
  readonly partner_id: string;
  /** The freelancer to whom the deal is addressed; need not be a registered contractor. */
  readonly email_freelancer: string;
  /** 1 to 200 characters. */
  readonly title: string;
  /** 1 to 20,000 characters, or the host's own limit. */
  readonly description: string;
  readonly subcategory_id: number;
  /** Decimal string greater than zero. */
  readonly amount: string;
  /** Three characters. */
  readonly currency: string;
  /** `full_transfer`, `license` or `none`, unless the host has its own set. */
  readonly copyright_transfer: CopyrightTransfer;
  /** `pl` or `en`, unless the host has its own set. */
  readonly freelancer_language: FreelancerLanguage;
}

/** The terms that a partner commissions with version 2.0. */
export interface DealV2Terms extends Omit<DealV2Input, 'amount'> {
  /** Greater than zero. */
  readonly amount: Money;
}

/** These terms under the names of version 1.0, which a stage planner knows. */
export function plannedDeal(terms: DealV2Terms): PlannedDeal {
  return {
    partner_id: terms.partner_id,
    contractor_email: terms.email_freelancer,
    name: terms.title,
    description: terms.description,
    budget: terms.amount,
    currency: terms.currency,
    work_days: null,
    sub_category_id: terms.subcategory_id,
  };
}

/** The terms of either version. */
export type AnyTerms = Partial<DealV2Terms> &
  Omit<DealV2Terms, 'copyright_transfer' | 'freelancer_language'> & { readonly work_days?: number };

/** The fields of a new deal besides its terms. */
type Creation = Pick<
  Row<'deal'>,
  | 'id'
  | 'api_version'
  | 'created_at'
  | 'mode'
  | 'expires_at'
  | 'notice_at'
  | 'employer_fee'
  | 'contractor_fee'
> &
  Partial<Pick<Row<'deal'>, 'payment_token'>>;

/**
 * The record of a new deal, under the names of version 2.0: terms of version 1.0 are translated.
 */
export function dealRow(terms: AnyTerms, creation: Creation): Row<'deal'> {
  return {
    partner_id: terms.partner_id,
    id: creation.id,
    api_version: creation.api_version,
    email_freelancer: terms.email_freelancer,
    email_key: emailKey(terms.email_freelancer),
    title: terms.title,
    description: terms.description,
    subcategory_id: terms.subcategory_id,
    amount: formatMoney(terms.amount),
    currency: terms.currency,
    work_days: terms.work_days ?? null,
    copyright_transfer: terms.copyright_transfer ?? null,
    freelancer_language: terms.freelancer_language ?? null,
    payment_token: creation.payment_token ?? null,
    status: initialStatuses.status,
    freelancer_status: initialStatuses.freelancer_status,
    created_at: creation.created_at,
    mode: creation.mode,
    employer_fee: creation.employer_fee,
    contractor_fee: creation.contractor_fee,
    agreed_amount: null,
    expires_at: creation.expires_at,
    notice_at: creation.notice_at,
    // what comes first
    due_at: creation.notice_at ?? creation.expires_at,
    attention: null,
    terms_version: null,
    terms_sha256: null,
    accepted_by: null,
    issued_amount: null,
    proposal: null,
    status_since: creation.created_at,
    alert: null,
    alert_at: null,
  };
}

/** Code points that a description may have, unless the host sets another limit (decision 3). */
export const defaultDescriptionLimit = 20_000;

/**
 * The rules of decision 3.
 *
 * @internal
 */
export function dealV2Entries(sets: ValueSets, descriptionLimit = defaultDescriptionLimit) {
  return {
    partner_id: boundedText(1, 40),
    email_freelancer: email(),
    title: boundedText(1, 200),
    description: boundedText(1, descriptionLimit),
    subcategory_id: integer(),
    amount: v.pipe(moneyText(), positive()),
    currency: currencyText(),
    copyright_transfer: oneOf(sets.copyright_transfer),
    freelancer_language: oneOf(sets.freelancer_language),
  };
}

/** 22 to 2048 characters that need no escaping in a URL (decision 3). */
const paymentToken = /^[A-Za-z0-9._~-]{22,2048}$/;

/**
 * Says whether a value has the form of a payment token: 22 to 2048 characters that need no escaping
 * in a URL (decision 3). The form does not tell whether a token can be guessed.
 *
 * @example
 * ```ts
 * import { isPaymentToken } from 'dealwright';
 *
 * isPaymentToken('Zk3v9QpX7mT2wL8nR5yB1c'); // true
 * isPaymentToken('too-short'); // false
 * ```
 */
export function isPaymentToken(value: unknown): value is string {
  return typeof value === 'string' && paymentToken.test(value);
}
