import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import type { Row, Stored } from '../records/records.js';
import { email, emailKey } from '../values/email.js';
import { boundedText, integer, oneOf, rule, text } from '../values/rule.js';
import {
  type DealStatus,
  dealStatuses,
  type FreelancerStatus,
  freelancerStatuses,
} from '../values/status.js';
import { timestamp } from '../values/timestamp.js';

/** Which deals a list contains; an absent member filters nothing. */
export interface DealFilter {
  readonly partner_id?: string;
  readonly status?: DealStatus;
  readonly freelancer_status?: FreelancerStatus;
  /** The key of the address (`emailKey`). */
  readonly email_key?: string;
  readonly attention?: 'true';
  /** Inclusive; RFC 3339, UTC, milliseconds, so that it compares as text with `created_at`. */
  readonly created_from?: string;
  /** Exclusive; written likewise. */
  readonly created_to?: string;
}

/**
 * Says whether a deal passes a filter: for stores that judge deals one by one.
 *
 * @example
 * ```ts
 * import { type DealFilter, passes, type Row } from 'dealwright/ports';
 *
 * const select = (filter: DealFilter, deals: readonly Row<'deal'>[]): Row<'deal'>[] =>
 *   deals.filter((deal) => passes(filter, deal));
 * ```
 */
export function passes(filter: DealFilter, deal: Row<'deal'>): boolean {
  const { partner_id, status, freelancer_status, email_key, attention } = filter;
  const { created_from, created_to } = filter;
  return (
    (partner_id === undefined || deal.partner_id === partner_id) &&
    (status === undefined || deal.status === status) &&
    (freelancer_status === undefined || deal.freelancer_status === freelancer_status) &&
    (email_key === undefined || deal.email_key === email_key) &&
    (attention === undefined || deal.attention === attention) &&
    (created_from === undefined || deal.created_at >= created_from) &&
    (created_to === undefined || deal.created_at < created_to)
  );
}

/**
 * The fields of each deal in a list.
 *
 * @example
 * ```ts
 * import { listedFields } from 'dealwright/ports';
 *
 * const columns = listedFields.join(', ');
 * ```
 */
export const listedFields = [
  'partner_id',
  'id',
  'api_version',
  'email_freelancer',
  'title',
  'amount',
  'currency',
  'status',
  'freelancer_status',
  'created_at',
] as const satisfies readonly (keyof Row<'deal'>)[];

/** A deal in a list; with `created_at`, `attempt` is its position there. */
export type ListedDeal = Pick<Stored<'deal'>, (typeof listedFields)[number] | 'attempt'>;

/**
 * The fields of each deal that is found by an index: those of a list, and those that the indexes
 * and filters have.
 *
 * @example
 * ```ts
 * import { indexedFields } from 'dealwright/ports';
 *
 * const columns = indexedFields.join(', ');
 * ```
 */
export const indexedFields = [
  ...listedFields,
  'email_key',
  'attention',
  'status_since',
  'alert',
  'alert_at',
  'attempt',
] as const satisfies readonly (keyof Stored<'deal'>)[];

/** A deal that was found by an index. */
export type IndexedDeal = Pick<Stored<'deal'>, (typeof indexedFields)[number]>;

/** The checked parameters of a list: a filter, and a range of the deals that pass it. */
export interface DealQuery {
  readonly filter: DealFilter;
  readonly page_size: number;
  readonly cursor: string | undefined;
}

const maxPageSize = 100;
const defaultPageSize = 20;

/**
 * The number of items on a page of any list.
 *
 * @internal
 */
export function pageSize() {
  const isWithin = (value: number) => value >= 1 && value <= maxPageSize;
  const bounds = { min: 1, max: maxPageSize };
  return v.exactOptional(
    v.pipe(integer(), rule('out_of_range', isWithin, bounds)),
    defaultPageSize,
  );
}

/**
 * The rules of the parameters of a list (decision 4).
 *
 * @internal
 */
export function dealQueryEntries() {
  return {
    page_size: pageSize(),
    cursor: v.exactOptional(text(0)),
    partner_id: v.exactOptional(boundedText(1, 40)),
    status: v.exactOptional(oneOf(Object.keys(dealStatuses))),
    freelancer_status: v.exactOptional(oneOf(Object.keys(freelancerStatuses))),
    attention: v.exactOptional(oneOf(['true'])),
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
        // the rules allow only statuses of the set
        ...(filter as Pick<DealFilter, 'status' | 'freelancer_status' | 'attention'>),
        ...(email_freelancer === undefined ? {} : { email_key: emailKey(email_freelancer) }),
      },
    }));
}
