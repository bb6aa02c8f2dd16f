import { err, ok, type Result } from 'neverthrow';
import type { DealCreated, DealV2Created } from '../api/answers.js';
import { contractorKey } from '../domain/deals/contractor.js';
import { translated } from '../domain/deals/deal.js';
import { type AnyTerms, dealRow, plannedDeal } from '../domain/deals/deal-v2.js';
import { ownAnswerOf } from '../domain/deals/sandbox.js';
import { type PlannedDeal, planStages, stageRows } from '../domain/deals/stage.js';
import { dealCreated, type EventOrigin } from '../domain/events/events.js';
import {
  type CreateDealError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { daysAfter, daysToAccept, noticeTime } from '../domain/life/deadlines.js';
import { planFees } from '../domain/payments/fees.js';
import { untried } from '../domain/payments/intents.js';
import type { Row } from '../domain/records/records.js';
import { unitOf } from '../domain/values/currency-unit.js';
import { formatMoney } from '../domain/values/money.js';
import { initialStatuses } from '../domain/values/status.js';
import { atOnce } from '../domain/values/timestamp.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { Insert } from '../ports/write-set.js';
import { parseClassified } from './classify.js';
import { commit, originate } from './commit.js';
import type { Call, Context } from './context.js';

type NotCreated = WithoutMessage<CreateDealError>;

/** Creates a deal with its stages (interface, POST /api/1.0/deal/). */
export async function createDeal(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<DealCreated, NotCreated>> {
  const { parseDeal } = context.rules;
  const parsed = await parseClassified(context, call, input, parseDeal, 'sub_category_id');
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;
  const planned = stagesOf(context, terms);
  if (planned.isErr()) return err(planned.error);
  const origin = await originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const named = translated(terms);
  const given = creationOf(context, '1.0', named, origin.value);
  if (given.isErr()) return err(given.error);
  // for the deal, and then for its stages
  const id = await context.ports.reserve(call.tenant.environment, 1 + planned.value.length);
  if (id.isErr()) return err(id.error);

  const contractor = contractorKey(call.tenant, context.contractorScope, terms.contractor_email);
  const stages = stageRows(planned.value, terms.partner_id, id.value + 1);
  const deal = dealRow(named, { id: id.value, ...given.value });
  const own = ownAnswer(context, call, deal);
  if (own.isErr()) return err(own.error);
  return commit<DealCreated, NotCreated>(context, call, {
    operation: 'create_deal',
    input: terms,
    keyScope: 'deal',
    origin: origin.value,
    insert: inserts(deal, stages, own.value),
    subject: { kind: 'deal', key: terms.partner_id },
    conditions: [
      isNew(terms),
      { expect: { present: 'contractor', key: contractor }, refusal: unknownContractor },
    ],
    events: [dealCreated(origin.value, deal)],
    answer: { id: id.value, stage_ids: stages.map((stage) => stage.id) },
  });
}

/** Creates a deal addressed to a freelancer (interface, POST /api/2.0/deal/). */
export async function createDealV2(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<DealV2Created, NotCreated>> {
  const { parseDealV2 } = context.rules;
  const parsed = await parseClassified(context, call, input, parseDealV2, 'subcategory_id');
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;
  const planned = stagesOf(context, plannedDeal(terms));
  if (planned.isErr()) return err(planned.error);
  const origin = await originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const given = creationOf(context, '2.0', terms, origin.value);
  if (given.isErr()) return err(given.error);
  const id = await context.ports.reserve(call.tenant.environment, 1 + planned.value.length);
  if (id.isErr()) return err(id.error);
  // issued before the one write: after a conflict, the token is in no answer
  const { amount, currency, partner_id } = terms;
  const claims = { partner_id, amount: formatMoney(amount), currency };
  const token = await context.ports.issueToken(call.tenant, claims);
  if (token.isErr()) return err(token.error);

  const stages = stageRows(planned.value, partner_id, id.value + 1);
  const payment_token = token.value;
  const deal = dealRow(terms, { id: id.value, payment_token, ...given.value });
  const own = ownAnswer(context, call, deal);
  if (own.isErr()) return err(own.error);
  const { status, freelancer_status } = initialStatuses;
  return commit(context, call, {
    operation: 'create_deal_v2',
    input: terms,
    keyScope: 'deal',
    origin: origin.value,
    insert: inserts(deal, stages, own.value),
    subject: { kind: 'deal', key: partner_id },
    conditions: [isNew(terms)],
    events: [dealCreated(origin.value, deal)],
    answer: { payment_token, freelancer_status, status },
  });
}

/** The stages of a new deal, or how the planner broke its promise. */
function stagesOf({ stagePlanner, rules }: Context, deal: PlannedDeal) {
  const unit = rules.wholeUnits === true ? unitOf(deal.currency) : 1n;
  return planStages(stagePlanner, deal, unit).mapErr((cause) =>
    portProblem('stagePlanner', { retryable: false, cause }),
  );
}

const unknownContractor = validationFailed({
  path: ['contractor_email'],
  code: 'unknown_contractor',
  params: {},
});

/** The fields of a new deal besides its terms (decisions 6.2 and 6.3). */
function creationOf(
  { creation: { mode, feePolicy, expireV1Deals, expiryNoticeDays } }: Context,
  api_version: '1.0' | '2.0',
  terms: AnyTerms,
  { at: created_at }: EventOrigin,
) {
  const expires = api_version === '2.0' || expireV1Deals;
  const expires_at = expires ? daysAfter(created_at, daysToAccept) : null;
  const notice_at = expires ? noticeTime(created_at, daysToAccept, expiryNoticeDays) : null;
  return planFees(feePolicy, terms)
    .map((fees) => ({ api_version, created_at, mode, expires_at, notice_at, ...fees }))
    .mapErr((cause) => portProblem('feePolicy', { retryable: false, cause }));
}

/** The inserts of a new deal of either version. */
function inserts(
  deal: Row<'deal'>,
  stages: readonly Row<'stage'>[],
  own: Row<'intent'> | undefined,
): Insert[] {
  const all: Insert[] = [{ kind: 'deal', row: deal }];
  for (const row of stages) all.push({ kind: 'stage', row });
  if (own !== undefined) all.push({ kind: 'intent', row: own });
  return all;
}

/** In the sandbox, the answer that the freelancer of a deal gives by itself (decision 6.6). */
function ownAnswer(
  { ports }: Context,
  { tenant }: Call,
  { partner_id, email_freelancer, created_at }: Row<'deal'>,
): Result<Row<'intent'> | undefined, PortProblem> {
  const kind = tenant.environment === 'sandbox' ? ownAnswerOf(email_freelancer) : undefined;
  if (kind === undefined) return ok(undefined);
  return ports.nextId().map((id) => ({
    id,
    partner_id,
    kind,
    payment_id: '',
    amount: '0.00',
    remaining: '0.00',
    status: 'pending',
    attempts: 0,
    ...untried,
    created_at,
    due_at: atOnce,
  }));
}

/** A `partner_id` names one deal of both versions (decision 2.2). */
function isNew({ partner_id }: { readonly partner_id: string }) {
  return {
    expect: { absent: 'deal', key: partner_id },
    refusal: { code: 'deal_exists' },
  } as const;
}
