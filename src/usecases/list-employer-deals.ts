import { err, ok, type Result } from 'neverthrow';
import type { DealListItem, DealListPage } from '../api/answers.js';
import {
  type Edge,
  filterText,
  formatCursor,
  formatUpstreamCursor,
  parseCursor,
  parseUpstreamCursor,
} from '../domain/cursor.js';
import type { DealListEntry, DealQuery } from '../domain/deal-list.js';
import {
  type ListDealsError,
  plainError,
  type Unavailable,
  validationFailed,
} from '../domain/errors.js';
import type { Language } from '../domain/messages.js';
import { formatMoney } from '../domain/money.js';
import type { Tenant } from '../domain/tenant.js';
import { unavailable } from '../ports/answer.js';
import type { ListedDeal } from '../ports/deal-index.js';
import type { UpstreamDealIndex } from '../ports/upstream-store.js';
import { type Context, languageOf, portFailed, promiseBroken } from './context.js';

/** A page of the deals of both versions, newest first (interface, List employer deals). */
export async function listEmployerDeals(
  context: Context,
  tenant: Tenant,
  input: unknown,
  options: { readonly language?: Language } | undefined,
): Promise<Result<DealListPage, ListDealsError>> {
  const language = languageOf(options);
  const parsed = context.parseDealQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(parsed.error, language));
  const { filter, page_size, cursor } = parsed.value;

  const digest = digestOf(context, filterText(filter), language);
  if (digest.isErr()) return err(digest.error);
  const { ports } = context;
  if (ports.upstream !== undefined) {
    return listUpstream(context, ports.dealIndex, tenant, parsed.value, digest.value, language);
  }
  const edge = cursor === undefined ? newest : parseCursor(cursor, digest.value);
  if (edge === undefined) return err(plainError('invalid_cursor', language));

  // one more than the page holds tells whether there is another
  const stretch = { ...edge, limit: page_size + 1 };
  const found = await context.guard('none', () => ports.dealIndex.list(tenant, filter, stretch));
  if (found.isErr()) {
    return err(portFailed('dealIndex.list', { ...found.error, outcome: 'none' }, { language }));
  }
  try {
    return ok(pageOf(found.value, edge, page_size, digest.value));
  } catch (cause) {
    return err(promiseBroken('dealIndex.list', cause, 'none', { language }));
  }
}

/** A page of a list that another service keeps and pages by cursors of its own. */
async function listUpstream(
  { guard }: Context,
  dealIndex: UpstreamDealIndex,
  tenant: Tenant,
  { filter, page_size, cursor }: DealQuery,
  digest: string,
  language: Language,
): Promise<Result<DealListPage, ListDealsError>> {
  const theirs = cursor === undefined ? undefined : parseUpstreamCursor(cursor, digest);
  if (cursor !== undefined && theirs === undefined) {
    return err(plainError('invalid_cursor', language));
  }
  const port = 'dealIndex.page';
  const found = await guard('none', () =>
    dealIndex.page(tenant, filter, { cursor: theirs, page_size }),
  );
  if (found.isErr()) {
    return err(portFailed(port, { ...found.error, outcome: 'none' }, { language }));
  }
  if (found.value === 'invalid_cursor') return err(plainError('invalid_cursor', language));
  try {
    const { entries, next, previous } = found.value;
    if (entries.length > page_size) throw new Error('more deals than were asked for');
    const ours = (each: string | null) => each && formatUpstreamCursor(each, digest);
    return ok({ results: entries.map(itemOf), next: ours(next), previous: ours(previous) });
  } catch (cause) {
    return err(promiseBroken(port, cause, 'none', { language }));
  }
}

const newest: Edge = { direction: 'older', from: undefined };

function digestOf(
  { ports }: Context,
  text: string,
  language: Language,
): Result<string, Unavailable> {
  try {
    const digest: unknown = ports.digest(text);
    return typeof digest === 'string' && digest !== ''
      ? ok(digest)
      : err(promiseBroken('digest', 'a digest is a text', 'none', { language }));
  } catch (cause) {
    return err(portFailed('digest', unavailable({ outcome: 'none', cause }).error, { language }));
  }
}

function pageOf(
  found: readonly ListedDeal[],
  edge: Edge,
  page_size: number,
  digest: string,
): DealListPage {
  const { direction, from } = edge;
  const hasMore = found.length > page_size;
  const page =
    direction === 'older' ? found.slice(0, page_size) : found.slice(hasMore ? -page_size : 0);
  // beyond the edge that the caller came from there is at least what it came from
  const hasOlder = direction === 'older' ? hasMore : from !== undefined;
  const hasNewer = direction === 'newer' ? hasMore : from !== undefined;
  const cursor = (towards: Edge['direction'], at: ListedDeal | undefined) =>
    formatCursor({ direction: towards, from: at?.position }, digest);
  return {
    results: page.map(({ entry }) => itemOf(entry)),
    next: hasOlder ? cursor('older', page.at(-1)) : null,
    previous: hasNewer ? cursor('newer', page[0]) : null,
  };
}

function itemOf(entry: DealListEntry): DealListItem {
  const { partner_id, api_version, id, title, email_freelancer } = entry;
  return {
    partner_id,
    api_version,
    ...(id === undefined ? {} : { id }),
    title,
    email_freelancer,
    amount: formatMoney(entry.amount),
    currency: entry.currency,
    status: entry.status,
    freelancer_status: entry.freelancer_status,
    created_at: entry.created_at,
  };
}
