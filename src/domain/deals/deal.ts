import * as v from 'valibot';
import { type Row, records, type Value } from '../records/records.js';
import { currencyText } from '../values/codes.js';
import { email } from '../values/email.js';
import { type Money, moneyText } from '../values/money.js';
import {
  boundedText,
  hasAtLeast,
  hasAtMost,
  integer,
  isStorableText,
  text,
} from '../values/rule.js';

/** A deal of version 1.0 as a partner sends it (interface, Deal 1.0). */
export interface DealInput {
  /** The deal's identifier in the partner's own system, 1 to 40 characters, compared exactly. */
  readonly partner_id: string;
  readonly contractor_email: string;
  /** 1 to 200 characters. */
  readonly name: string;
  readonly description: string;
  /** Decimal string, `^-?\d{0,18}(?:\.\d{0,2})?$` with at least one digit. */
  readonly budget: string;
  /** Three characters. */
  readonly currency: string;
  /** Default 30. */
  readonly work_days?: number;
  readonly sub_category_id: number;
}

/** The terms that a partner commissions with version 1.0, after defaults. */
export interface DealTerms extends Required<Omit<DealInput, 'budget'>> {
  readonly budget: Money;
}

/** These terms under the names of version 2.0. */
export function translated(terms: DealTerms) {
  return {
    partner_id: terms.partner_id,
    email_freelancer: terms.contractor_email,
    title: terms.name,
    description: terms.description,
    subcategory_id: terms.sub_category_id,
    amount: terms.budget,
    currency: terms.currency,
    work_days: terms.work_days,
  };
}

const {
  id: _id,
  email_key: _key,
  work_days: _days,
  mode: _mode,
  employer_fee: _employerFee,
  contractor_fee: _contractorFee,
  expires_at: _expires,
  notice_at: _notice,
  due_at: _due,
  attention: _attention,
  terms_version: _version,
  terms_sha256: _hash,
  accepted_by: _acceptedBy,
  issued_amount: _issued,
  proposal: _proposal,
  status_since: _since,
  alert: _alert,
  alert_at: _alertAt,
  ...shownFields
} = records.deal.fields;
const shownNames = Object.keys(shownFields) as (keyof typeof shownFields)[];

/** The fields of its record that every deal shows, and `id` if it has version 1.0. */
export type ShownDeal = Pick<Row<'deal'>, keyof typeof shownFields> & {
  /** Of a deal of version 1.0 only. */
  readonly id?: number;
};

/** A deal as its details show it: the fields of the interface, and no other field of a store. */
export function shownDeal(deal: Row<'deal'>): ShownDeal {
  const shown: Partial<Record<keyof ShownDeal, Value>> = {};
  for (const name of shownNames) shown[name] = deal[name];
  if (deal.api_version === '1.0') shown.id = deal.id;
  // the names are those of the type
  return shown as ShownDeal;
}

/** The terms of a recorded deal under the names of version 1.0; money is decimal text. */
export function dealTermsOf(deal: Row<'deal'>) {
  return {
    partner_id: deal.partner_id,
    contractor_email: deal.email_freelancer,
    name: deal.title,
    description: deal.description,
    budget: deal.amount,
    currency: deal.currency,
    work_days: deal.work_days ?? defaultWorkDays,
    sub_category_id: deal.subcategory_id,
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

/** `work_days` of a deal that does not set it (interface, Deal 1.0; decision 1.10). */
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
