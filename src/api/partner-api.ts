import type { ResultAsync } from 'neverthrow';
import type { WorkFile } from '../domain/deals/work-file.js';
import type {
  CreateDealError,
  ListDealsError,
  ListTokensError,
  RegisterContractorError,
  RetrieveDealError,
  Unavailable,
  UploadFileError,
} from '../domain/input/errors.js';
import type { ApiToken } from '../domain/values/api-token.js';
import type {
  CategoryListEntry,
  ContractorRegistered,
  DealCreated,
  DealDetails,
  DealListPage,
  DealRetrieved,
  DealV2Created,
  DownloadedFile,
  ServicePromises,
} from './answers.js';
import type { PartnerCommands } from './commands.js';
import type {
  CallOptions,
  ContractorInput,
  DealInput,
  DealListQuery,
  DealReference,
  DealV2Input,
  FileUpload,
  ReadOptions,
} from './inputs.js';
import type { PartnerEvents } from './partner-events.js';
import type { PartnerTerms } from './terms-api.js';
import type { TransportError } from './transport-errors.js';

/**
 * The calls of a partner: one interface, in process (`Marketplace.partner`) and over the wire
 * (`createClient` of `dealwright/client`). No method throws or rejects; each lists its own errors.
 * In process no transport can fail: `PartnerApi<never>`, which is a `PartnerApi` too.
 */
export interface PartnerApi<Transport = TransportError>
  extends PartnerCommands<DealDetails, Transport>,
    PartnerEvents<Transport>,
    PartnerTerms<Transport> {
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
  /** GET /api/1.0/category/ */
  listCategories(
    options?: ReadOptions,
  ): ResultAsync<readonly CategoryListEntry[], Unavailable | Transport>;
  /** GET /api/1.0/deal/{id}/ */
  retrieveDeal(
    id: number,
    options?: ReadOptions,
  ): ResultAsync<DealRetrieved, RetrieveDealError | Transport>;
  /** POST /api/1.0/deal/{id}/file/ or /api/2.0/deal/{partner_id}/file/ */
  uploadFile(
    deal: DealReference,
    upload: FileUpload,
    options?: CallOptions,
  ): ResultAsync<WorkFile, UploadFileError | Transport>;
  /** GET /api/2.0/deal/{partner_id}/ */
  retrieveDealDetails(
    partner_id: string,
    options?: ReadOptions,
  ): ResultAsync<DealDetails, RetrieveDealError | Transport>;
  /** GET /api/2.0/deal/ */
  listDeals(
    query?: DealListQuery,
    options?: ReadOptions,
  ): ResultAsync<DealListPage, ListDealsError | Transport>;
  /** GET /api/2.0/deal/{partner_id}/file/ */
  listWorkFiles(
    partner_id: string,
    options?: ReadOptions,
  ): ResultAsync<readonly WorkFile[], RetrieveDealError | Transport>;
  /** GET /api/2.0/deal/{partner_id}/file/{file_id}/ */
  downloadWorkFile(
    partner_id: string,
    file_id: string,
    options?: ReadOptions,
  ): ResultAsync<DownloadedFile, RetrieveDealError | Transport>;
  /** The API tokens of this partner, if the host lists them: GET /api/2.0/token/ */
  listTokens(options?: ReadOptions): ResultAsync<readonly ApiToken[], ListTokensError | Transport>;
  /** What the service promises to this partner: GET /api/2.0/ */
  retrievePromises(
    options?: ReadOptions,
  ): ResultAsync<ServicePromises, RetrieveDealError | Transport>;
}
