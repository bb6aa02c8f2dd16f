import type { ResultAsync } from 'neverthrow';
import type { CreateDealError, RegisterContractorError } from './domain/errors.js';
import type { Language } from './domain/messages.js';
import type { DealStatus, FreelancerStatus } from './domain/status.js';

/**
 * A contractor as a partner sends it (interface, Contractor 1.0).
 *
 * @example
 * ```ts
 * import type { ContractorInput } from 'dealwright';
 *
 * const input: ContractorInput = {
 *   email: 'user@example.com',
 *   name: 'Name',
 *   surname: 'Surname',
 *   country_code: 'AT',
 *   street: 'Street',
 *   postal_code: '5020',
 *   city: 'City',
 *   language: 'en',
 *   bank_account_currency: 'EUR',
 *   bank_account_iban: 'AT611904300234573201',
 * };
 * ```
 */
export type { Contractor as ContractorInput } from './domain/contractor.js';

import type { Contractor as ContractorInput } from './domain/contractor.js';

/**
 * A deal of version 1.0 as a partner sends it (interface, Deal 1.0).
 *
 * @example
 * ```ts
 * import type { DealInput } from 'dealwright';
 *
 * const input: DealInput = {
 *   partner_id: 'unique-ID-of-deal',
 *   contractor_email: 'user@example.com',
 *   name: 'Deal name',
 *   description: 'Deal description',
 *   budget: '1000.00',
 *   currency: 'EUR',
 *   sub_category_id: 75,
 * };
 * ```
 */
export interface DealInput {
  readonly partner_id: string;
  readonly contractor_email: string;
  readonly name: string;
  readonly description: string;
  /** Decimal string, `^-?\d{0,18}(?:\.\d{0,2})?$` with at least one digit. */
  readonly budget: string;
  readonly currency: string;
  /** Default 30. */
  readonly work_days?: number;
  readonly sub_category_id: number;
}

/**
 * A deal of version 2.0 as a partner sends it (interface, Deal 2.0; decision 3).
 *
 * @example
 * ```ts
 * import type { DealV2Input } from 'dealwright';
 *
 * const input: DealV2Input = {
 *   partner_id: 'order-2',
 *   email_freelancer: 'freelancer@example.com',
 *   title: 'Landing page',
 *   description: 'Texts for a landing page',
 *   subcategory_id: 75,
 *   amount: '500.00',
 *   currency: 'PLN',
 *   copyright_transfer: 'full_transfer',
 *   freelancer_language: 'pl',
 * };
 * ```
 */
export interface DealV2Input {
  readonly partner_id: string;
  readonly email_freelancer: string;
  readonly title: string;
  readonly description: string;
  readonly subcategory_id: number;
  /** Decimal string greater than zero. */
  readonly amount: string;
  readonly currency: string;
  /** `full_transfer`, `license` or `none`, unless the host has its own set. */
  readonly copyright_transfer: string;
  /** `pl` or `en`, unless the host has its own set. */
  readonly freelancer_language: string;
}

/**
 * The answer to a registered contractor (interface, POST /api/1.0/contractor/).
 *
 * @example
 * ```ts
 * import type { ContractorRegistered } from 'dealwright';
 *
 * const answer: ContractorRegistered = { contractor_email: 'user@example.com' };
 * ```
 */
export interface ContractorRegistered {
  readonly contractor_email: string;
}

/**
 * The answer to a created deal (interface, POST /api/1.0/deal/).
 *
 * @example
 * ```ts
 * import type { DealCreated } from 'dealwright';
 *
 * const answer: DealCreated = { id: 1, stage_ids: [1] };
 * ```
 */
export interface DealCreated {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/**
 * The answer to a created 2.0 deal (interface, POST /api/2.0/deal/). The payment token is a secret.
 *
 * @example
 * ```ts
 * import type { DealV2Created } from 'dealwright';
 *
 * const isFresh = (answer: DealV2Created): boolean => answer.status === 'created';
 * ```
 */
export interface DealV2Created {
  readonly payment_token: string;
  readonly freelancer_status: FreelancerStatus;
  readonly status: DealStatus;
}

/**
 * What every call may say besides its input.
 *
 * @example
 * ```ts
 * import type { CallOptions } from 'dealwright';
 *
 * const options: CallOptions = { idempotencyKey: 'order-1-first-try', language: 'pl' };
 * ```
 */
export interface CallOptions {
  /**
   * 1 to 255 visible ASCII characters: the same key with the same input is answered with the
   * first answer, so that a retry is safe (decision 2.7).
   */
  readonly idempotencyKey?: string;
  /** The language of messages; default English. */
  readonly language?: Language;
}

/**
 * The API token is missing, wrong, or of the other environment. Only over a wire.
 *
 * @example
 * ```ts
 * import type { Unauthorized } from 'dealwright';
 *
 * const code: Unauthorized['code'] = 'unauthorized';
 * ```
 */
export interface Unauthorized {
  readonly code: 'unauthorized';
  readonly message: string;
}

/**
 * Too many requests. Only over a wire.
 *
 * @example
 * ```ts
 * import type { RateLimited } from 'dealwright';
 *
 * const pause = (error: RateLimited): number => error.retryAfter ?? 1;
 * ```
 */
export interface RateLimited {
  readonly code: 'rate_limited';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/**
 * An answer that the interface does not know for this call: another status, a redirect, a body of
 * another shape. Only over a wire.
 *
 * @example
 * ```ts
 * import type { UnexpectedResponse } from 'dealwright';
 *
 * const isProxy = (error: UnexpectedResponse): boolean => error.status === 502;
 * ```
 */
export interface UnexpectedResponse {
  readonly code: 'unexpected_response';
  readonly message: string;
  readonly status: number;
  /** The code in the body, where the service gave one. */
  readonly problem?: string;
}

/**
 * What a call over a wire can answer besides its own errors.
 *
 * @example
 * ```ts
 * import type { TransportError } from 'dealwright';
 *
 * const isOurs = (error: TransportError): boolean => error.code === 'unauthorized';
 * ```
 */
export type TransportError = Unauthorized | RateLimited | UnexpectedResponse;

/**
 * What a partner can do: one interface, in process (`Marketplace.partner`) and over the wire
 * (`createClient` of `dealwright/client`). No method throws or rejects; each lists its own errors.
 * In process there is no transport to fail: `PartnerApi<never>`, which is a `PartnerApi` too.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 *
 * async function isRegistered(api: PartnerApi, contractor: Parameters<PartnerApi['registerContractor']>[0]) {
 *   const result = await api.registerContractor(contractor);
 *   return result.isOk() || result.error.code === 'contractor_exists';
 * }
 * ```
 */
export interface PartnerApi<Transport = TransportError> {
  /** POST /api/1.0/contractor/ */
  registerContractor(
    input: ContractorInput,
    options?: CallOptions,
  ): ResultAsync<ContractorRegistered, RegisterContractorError | Transport>;
  /** POST /api/1.0/deal/ */
  createDeal(
    input: DealInput,
    options?: CallOptions,
  ): ResultAsync<DealCreated, CreateDealError | Transport>;
  /** POST /api/2.0/deal/ */
  createDealV2(
    input: DealV2Input,
    options?: CallOptions,
  ): ResultAsync<DealV2Created, CreateDealError | Transport>;
}
