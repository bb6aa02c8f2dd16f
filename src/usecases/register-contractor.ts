import { err, type Result } from 'neverthrow';
import type { ContractorRegistered } from '../api/answers.js';
import { contractorKey, contractorRow } from '../domain/deals/contractor.js';
import { contractorRegistered } from '../domain/events/events.js';
import {
  type RegisterContractorError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { commit, originate } from './commit.js';
import type { Call, Context } from './context.js';

/** Registers a contractor (interface, POST /api/1.0/contractor/). */
export async function registerContractor(
  context: Context,
  call: Call,
  input: unknown,
): Promise<Result<ContractorRegistered, WithoutMessage<RegisterContractorError>>> {
  const parsed = context.rules.parseContractor(input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const contractor = parsed.value;
  const origin = await originate(context, call);
  if (origin.isErr()) return err(origin.error);

  const key = contractorKey(call.tenant, context.contractorScope, contractor.email);
  const row = contractorRow(contractor, key);
  return commit(context, call, {
    operation: 'register_contractor',
    input: contractor,
    keyScope: 'contractor',
    origin: origin.value,
    conditions: [{ expect: { absent: 'contractor', key }, refusal: { code: 'contractor_exists' } }],
    insert: [{ kind: 'contractor', row }],
    subject: { kind: 'contractor', key },
    events: [contractorRegistered(origin.value, row)],
    answer: { contractor_email: contractor.email },
  });
}
