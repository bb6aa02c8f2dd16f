import type { ResultAsync } from 'neverthrow';
import type { DealCreated } from '../../src/api/answers.js';
import type {
  CallOptions,
  ContractorInput,
  DealInput,
  DealV2Input,
  FileUpload,
} from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { TransportError } from '../../src/api/transport-errors.js';
import type {
  CommandError,
  CreateDealError,
  ListDealsError,
  RegisterContractorError,
  Resource,
  RetrieveDealError,
  UploadFileError,
} from '../../src/domain/input/errors.js';
import { describeError, type Language } from '../../src/domain/input/messages.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { casesOver, opening } from '../cases.js';
import { exampleContractor, exampleDeal, exampleDealV2 } from '../examples.js';
import { type ContractRunner, check, equal, okOf } from '../expectations.js';

/**
 * The subject of the suite of `PartnerApi`: an empty service for each case.
 */
export interface PartnerApiSubject {
  /** The view of one of `contractTenants`. */
  api(tenant: Tenant): PartnerApi;
  /**
   * Bytes that a work file may have; default 25 MiB (decision 5.2): a lower limit takes less time.
   */
  readonly fileLimit?: number;
  /** Whether it has webhooks; default `false`: then every call about them is `not_found`. */
  readonly webhooks?: boolean;
  close(): PromiseLike<void>;
}

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
const acmeLive: Tenant = { environment: 'production', partner: 'acme' };

/**
 * The tenants of the suite: over a wire, a subject has a token for each.
 *
 * @example
 * ```ts
 * import { contractTenants } from 'dealwright/spec';
 *
 * const tokens = contractTenants.map(({ environment, partner }) => `${environment}-${partner}`);
 * ```
 */
export const contractTenants: readonly Tenant[] = [acme, globex, acmeLive];

/** The views of a case; most use `api`. */
export interface Views {
  /** acme in the sandbox */
  readonly api: PartnerApi;
  /** another partner in the same environment */
  readonly other: PartnerApi;
  /** the same partner in the other environment */
  readonly live: PartnerApi;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  /** Whether the service has webhooks. */
  readonly webhooks: boolean;
}

/** Defines a case with its own subject. */
export type DefineCase = (name: string, body: (views: Views) => Promise<void>) => void;

/** Gives each case a subject, and closes it after the case, passed or failed. */
export function caseWith(
  runner: ContractRunner,
  makeSubject: () => PartnerApiSubject | PromiseLike<PartnerApiSubject>,
): DefineCase {
  const define = casesOver(runner, opening(makeSubject));
  return (name, body) =>
    define(name, (subject) =>
      body({
        api: subject.api(acme),
        other: subject.api(globex),
        live: subject.api(acmeLive),
        fileLimit: subject.fileLimit ?? 25 * 2 ** 20,
        webhooks: subject.webhooks ?? false,
      }),
    );
}

/** The documented contractor and deal, and a deal of version 2.0. */
export const contractor: ContractorInput = exampleContractor;
export const deal: DealInput = exampleDeal;
export const dealV2: DealV2Input = { ...exampleDealV2, partner_id: deal.partner_id };

/** Any error of a method of `PartnerApi`. */
export type AnyError =
  | RegisterContractorError
  | CreateDealError
  | RetrieveDealError
  | ListDealsError
  | UploadFileError
  | CommandError
  | TransportError;

/** A method of `PartnerApi` with input that the types would refuse, as it may come over a wire. */
export type Operation = (
  api: PartnerApi,
  input: unknown,
  options?: CallOptions,
) => ResultAsync<unknown, AnyError>;

/** A small file, which every service accepts. */
export const file: FileUpload = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: Uint8Array.of(0x61, 0x62, 0x63),
};

/** The three creates, each with an input that succeeds once the contractor is registered. */
export const operations: readonly {
  readonly name: keyof PartnerApi;
  readonly input: object;
  readonly call: Operation;
}[] = [
  {
    name: 'registerContractor',
    input: contractor,
    call: (api, input, options) => api.registerContractor(input as ContractorInput, options),
  },
  {
    name: 'createDeal',
    input: deal,
    call: (api, input, options) => api.createDeal(input as DealInput, options),
  },
  {
    name: 'createDealV2',
    input: dealV2,
    call: (api, input, options) => api.createDealV2(input as DealV2Input, options),
  },
];

/** The reads, each as it succeeds once the documented deal was created, with this id. */
export const reads: readonly {
  readonly name: keyof PartnerApi;
  readonly call: (api: PartnerApi, id: number, options?: object) => ResultAsync<unknown, AnyError>;
}[] = [
  { name: 'listCategories', call: (api, _, options) => api.listCategories(options) },
  { name: 'retrieveDeal', call: (api, id, options) => api.retrieveDeal(id, options) },
  {
    name: 'retrieveDealDetails',
    call: (api, _, options) => api.retrieveDealDetails(deal.partner_id, options),
  },
  { name: 'listDeals', call: (api, _, options) => api.listDeals({}, options) },
];

/** Registers the documented contractor and creates the documented deal. */
export async function createDocumentedDeal(api: PartnerApi): Promise<DealCreated> {
  okOf(await api.registerContractor(contractor), 'the contractor');
  return okOf(await api.createDeal(deal), 'the deal');
}

/** An error without members that differ from request to request: over a wire each has an id. */
export function told(error: AnyError): object {
  const { request_id: _, ...said } = error;
  return said;
}

/** An error with a code and a message only, frozen. */
export function plain(
  error: AnyError,
  code: Parameters<typeof describeError>[0],
  language: Language = 'en',
): void {
  equal(told(error), { code, message: describeError(code, language) }, `the error ${code}`);
  check(Object.isFrozen(error), `the error ${code} is frozen`);
}

/** `not_found` of this and nothing else, frozen. */
export function missing(error: AnyError, resource: Resource, language: Language = 'en'): void {
  const message = describeError('not_found', language, resource);
  equal(told(error), { code: 'not_found', message, resource }, `no ${resource}`);
  check(Object.isFrozen(error), 'the error is frozen');
}

/** A validation error with exactly these issues; of each, path and code count. */
export function invalid(
  error: AnyError,
  issues: readonly { readonly path: readonly string[]; readonly code: string }[],
  language: Language = 'en',
): void {
  equal(error.code, 'validation_failed', 'the error is one of validation');
  check(error.code === 'validation_failed', 'narrows the type');
  equal(Object.keys(told(error)).sort(), ['code', 'errors', 'message'], 'the members of the error');
  equal(error.message, describeError('validation_failed', language), 'the message of the error');
  equal(
    error.errors.map(({ path, code }) => ({ path, code })),
    issues.map(({ path, code }) => ({ path, code })),
    'the issues of the error',
  );
  check(Object.isFrozen(error) && Object.isFrozen(error.errors), 'the error is frozen');
}
