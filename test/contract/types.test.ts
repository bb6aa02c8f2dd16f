import type {
  Aborted,
  CategoryListEntry,
  ContractorExists,
  ContractorInput,
  ContractorRegistered,
  CreateDealError,
  DealCreated,
  DealDetails,
  DealExists,
  DealInput,
  DealListPage,
  DealRetrieved,
  DealV2Created,
  DealV2Input,
  IdempotencyKeyReused,
  InvalidCursor,
  InvalidIdempotencyKey,
  Marketplace,
  NotFound,
  PartnerApi,
  PayloadTooLarge,
  PreconditionFailed,
  RateLimited,
  RegisterContractorError,
  TransportError,
  Unauthorized,
  Unavailable,
  UnexpectedResponse,
  ValidationFailed,
  WorkFile,
} from 'dealwright';
import type { createClient, FetchLike } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import { describe, expectTypeOf, it } from 'vitest';

type Method = keyof PartnerApi;
type Answer<Api, M extends keyof Api> = Api[M] extends (...args: never) => infer R ? R : never;
type ErrorOf<Api, M extends keyof Api> =
  Answer<Api, M> extends ResultAsync<unknown, infer E> ? E : never;
type ValueOf<Api, M extends keyof Api> =
  Answer<Api, M> extends ResultAsync<infer T, unknown> ? T : never;
type InProcess = ReturnType<Marketplace['partner']>;
type OverTheWire = ReturnType<typeof createClient>;

type Common = InvalidIdempotencyKey | ValidationFailed | IdempotencyKeyReused | Unavailable;

// judged by the compiler: `tsc -p test` fails if one of these is wrong
describe('the types of PartnerApi', () => {
  it('list exactly the errors of each method in process', () => {
    expectTypeOf<ErrorOf<InProcess, 'registerContractor'>>().toEqualTypeOf<
      Common | ContractorExists
    >();
    expectTypeOf<ErrorOf<InProcess, 'createDeal'>>().toEqualTypeOf<Common | DealExists>();
    expectTypeOf<ErrorOf<InProcess, 'createDealV2'>>().toEqualTypeOf<Common | DealExists>();
    expectTypeOf<ErrorOf<InProcess, 'listCategories'>>().toEqualTypeOf<Unavailable>();
    expectTypeOf<ErrorOf<InProcess, 'retrieveDeal'>>().toEqualTypeOf<NotFound | Unavailable>();
    expectTypeOf<ErrorOf<InProcess, 'retrieveDealDetails'>>().toEqualTypeOf<
      NotFound | Unavailable
    >();
    expectTypeOf<ErrorOf<InProcess, 'listDeals'>>().toEqualTypeOf<
      ValidationFailed | InvalidCursor | Unavailable
    >();
    expectTypeOf<ErrorOf<InProcess, 'uploadFile'>>().toEqualTypeOf<
      Common | NotFound | PayloadTooLarge | PreconditionFailed
    >();
    expectTypeOf<RegisterContractorError>().toEqualTypeOf<Common | ContractorExists>();
    expectTypeOf<CreateDealError>().toEqualTypeOf<Common | DealExists>();
  });

  it('name no error of a wire in process', () => {
    expectTypeOf<Extract<ErrorOf<InProcess, Method>, TransportError>>().toEqualTypeOf<never>();
    expectTypeOf<
      Extract<ErrorOf<InProcess, Method>['code'], TransportError['code']>
    >().toEqualTypeOf<never>();
  });

  it('add the errors of a wire to each method of a client, and no other', () => {
    expectTypeOf<TransportError>().toEqualTypeOf<
      Unauthorized | RateLimited | UnexpectedResponse | Aborted
    >();
    expectTypeOf<OverTheWire>().toExtend<PartnerApi>();
    expectTypeOf<ErrorOf<OverTheWire, 'registerContractor'>>().toEqualTypeOf<
      Common | ContractorExists | TransportError
    >();
    expectTypeOf<ErrorOf<OverTheWire, 'createDeal'>>().toEqualTypeOf<
      Common | DealExists | TransportError
    >();
    expectTypeOf<ErrorOf<OverTheWire, 'createDealV2'>>().toEqualTypeOf<
      Common | DealExists | TransportError
    >();
  });

  it('let the in-process view stand for any view, not the other way round', () => {
    expectTypeOf<InProcess>().toEqualTypeOf<PartnerApi<never>>();
    expectTypeOf<PartnerApi<never>>().toExtend<PartnerApi>();
    expectTypeOf<PartnerApi>().not.toExtend<PartnerApi<never>>();
  });

  it('have the same inputs and values on both sides', () => {
    expectTypeOf<ValueOf<InProcess, 'registerContractor'>>().toEqualTypeOf<ContractorRegistered>();
    expectTypeOf<
      ValueOf<OverTheWire, 'registerContractor'>
    >().toEqualTypeOf<ContractorRegistered>();
    expectTypeOf<ValueOf<InProcess, 'createDeal'>>().toEqualTypeOf<DealCreated>();
    expectTypeOf<ValueOf<OverTheWire, 'createDeal'>>().toEqualTypeOf<DealCreated>();
    expectTypeOf<ValueOf<InProcess, 'createDealV2'>>().toEqualTypeOf<DealV2Created>();
    expectTypeOf<ValueOf<OverTheWire, 'createDealV2'>>().toEqualTypeOf<DealV2Created>();
    expectTypeOf<ValueOf<InProcess, 'listCategories'>>().toEqualTypeOf<
      readonly CategoryListEntry[]
    >();
    expectTypeOf<ValueOf<InProcess, 'retrieveDeal'>>().toEqualTypeOf<DealRetrieved>();
    expectTypeOf<ValueOf<InProcess, 'retrieveDealDetails'>>().toEqualTypeOf<DealDetails>();
    expectTypeOf<ValueOf<InProcess, 'listDeals'>>().toEqualTypeOf<DealListPage>();
    expectTypeOf<ValueOf<InProcess, 'uploadFile'>>().toEqualTypeOf<WorkFile>();
    expectTypeOf<
      Parameters<PartnerApi['registerContractor']>[0]
    >().toEqualTypeOf<ContractorInput>();
    expectTypeOf<Parameters<PartnerApi['createDeal']>[0]>().toEqualTypeOf<DealInput>();
    expectTypeOf<Parameters<PartnerApi['createDealV2']>[0]>().toEqualTypeOf<DealV2Input>();
  });

  it('tell errors apart by their literal code', () => {
    type Narrowed = Extract<ErrorOf<OverTheWire, 'createDeal'>, { code: 'validation_failed' }>;
    expectTypeOf<Narrowed>().toEqualTypeOf<ValidationFailed>();
    type Code = ErrorOf<OverTheWire, 'createDeal'>['code'];
    expectTypeOf<string>().not.toExtend<Code>();
  });

  it("take the runtime's own fetch", () => {
    expectTypeOf<typeof globalThis.fetch>().toExtend<FetchLike>();
  });
});
