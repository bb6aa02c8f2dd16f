import type {
  CallOptions,
  ContractorInput,
  DealDetails,
  DealInput,
  DealListQuery,
  DealReference,
  DealV2Input,
  FileContent,
  FileUpload,
  PartnerApi,
  PartnerCommands,
  PartnerEvents,
  PartnerTerms,
  ReadOptions,
  TransportError,
} from 'dealwright';
import type { AbortSignalLike, BlobLike, StreamLike } from './fetch-like.js';

/** The options of a read of the client. */
export interface ClientReadOptions extends ReadOptions {
  /** Aborts the request under way, or the pause before the next attempt (error `aborted`). */
  readonly signal?: AbortSignalLike;
  /** Milliseconds that an attempt of this call has; default: the client's. */
  readonly timeout?: number;
}

/** The options of a call that makes a change; see `makeKeys` for its idempotency key. */
export interface ClientCallOptions extends CallOptions, ClientReadOptions {}

/** How much of a file has been sent. */
export interface UploadProgress {
  /** Bytes of the content; each attempt begins at 0. */
  readonly sent: number;
  /** All bytes of the content, if known before the end: of every content but a stream. */
  readonly total?: number;
}

/** The options of an upload. */
export interface ClientUploadOptions extends ClientCallOptions {
  /** Called as bytes are sent; in a browser, before and after. If it throws, the upload goes on. */
  readonly onProgress?: (progress: UploadProgress) => unknown;
}

/**
 * A file to upload by the client: its content may also be a `Blob`, a `File` or a `ReadableStream`
 * of bytes. A stream or an iterable can be read only once: its upload is not sent again once any of
 * it was read.
 */
export interface ClientFileUpload extends Omit<FileUpload, 'content'> {
  readonly content: FileContent | BlobLike | StreamLike;
}

/** One attempt, as `onExchange` gets it: without secrets and without personal data. */
export interface ExchangeReport {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path of the interface, with the names of its parameters. */
  readonly route: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The status of the answer, if there is one. */
  readonly status?: number;
  /** Why there is no answer. */
  readonly failure?: string;
  /** `X-Request-Id` of the answer, for questions to the operator of the service. */
  readonly request_id?: string;
}

type Answer<K extends keyof PartnerApi> = ReturnType<PartnerApi[K]>;

type Commands<O> = PartnerCommands<DealDetails, TransportError, O>;

/** A `PartnerApi` over HTTP, with the options that a wire needs: aborting, time-outs, progress. */
export interface DealwrightClient
  extends Omit<PartnerApi, keyof Commands<never> | keyof PartnerEvents | keyof PartnerTerms<never>>,
    Commands<ClientCallOptions>,
    PartnerEvents<TransportError, ClientReadOptions>,
    PartnerTerms<TransportError, ClientCallOptions, ClientReadOptions> {
  registerContractor(
    input: ContractorInput,
    options?: ClientCallOptions,
  ): Answer<'registerContractor'>;
  createDeal(input: DealInput, options?: ClientCallOptions): Answer<'createDeal'>;
  createDealV2(input: DealV2Input, options?: ClientCallOptions): Answer<'createDealV2'>;
  listCategories(options?: ClientReadOptions): Answer<'listCategories'>;
  retrieveDeal(id: number, options?: ClientReadOptions): Answer<'retrieveDeal'>;
  uploadFile(
    deal: DealReference,
    upload: ClientFileUpload,
    options?: ClientUploadOptions,
  ): Answer<'uploadFile'>;
  retrieveDealDetails(
    partner_id: string,
    options?: ClientReadOptions,
  ): Answer<'retrieveDealDetails'>;
  retrievePromises(options?: ClientReadOptions): Answer<'retrievePromises'>;
  listDeals(query?: DealListQuery, options?: ClientReadOptions): Answer<'listDeals'>;
  listWorkFiles(partner_id: string, options?: ClientReadOptions): Answer<'listWorkFiles'>;
  /** Here `timeout` is the time for each piece of the content; aborting ends its reading, too. */
  downloadWorkFile(
    partner_id: string,
    file_id: string,
    options?: ClientReadOptions,
  ): Answer<'downloadWorkFile'>;
}
