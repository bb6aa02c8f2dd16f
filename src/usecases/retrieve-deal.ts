import { err, ok, type Result } from 'neverthrow';
import type { DealDetails, DealRetrieved } from '../api/answers.js';
import { unpaidBilling } from '../domain/billing.js';
import { dealTermsOf, isDealId, isPartnerId, shownDeal } from '../domain/deal.js';
import type { RetrieveDealError, WithoutMessage } from '../domain/errors.js';
import type { DealPart } from '../domain/records.js';
import { workFileOf } from '../domain/work-file.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { DealWith } from '../ports/store.js';
import type { Call, Context } from './context.js';

type NotRetrieved = WithoutMessage<RetrieveDealError>;

const missing = err({ code: 'not_found' } as const);

/**
 * A deal of version 1.0 by its id (interface, Retrieve a specific deal). What is not an id names no
 * deal, and a deal of another partner is answered like one that does not exist (decision 2.5).
 */
export async function retrieveDeal(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<DealRetrieved, NotRetrieved>> {
  const found = await findDeal(context, call, id, ['stage', 'work_file']);
  return found.map(({ deal, stage, work_file }) => ({
    id: deal.id,
    ...dealTermsOf(deal),
    status: deal.status,
    stages: stage.map((each) => ({
      id: each.id,
      name: each.name,
      budget: each.budget,
      work_days: each.work_days ?? 0,
      status: each.status,
      work_files: work_file.filter(({ stage_id }) => stage_id === each.id).map(workFileOf),
    })),
    billing: unpaidBilling(deal),
    created_at: deal.created_at,
  }));
}

/** A deal of either version by its `partner_id` (interface, Retrieve deal details). */
export async function retrieveDealDetails(
  { ports }: Context,
  { tenant }: Call,
  partner_id: unknown,
): Promise<Result<DealDetails, NotRetrieved>> {
  if (!isPartnerId(partner_id)) return missing;
  const found = present(await ports.dealByPartnerId(tenant, partner_id, []));
  return found.map(({ deal }) => Object.assign(shownDeal(deal), { billing: unpaidBilling(deal) }));
}

/** The deal of version 1.0 with this id, as it is now: a deal of 2.0 shows no id of its own. */
export async function findDeal<P extends DealPart>(
  { ports }: Context,
  { tenant }: Call,
  id: unknown,
  parts: readonly P[],
): Promise<Result<DealWith<P>, NotRetrieved>> {
  if (!isDealId(id)) return missing;
  const found = present(await ports.dealById(tenant, id, parts));
  return found.andThen((each) => (each.deal.api_version === '1.0' ? ok(each) : missing));
}

function present<T>(found: Result<T | undefined, PortProblem>): Result<T, NotRetrieved> {
  return found.andThen((deal) => (deal === undefined ? missing : ok(deal)));
}
