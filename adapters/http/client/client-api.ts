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
  ReadOptions,
  TransportError,
} from 'dealwright';
import type { AbortSignalLike, BlobLike, StreamLike } from './fetch-like.js';

/** What a call of the client may say besides that it is a `PartnerApi`. */
export interface ClientReadOptions extends ReadOptions {
  /** Aborts the request that is under way, or the pause before the next attempt (error `aborted`). */
  readonly signal?: AbortSignalLike;
  /** Milliseconds that an attempt of this call has; default: the client's. */
  readonly timeout?: number;
}

/** The same of a call that changes something; `makeKeys` says who makes the idempotency key. */
export interface ClientCallOptions extends CallOptions, ClientReadOptions {}

/** How much of a file has left. */
export interface UploadProgress {
  /** Bytes of the content; an attempt that is made again begins at 0 again. */
  readonly sent: number;
  /** Bytes, where it is known before the end: of everything but a stream. */
  readonly total?: number;
}

/** The same of an upload. */
export interface ClientUploadOptions extends ClientCallOptions {
  /** Told as bytes leave; in a browser, before and after. What it throws does no harm. */
  readonly onProgress?: (progress: UploadProgress) => unknown;
}

/**
 * A file to be uploaded by the client: its content may be a `Blob`, a `File` or a `ReadableStream`
 * of bytes, too. A stream or an iterable can be read once only, so that its upload is not sent again
 * once any of it was read.
 */
export interface ClientFileUpload extends Omit<FileUpload, 'content'> {
  readonly content: FileContent | BlobLike | StreamLike;
}

/** One attempt, as `onExchange` is told of it: nothing in it is secret or somebody's own. */
export interface ExchangeReport {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path of the interface, without what is put into it. */
  readonly route: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Of the answer, where there is one. */
  readonly status?: number;
  /** Why there is none. */
  readonly failure?: string;
  /** `X-Request-Id` of the answer, to be named to who runs the service. */
  readonly request_id?: string;
}

type Answer<K extends keyof PartnerApi> = ReturnType<PartnerApi[K]>;

type Commands<O> = PartnerCommands<DealDetails, TransportError, O>;

/** A `PartnerApi` over HTTP, with what only a wire needs: aborting, time-outs, progress. */
export interface DealwrightClient
  extends Omit<PartnerApi, keyof Commands<never> | keyof PartnerEvents>,
    Commands<ClientCallOptions>,
    PartnerEvents<TransportError, ClientReadOptions> {
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
  listDeals(query?: DealListQuery, options?: ClientReadOptions): Answer<'listDeals'>;
  listWorkFiles(partner_id: string, options?: ClientReadOptions): Answer<'listWorkFiles'>;
  /** The `timeout` is then that of each piece of the content; aborting ends its reading, too. */
  downloadWorkFile(
    partner_id: string,
    file_id: string,
    options?: ClientReadOptions,
  ): Answer<'downloadWorkFile'>;
}
