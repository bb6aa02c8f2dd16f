import { err, type Result } from 'neverthrow';
import type { DealCreated, DealV2Created } from '../api/answers.js';
import { contractorKey } from '../domain/contractor.js';
import { dealRow } from '../domain/deal.js';
import { type DealV2Terms, dealV2Row } from '../domain/deal-v2.js';
import {
  type CreateDealError,
  plainError,
  type Unavailable,
  validationFailed,
} from '../domain/errors.js';
import { dealCreated, dealV2Created } from '../domain/events.js';
import { formatMoney } from '../domain/money.js';
import type { Row } from '../domain/records.js';
import { planStages, stageRows } from '../domain/stage.js';
import { initialStatuses } from '../domain/status.js';
import { portProblem } from '../ports/port-problem.js';
import type { Insert } from '../ports/write-set.js';
import { parseClassified } from './classify.js';
import { commit, originate } from './commit.js';
import { type Call, type Context, unavailableError } from './context.js';

/** Creates a deal with its stages (interface, POST /api/1.0/deal/). */
export async function createDeal(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<DealCreated, CreateDealError>> {
  const { parseDeal } = context.rules;
  const parsed = await parseClassified(context, call, input, parseDeal, 'sub_category_id');
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;
  const planned = planStages(context.stagePlanner, terms);
  if (planned.isErr()) {
    const problem = portProblem('stagePlanner', { retryable: false, cause: planned.error });
    return err(unavailableError(problem, call));
  }
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const id = await reserveIds(context, call, planned.value.length);
  if (id.isErr()) return err(id.error);

  const contractor = contractorKey(call.tenant, context.contractorScope, terms.contractor_email);
  const stages = stageRows(planned.value, terms.partner_id, id.value + 1);
  const unknown = { path: ['contractor_email'], code: 'unknown_contractor', params: {} } as const;
  return commit<DealCreated, CreateDealError>(context, call, {
    operation: 'create_deal',
    input: terms,
    keyScope: 'deal',
    origin: origin.value,
    insert: inserts(dealRow(terms, id.value, origin.value.at), stages),
    subject: { kind: 'deal', key: terms.partner_id },
    conditions: [
      isNew(call, terms),
      {
        expect: { present: 'contractor', key: contractor },
        refusal: () => validationFailed([unknown], call.language),
      },
    ],
    events: [dealCreated(origin.value, terms)],
    answer: { id: id.value, stage_ids: stages.map((stage) => stage.id) },
  });
}

/** Creates a deal addressed to a freelancer (interface, POST /api/2.0/deal/). */
export async function createDealV2(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<DealV2Created, CreateDealError>> {
  const { parseDealV2 } = context.rules;
  const parsed = await parseClassified(context, call, input, parseDealV2, 'subcategory_id');
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const id = await reserveIds(context, call, 1);
  if (id.isErr()) return err(id.error);
  // issued before the one write: where that is a conflict, nobody holds the token
  const token = await issueToken(context, call, terms);
  if (token.isErr()) return err(token.error);

  const { title: name, amount: budget, partner_id } = terms;
  const stages = stageRows([{ name, budget, work_days: null }], partner_id, id.value + 1);
  const { status, freelancer_status } = initialStatuses;
  return commit(context, call, {
    operation: 'create_deal_v2',
    input: terms,
    keyScope: 'deal',
    origin: origin.value,
    insert: inserts(dealV2Row(terms, id.value, token.value, origin.value.at), stages),
    subject: { kind: 'deal', key: partner_id },
    conditions: [isNew(call, terms)],
    events: [dealV2Created(origin.value, terms)],
    answer: { payment_token: token.value, freelancer_status, status },
  });
}

/** What a new deal of either version inserts. */
function inserts(deal: Row<'deal'>, stages: readonly Row<'stage'>[]): Insert[] {
  const all: Insert[] = [{ kind: 'deal', row: deal }];
  for (const row of stages) all.push({ kind: 'stage', row });
  return all;
}

/** A `partner_id` names one deal of both versions (decision 2.2). */
function isNew({ language }: Call, { partner_id }: { readonly partner_id: string }) {
  return {
    expect: { absent: 'deal', key: partner_id } as const,
    refusal: () => plainError('deal_exists', language),
  };
}

/** The id of a deal; those of its stages follow it. */
async function reserveIds(
  { ports }: Context,
  call: Call,
  stages: number,
): Promise<Result<number, Unavailable>> {
  const reserved = await ports.reserve(call.tenant.environment, 1 + stages);
  return reserved.mapErr((problem) => unavailableError(problem, call));
}

async function issueToken(
  { ports }: Context,
  call: Call,
  { partner_id, amount, currency }: DealV2Terms,
): Promise<Result<string, Unavailable>> {
  const claims = { partner_id, amount: formatMoney(amount), currency };
  const issued = await ports.issueToken(call.tenant, claims);
  return issued.mapErr((problem) => unavailableError(problem, call));
}
