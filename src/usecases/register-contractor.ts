import { err, ok, type Result } from 'neverthrow';
import type { ContractorRegistered } from '../api/answers.js';
import type { CallOptions } from '../api/inputs.js';
import { contractorKey } from '../domain/contractor.js';
import { plainError, type RegisterContractorError, validationFailed } from '../domain/errors.js';
import { contractorRegistered } from '../domain/events.js';
import type { Tenant } from '../domain/tenant.js';
import {
  type Context,
  idempotencyOf,
  originate,
  portFailed,
  promiseBroken,
  readCall,
} from './context.js';

/** Registers a contractor (interface, POST /api/1.0/contractor/). */
export async function registerContractor(
  context: Context,
  tenant: Tenant,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Result<ContractorRegistered, RegisterContractorError>> {
  const called = readCall(tenant, options);
  if (called.isErr()) return err(called.error);
  const call = called.value;

  const parsed = context.rules.parseContractor(input);
  if (parsed.isErr()) return err(validationFailed(parsed.error, call.language));
  const contractor = parsed.value;

  const idempotency = idempotencyOf(context, 'register_contractor', contractor, call);
  if (idempotency.isErr()) return err(idempotency.error);
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);

  const asked = context.guard('unknown', () =>
    context.ports.contractors.add(tenant, {
      key: contractorKey(tenant, context.contractorScope, contractor.email),
      contractor,
      events: [contractorRegistered(origin.value, contractor)],
      idempotency: idempotency.value,
    }),
  );
  const added = asked instanceof Promise ? await asked : asked;
  if (added.isErr()) return err(portFailed('contractors.add', added.error, call));
  const decision = added.value;
  if (decision?.outcome === 'created') return ok({ contractor_email: contractor.email });
  if (decision?.outcome === 'exists' && decision.by === 'email') {
    return err(plainError('contractor_exists', call.language));
  }
  if (idempotency.value && decision?.outcome === 'exists' && decision.by === 'idempotency_key') {
    // of the same input the first answer is the same too
    return decision.first.fingerprint === idempotency.value.fingerprint
      ? ok({ contractor_email: contractor.email })
      : err(plainError('idempotency_key_reused', call.language));
  }
  return err(
    promiseBroken('contractors.add', 'an outcome that the port does not have', 'unknown', call),
  );
}
