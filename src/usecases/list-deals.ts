import { err, type Result } from 'neverthrow';
import type { DealListItem, DealListPage } from '../api/answers.js';
import { type Edge, filterText, formatCursor, parseCursor } from '../domain/deals/cursor.js';
import type { ListedDeal } from '../domain/deals/deal-list.js';
import {
  type ListDealsError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Call, Context } from './context.js';
import { pageOf } from './page-of.js';

/** A page of the deals of both versions, newest first (interface, List employer deals). */
export async function listDeals(
  { ports, parseDealQuery }: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<DealListPage, WithoutMessage<ListDealsError>>> {
  const parsed = parseDealQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { filter, page_size, cursor } = parsed.value;
  const digest = ports.digest(filterText(filter));
  if (digest.isErr()) return err(digest.error);
  const edge = cursor === undefined ? newest : parseCursor(cursor, digest.value);
  if (edge === undefined) return err({ code: 'invalid_cursor' });

  // one more than the page holds tells whether there is another page
  const found = await ports.listDeals(tenant, filter, { ...edge, limit: page_size + 1 });
  return found.map((deals) => shownPage(deals, edge, page_size, digest.value));
}

const newest: Edge = { direction: 'older', from: undefined };

function shownPage(
  found: readonly ListedDeal[],
  { direction, from }: Edge,
  page_size: number,
  digest: string,
): DealListPage {
  const at = { isBack: direction === 'newer', hasCaller: from !== undefined };
  const { rows, hasNext, hasPrevious } = pageOf(found, page_size, at);
  const cursor = (towards: Edge['direction'], from: ListedDeal | undefined) =>
    formatCursor({ direction: towards, from }, digest);
  return {
    results: rows.map(itemOf),
    next: hasNext ? cursor('older', rows.at(-1)) : null,
    previous: hasPrevious ? cursor('newer', rows[0]) : null,
  };
}

/** A deal of a list. */
export function itemOf(deal: ListedDeal): DealListItem {
  return {
    partner_id: deal.partner_id,
    api_version: deal.api_version,
    ...(deal.api_version === '1.0' && { id: deal.id }),
    title: deal.title,
    email_freelancer: deal.email_freelancer,
    amount: deal.amount,
    currency: deal.currency,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
  };
}
