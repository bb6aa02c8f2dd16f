import { err, ok, type Result } from 'neverthrow';
import type { DealCreated } from '../api/answers.js';
import type { CallOptions } from '../api/inputs.js';
import { contractorKey } from '../domain/contractor.js';
import { isDealId, newDeal } from '../domain/deal.js';
import { type CreateDealError, type Unavailable, validationFailed } from '../domain/errors.js';
import { dealCreated } from '../domain/events.js';
import { planStages } from '../domain/stage.js';
import type { Tenant } from '../domain/tenant.js';
import type { DealIds } from '../ports/deal-repository.js';
import { parseClassified } from './classify.js';
import {
  type Call,
  type Context,
  idempotencyOf,
  originate,
  portFailed,
  promiseBroken,
  readCall,
} from './context.js';
import { dealConflict } from './deal-conflict.js';

/** Creates a deal with its stages (interface, POST /api/1.0/deal/). */
export async function createDeal(
  context: Context,
  tenant: Tenant,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Result<DealCreated, CreateDealError>> {
  const called = readCall(tenant, options);
  if (called.isErr()) return err(called.error);
  const call = called.value;

  const { parseDeal } = context.rules;
  const classified = parseClassified(context, call, input, parseDeal, 'sub_category_id');
  const parsed = classified instanceof Promise ? await classified : classified;
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;

  const stages = planStages(context.stagePlanner, terms);
  if (stages.isErr()) return err(promiseBroken('stagePlanner', stages.error, 'none', call));
  const idempotency = idempotencyOf(context, 'create_deal', terms, call);
  if (idempotency.isErr()) return err(idempotency.error);
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);

  const asked = context.guard('unknown', () =>
    context.ports.deals.add(tenant, {
      deal: newDeal(terms, stages.value, origin.value.at),
      contractor: contractorKey(tenant, context.contractorScope, terms.contractor_email),
      events: [dealCreated(origin.value, terms)],
      idempotency: idempotency.value,
    }),
  );
  const added = asked instanceof Promise ? await asked : asked;
  if (added.isErr()) return err(portFailed('deals.add', added.error, call));
  const decision = added.value;
  if (decision?.outcome === 'created') {
    // another service splits a deal as it likes
    const isPlanned = context.ports.upstream === undefined;
    return answer(decision, call, isPlanned ? stages.value.length : undefined);
  }
  if (decision?.outcome === 'contractor_missing') {
    const finding = { path: ['contractor_email'], code: 'unknown_contractor', params: {} } as const;
    return err(validationFailed([finding], call.language));
  }
  const conflict = dealConflict('deals.add', decision, idempotency.value, call);
  return conflict.andThen(({ ids }) => answer(ids, call));
}

/** `count` is how many stages the deal has, where that is known. */
function answer(
  ids: DealIds | undefined,
  call: Call,
  count = ids?.stage_ids.length,
): Result<DealCreated, Unavailable> {
  return ids !== undefined &&
    isDealId(ids.id) &&
    ids.stage_ids.length === count &&
    ids.stage_ids.every(isDealId)
    ? ok({ id: ids.id, stage_ids: ids.stage_ids })
    : err(promiseBroken('deals.add', 'a deal without its ids', 'unknown', call));
}
