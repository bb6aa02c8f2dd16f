import * as v from 'valibot';
import type { Deal } from './deal.js';
import type { DealV2 } from './deal-v2.js';
import { email, emailKey } from './email.js';
import type { Money } from './money.js';
import { createParser, type Parser } from './parser.js';
import { boundedText, integer, oneOf, rule, text } from './rule.js';
import {
  type DealStatus,
  dealStatuses,
  type FreelancerStatus,
  freelancerStatuses,
} from './status.js';
import { timestamp } from './timestamp.js';

/**
 * A deal of either version in the list of a partner's deals, under the names of version 2.0
 * (decision 4).
 */
export interface DealListEntry {
  readonly partner_id: string;
  readonly api_version: '1.0' | '2.0';
  /** Of a deal of version 1.0 only. */
  readonly id?: number;
  readonly title: string;
  readonly email_freelancer: string;
  readonly amount: Money;
  readonly currency: string;
  readonly status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}

/**
 * The entry of a deal of version 1.0.
 *
 * @example
 * ```ts
 * import { type Deal, type DealListEntry, entryOfDeal } from 'dealwright/ports';
 *
 * const entries = (deals: readonly Deal[]): DealListEntry[] => deals.map(entryOfDeal);
 * ```
 */
export function entryOfDeal(deal: Deal): DealListEntry {
  return {
    partner_id: deal.partner_id,
    api_version: '1.0',
    id: deal.id,
    title: deal.name,
    email_freelancer: deal.contractor_email,
    amount: deal.budget,
    currency: deal.currency,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
  };
}

/**
 * The entry of a deal of version 2.0.
 *
 * @example
 * ```ts
 * import { type DealListEntry, type DealV2, entryOfDealV2 } from 'dealwright/ports';
 *
 * const entries = (deals: readonly DealV2[]): DealListEntry[] => deals.map(entryOfDealV2);
 * ```
 */
export function entryOfDealV2(deal: DealV2): DealListEntry {
  return {
    partner_id: deal.partner_id,
    api_version: '2.0',
    title: deal.title,
    email_freelancer: deal.email_freelancer,
    amount: deal.amount,
    currency: deal.currency,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
  };
}

/**
 * Which deals a list holds; what is absent filters nothing.
 */
export interface DealFilter {
  readonly partner_id?: string;
  readonly status?: DealStatus;
  readonly freelancer_status?: FreelancerStatus;
  /** The key of the address (`emailKey`). */
  readonly email_key?: string;
  /** Inclusive; RFC 3339, UTC, milliseconds, so that it compares as text with `created_at`. */
  readonly created_from?: string;
  /** Exclusive; written likewise. */
  readonly created_to?: string;
}

/**
 * Says whether a filter lets a deal through: for stores that judge deals one by one.
 *
 * @example
 * ```ts
 * import { type DealFilter, type DealListEntry, passes } from 'dealwright/ports';
 *
 * const select = (filter: DealFilter, entries: readonly DealListEntry[]): DealListEntry[] =>
 *   entries.filter((entry) => passes(filter, entry));
 * ```
 */
export function passes(filter: DealFilter, entry: DealListEntry): boolean {
  const { partner_id, status, freelancer_status, email_key, created_from, created_to } = filter;
  return (
    (partner_id === undefined || entry.partner_id === partner_id) &&
    (status === undefined || entry.status === status) &&
    (freelancer_status === undefined || entry.freelancer_status === freelancer_status) &&
    (email_key === undefined || emailKey(entry.email_freelancer) === email_key) &&
    (created_from === undefined || entry.created_at >= created_from) &&
    (created_to === undefined || entry.created_at < created_to)
  );
}

/** What a caller asks of a list, checked: a filter, and a stretch of what passes it. */
export interface DealQuery {
  readonly filter: DealFilter;
  readonly page_size: number;
  readonly cursor: string | undefined;
}

const maxPageSize = 100;
const defaultPageSize = 20;

/**
 * The rules of the parameters of a list (decision 4).
 *
 * @internal
 */
export function dealQueryEntries() {
  return {
    page_size: v.exactOptional(
      v.pipe(
        integer(),
        rule('out_of_range', (value: number) => value >= 1 && value <= maxPageSize, {
          min: 1,
          max: maxPageSize,
        }),
      ),
      defaultPageSize,
    ),
    cursor: v.exactOptional(text(0)),
    partner_id: v.exactOptional(boundedText(1, 40)),
    status: v.exactOptional(oneOf(Object.keys(dealStatuses))),
    freelancer_status: v.exactOptional(oneOf(Object.keys(freelancerStatuses))),
    email_freelancer: v.exactOptional(email()),
    created_from: v.exactOptional(timestamp()),
    created_to: v.exactOptional(timestamp()),
  };
}

/** The parser of the parameters of a list. */
export function createDealQueryParser(): Parser<DealQuery> {
  const parse = createParser(v.object(dealQueryEntries()));
  return (input) =>
    parse(input).map(({ page_size, cursor, email_freelancer, ...filter }) => ({
      page_size,
      cursor,
      filter: {
        // its statuses are of the set that the rules have held them to
        ...(filter as Pick<DealFilter, 'status' | 'freelancer_status'>),
        ...(email_freelancer === undefined ? {} : { email_key: emailKey(email_freelancer) }),
      },
    }));
}
