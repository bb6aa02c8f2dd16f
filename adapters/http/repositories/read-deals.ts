import {
  type DealDetails,
  type DealListItem,
  type DealRetrieved,
  isPaymentToken,
  type Money,
  parseMoney,
} from 'dealwright';
import {
  type Deal,
  type DealListEntry,
  type DealV2,
  formatTimestamp,
  type PortFailure,
  parseTimestamp,
  type Versioned,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { checkFields } from './check-fields.js';
import { malformed } from './failures.js';

/** What a reading makes of an answer; one that throws has met what is no such record. */
export function understood<T>(read: () => T): Result<T, PortFailure> {
  try {
    return ok(read());
  } catch (error) {
    // the name of a field, or our own words: nothing here throws a value of the answer
    return malformed(error);
  }
}

/** How often a record has changed is not in the interface: there is nothing that a save could name. */
export function unversioned<T>(value: T): Versioned<T> {
  return { value, version: 0 };
}

/** A deal of version 1.0: its retrieval, and of its details what version 1.0 has no field for. */
export function dealOf(deal: DealRetrieved, details: DealDetails): Deal {
  if (details.partner_id !== deal.partner_id || details.id !== deal.id) {
    throw new TypeError('two deals');
  }
  checkFields(details);
  checkFields(deal);
  for (const stage of deal.stages) checkFields(stage).work_files.map(checkFields);
  return {
    id: deal.id,
    partner_id: deal.partner_id,
    contractor_email: deal.contractor_email,
    name: deal.name,
    description: deal.description,
    budget: moneyOf(deal.budget, 'budget'),
    currency: deal.currency,
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
    status: deal.status,
    freelancer_status: details.freelancer_status,
    created_at: timeOf(deal.created_at),
    stages: deal.stages.map(({ id, name, budget, work_days, status, work_files }) => ({
      id,
      name,
      budget: moneyOf(budget, 'budget'),
      work_days,
      status,
      work_files: work_files.map((file) => ({
        ...file,
        uploaded_at: timeOf(file.uploaded_at, 'uploaded_at'),
      })),
    })),
  };
}

/** A deal of version 2.0. */
export function dealV2Of(deal: DealDetails): DealV2 {
  const { copyright_transfer, freelancer_language, payment_token } = checkFields(deal);
  if (copyright_transfer === null || freelancer_language === null) {
    throw new TypeError('a deal without its terms');
  }
  if (!isPaymentToken(payment_token)) throw new TypeError('payment_token');
  return {
    partner_id: deal.partner_id,
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    description: deal.description,
    subcategory_id: deal.subcategory_id,
    amount: moneyOf(deal.amount, 'amount'),
    currency: deal.currency,
    copyright_transfer,
    freelancer_language,
    payment_token,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: timeOf(deal.created_at),
  };
}

/** A deal of a list. */
export function entryOf(item: DealListItem): DealListEntry {
  const { partner_id, api_version, id, title, email_freelancer, currency } = checkFields(item);
  return {
    partner_id,
    api_version,
    ...(id === undefined ? {} : { id }),
    title,
    email_freelancer,
    amount: moneyOf(item.amount, 'amount'),
    currency,
    status: item.status,
    freelancer_status: item.freelancer_status,
    created_at: timeOf(item.created_at),
  };
}

function moneyOf(text: string, field: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new TypeError(field);
  return amount;
}

/** RFC 3339 in UTC with milliseconds, however the service writes it: times are compared as text. */
export function timeOf(text: string, field = 'created_at'): string {
  const milliseconds = parseTimestamp(text);
  if (milliseconds === undefined) throw new TypeError(field);
  return formatTimestamp(milliseconds);
}
