import { err, ok, type Result } from 'neverthrow';
import type { DealV2Created } from '../api/answers.js';
import type { CallOptions } from '../api/inputs.js';
import { type DealV2Terms, isPaymentToken, newDealV2 } from '../domain/deal-v2.js';
import type { CreateDealError, Unavailable } from '../domain/errors.js';
import { dealV2Created } from '../domain/events.js';
import { formatMoney } from '../domain/money.js';
import { initialStatuses } from '../domain/status.js';
import type { Tenant } from '../domain/tenant.js';
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

/** Creates a deal addressed to a freelancer (interface, POST /api/2.0/deal/). */
export async function createDealV2(
  context: Context,
  tenant: Tenant,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Result<DealV2Created, CreateDealError>> {
  const called = readCall(tenant, options);
  if (called.isErr()) return err(called.error);
  const call = called.value;

  const { parseDealV2 } = context.rules;
  const classified = parseClassified(context, call, input, parseDealV2, 'subcategory_id');
  const parsed = classified instanceof Promise ? await classified : classified;
  if (parsed.isErr()) return err(parsed.error);
  const terms = parsed.value;

  const idempotency = idempotencyOf(context, 'create_deal_v2', terms, call);
  if (idempotency.isErr()) return err(idempotency.error);
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);
  // issued before the one decision of the store; where that is a conflict, the token is forgotten
  const token = await issueToken(context, call, terms);
  if (token.isErr()) return err(token.error);

  const asked = context.guard('unknown', () =>
    context.ports.dealsV2.add(tenant, {
      deal: newDealV2(terms, token.value, origin.value.at),
      events: [dealV2Created(origin.value, terms)],
      idempotency: idempotency.value,
    }),
  );
  const added = asked instanceof Promise ? await asked : asked;
  if (added.isErr()) return err(portFailed('dealsV2.add', added.error, call));
  const decision = added.value;
  if (decision?.outcome === 'created') {
    const issued = decision.payment_token ?? token.value;
    return isPaymentToken(issued)
      ? ok(answer(issued))
      : err(promiseBroken('dealsV2.add', 'a deal without its token', 'unknown', call));
  }
  const conflict = dealConflict('dealsV2.add', decision, idempotency.value, call);
  return conflict.andThen(({ payment_token }) =>
    isPaymentToken(payment_token)
      ? ok(answer(payment_token))
      : err(promiseBroken('dealsV2.add', 'a first deal without its token', 'unknown', call)),
  );
}

async function issueToken(
  { ports, guard }: Context,
  call: Call,
  { partner_id, amount, currency }: DealV2Terms,
): Promise<Result<string, Unavailable>> {
  const { paymentTokens } = ports;
  // where another service issues them, its answer to the deal holds the token
  if (paymentTokens === undefined) return ok('');
  const claims = { partner_id, amount: formatMoney(amount), currency };
  // a token that no deal holds is nothing, so that a failure to issue one leaves nothing behind
  const issued = await guard('none', () => paymentTokens.issue(call.tenant, claims));
  if (issued.isErr()) {
    return err(portFailed('paymentTokens.issue', { ...issued.error, outcome: 'none' }, call));
  }
  return isPaymentToken(issued.value)
    ? ok(issued.value)
    : err(promiseBroken('paymentTokens.issue', 'not a payment token', 'none', call));
}

/** The first answer, also where the deal has moved on since (decision 2.7). */
function answer(payment_token: string): DealV2Created {
  const { status, freelancer_status } = initialStatuses;
  return { payment_token, freelancer_status, status };
}
