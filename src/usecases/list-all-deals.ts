import { err, ok, type Result } from 'neverthrow';
import type { OperatorDealItem, OperatorDealPage } from '../api/answers.js';
import { type DealPosition, type Edge, formatCursor, parseCursor } from '../domain/deals/cursor.js';
import { type IndexedDeal, passes } from '../domain/deals/deal-list.js';
import type { OperatorFilter } from '../domain/deals/operator-query.js';
import {
  type ListDealsError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { canonicalText } from '../domain/values/idempotency.js';
import type { Tenant } from '../domain/values/tenant.js';
import { afterTime } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Indexed, IndexOwner, IndexRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import { itemOf } from './list-deals.js';

/** A deal that was found, with its partner. */
type Found = Indexed<'deal'>;

/** The part of an index that has the deals of a list, in the order of the list. */
interface Plan extends Pick<IndexRange, 'index' | 'equal' | 'from' | 'to' | 'direction'> {
  readonly owner: IndexOwner;
}

/** How many deals a page looks at: a rare one costs no more. */
const mostLookedAt = 1_000;

/** The most deals of one read. */
const largestRead = 200;

/** A page of the deals of all partners, or of one. */
export async function listAllDeals(
  { ports, parseOperatorQuery }: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<OperatorDealPage, WithoutMessage<ListDealsError>>> {
  const parsed = parseOperatorQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { filter, page_size, cursor } = parsed.value;
  const digest = ports.digest(canonicalText('list_all_deals', filter));
  if (digest.isErr()) return err(digest.error);
  const edge: Edge | undefined =
    cursor === undefined
      ? { direction: 'older', from: undefined }
      : parseCursor(cursor, digest.value);
  if (edge === undefined) return err({ code: 'invalid_cursor' });
  const time = ports.now(tenant);
  if (time.isErr()) return err(time.error);
  const { partner, partner_id } = filter;
  if (partner !== undefined && partner_id !== undefined) {
    const named = { environment: tenant.environment, partner };
    const deal = await ports.dealByPartnerId(named, partner_id, []);
    return deal.map((one) => {
      const found = one === undefined ? [] : [{ partner, row: one.deal }];
      const results = found.filter((each) => isWanted(each, filter, time.value));
      return { results: results.map(operatorItem), next: null, previous: null };
    });
  }
  const plan = planOf(tenant, filter, time.value);
  const wanted = (each: Found) => isWanted(each, filter, time.value);
  const found = await findPage(ports, plan, wanted, edge, page_size);
  return found.map(({ page, hasMore, last }) => {
    const isOn = edge.direction === 'older';
    const cursorAt = (direction: Edge['direction'], at: Found | undefined) =>
      formatCursor({ direction, from: at && positionOf(plan, at) }, digest.value);
    // of an empty page both sides begin at what it looked at, where no deal was wanted
    const [near, far] = [page[0] ?? last, last];
    const hasNear = edge.from !== undefined;
    return {
      results: (isOn ? page : [...page].reverse()).map(operatorItem),
      next: (isOn ? hasMore : hasNear) ? cursorAt('older', isOn ? far : near) : null,
      previous: (isOn ? hasNear : hasMore) ? cursorAt('newer', isOn ? near : far) : null,
    };
  });
}

/** A deal of a list as the operator sees it. */
export function operatorItem({ partner, row }: Found): OperatorDealItem {
  const { status_since, alert, alert_at } = row;
  return { partner, ...itemOf(row), status_since, alert, alert_at };
}

/** The deals of a page in the direction of its edge, and the last one that was looked at. */
async function findPage(
  ports: Context['ports'],
  plan: Plan,
  isWantedDeal: (each: Found) => boolean,
  { direction, from }: Edge,
  page_size: number,
): Promise<
  Result<{ page: readonly Found[]; hasMore: boolean; last: Found | undefined }, PortProblem>
> {
  const { owner, ...within } = plan;
  const isOn = direction === 'older';
  const turned = plan.direction === 'ascending' ? 'descending' : 'ascending';
  const page: Found[] = [];
  let after = from && valuesAt(plan, from);
  let last: Found | undefined;
  for (let lookedAt = 0; ; ) {
    // most pages are full with the first read; those of rare deals take few more
    const limit = lookedAt === 0 ? page_size + 1 : largestRead;
    const found = await ports.recordsByIndex(owner, 'deal', {
      ...within,
      direction: isOn ? plan.direction : turned,
      ...(after !== undefined && { after }),
      limit,
    });
    if (found.isErr()) return err(found.error);
    for (const each of found.value) {
      // one more than the page holds tells that there is another page
      if (page.length === page_size) return ok({ page, hasMore: true, last: page.at(-1) });
      last = each;
      if (isWantedDeal(each)) page.push(each);
    }
    lookedAt += found.value.length;
    if (found.value.length < limit) return ok({ page, hasMore: false, last });
    if (lookedAt >= mostLookedAt) return ok({ page, hasMore: true, last });
    after = last && valuesAt(plan, positionOf(plan, last));
  }
}

function isWanted({ partner, row }: Found, filter: OperatorFilter, now: string): boolean {
  const { partner: wanted = partner, alert, stuck_since } = filter;
  return (
    partner === wanted &&
    // a reason that is foreseen does not count yet
    (alert === undefined ||
      (row.alert === alert && row.alert_at !== null && row.alert_at <= now)) &&
    (stuck_since === undefined || (row.status_since !== null && row.status_since < stuck_since)) &&
    // an index has all fields that a filter judges
    passes(filter, row as IndexedDeal & Row<'deal'>)
  );
}

/** The index that has the fewest other deals. */
function planOf({ environment }: Tenant, filter: OperatorFilter, now: string): Plan {
  const { partner, partner_id, alert, status, stuck_since, freelancer_status } = filter;
  const { email_key, attention, created_from, created_to } = filter;
  const ofAll = { environment };
  // no deal has its status for longer than it exists
  const from = created_from === undefined ? {} : { from: created_from };
  const [to] = [created_to, stuck_since].filter((time) => time !== undefined).sort();
  const newest = { direction: 'descending', ...from, ...(to !== undefined && { to }) } as const;
  const position = ['created_at', 'attempt'];
  if (partner_id !== undefined) {
    const index = ['partner_id', 'attempt'];
    return { owner: ofAll, index, equal: [partner_id], direction: 'descending' };
  }
  if (alert !== undefined) {
    const index = ['alert', 'alert_at', 'attempt'];
    return { owner: ofAll, index, equal: [alert], to: afterTime(now), direction: 'ascending' };
  }
  const bySince = ['status', 'status_since', 'attempt'];
  if (stuck_since !== undefined && status !== undefined) {
    const equal = [status];
    const within = { ...from, to: stuck_since } as const;
    return { owner: ofAll, index: bySince, equal, ...within, direction: 'ascending' };
  }
  if (email_key !== undefined && attention === undefined) {
    const owner = partner === undefined ? ofAll : { environment, partner };
    return { owner, index: ['email_key', ...position], equal: [email_key], ...newest };
  }
  if (partner === undefined) {
    return status === undefined
      ? { owner: ofAll, index: position, equal: [], ...newest }
      : { owner: ofAll, index: bySince, equal: [status], ...from, direction: 'descending' };
  }
  const traits = Object.entries({ attention, status, freelancer_status }).filter(
    ([, value]) => value !== undefined,
  );
  const given = attention === undefined ? traits : traits.slice(0, 1);
  const index = [...given.map(([name]) => name), ...position];
  const equal = given.map(([, value]) => value ?? '');
  return { owner: { environment, partner }, index, equal, ...newest };
}

/** The values of an index after `equal` at a position of its list. */
function valuesAt({ index, equal }: Plan, { created_at, attempt }: DealPosition) {
  return index.slice(equal.length).map((field) => (field === 'attempt' ? attempt : created_at));
}

/** The position of a deal in a list: the time that orders the list, and the attempt. */
function positionOf({ index, equal }: Plan, { row }: Found): DealPosition {
  const time = index.slice(equal.length).find((field) => field !== 'attempt') ?? 'created_at';
  return { created_at: String(Reflect.get(row, time)), attempt: row.attempt };
}
