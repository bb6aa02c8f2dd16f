import type { ResultAsync } from 'neverthrow';
import type { CallOptions, ContractorInput, DealInput, DealV2Input } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { equal } from '../expectations.js';
import type { AnyError } from './errors.js';

/** A method of `PartnerApi` with input that the types would refuse, as it may come over a wire. */
export type Operation = (
  api: PartnerApi,
  input: unknown,
  options?: CallOptions,
) => ResultAsync<unknown, AnyError>;

/** The methods that create something. */
export const creates = ['registerContractor', 'createDeal', 'createDealV2'] as const;
export type CreateName = (typeof creates)[number];

/** One of the three creates, with an input that succeeds once. */
export interface Create {
  readonly input: object;
  /** The error of a second create. */
  readonly conflict: 'contractor_exists' | 'deal_exists';
  readonly call: Operation;
  /** Sees to it that the contractor of a deal of version 1.0 is registered. */
  prepare(api: PartnerApi): Promise<void>;
}

/** The three creates with the inputs of a case. */
export function createsOf(
  contractor: ContractorInput,
  deal: DealInput,
  dealV2: DealV2Input,
): Readonly<Record<CreateName, Create>> {
  const nothing = async () => undefined;
  return {
    registerContractor: {
      input: contractor,
      conflict: 'contractor_exists',
      call: (api, input, options) => api.registerContractor(input as ContractorInput, options),
      prepare: nothing,
    },
    createDeal: {
      input: deal,
      conflict: 'deal_exists',
      call: (api, input, options) => api.createDeal(input as DealInput, options),
      async prepare(api) {
        const registered = await api.registerContractor(contractor);
        if (registered.isErr()) equal(registered.error.code, 'contractor_exists', 'the contractor');
      },
    },
    createDealV2: {
      input: dealV2,
      conflict: 'deal_exists',
      call: (api, input, options) => api.createDealV2(input as DealV2Input, options),
      prepare: nothing,
    },
  };
}
