import type { ResultAsync } from 'neverthrow';
import type { WorkFile } from '../domain/deals/work-file.js';
import type {
  CommandError,
  NotFound,
  RetrieveDealError,
  TimeLineError,
  Unavailable,
  UploadFileError,
} from '../domain/input/errors.js';
import type { DownloadedFile, FreelancerEventsPage, FreelancerView } from './answers.js';
import type { OfStage, Reasoned, Remarks } from './commands.js';
import type { CallOptions, EventPageQuery, FileUpload, ReadOptions } from './inputs.js';
import type { TransportError, Unauthorized } from './transport-errors.js';

/**
 * The calls of the holder of a payment token, for the one deal that has it (decision 6.5). A token
 * that no deal has, or that has expired, is `unauthorized`.
 */
export interface FreelancerApi<Transport = TransportError> {
  /** GET /api/2.0/offer/ */
  view(
    options?: ReadOptions,
  ): ResultAsync<FreelancerView, FreelancerError<RetrieveDealError> | Transport>;
  /** The events of the deal, the oldest first: GET /api/2.0/offer/event/ */
  listEvents(
    query?: EventPageQuery,
    options?: ReadOptions,
  ): ResultAsync<FreelancerEventsPage, FreelancerError<TimeLineError> | Transport>;
  /** POST /api/2.0/offer/accept/ */
  accept(input?: Remarks, options?: CallOptions): OfferCommand<Transport>;
  /** If nothing is paid and no work was delivered: POST /api/2.0/offer/decline/ */
  decline(input?: Remarks, options?: CallOptions): OfferCommand<Transport>;
  /** Each stage has a file; it counts as acceptance: POST /api/2.0/offer/deliver/ */
  deliver(input?: OfStage, options?: CallOptions): OfferCommand<Transport>;
  /** POST /api/2.0/offer/dispute/ */
  dispute(input: Reasoned, options?: CallOptions): OfferCommand<Transport>;
  /** POST /api/2.0/offer/file/ */
  uploadFile(
    upload: FileUpload,
    options?: CallOptions,
  ): ResultAsync<WorkFile, FreelancerError<UploadFileError> | Transport>;
  /** GET /api/2.0/offer/file/ */
  listFiles(
    options?: ReadOptions,
  ): ResultAsync<readonly WorkFile[], FreelancerError<RetrieveDealError> | Transport>;
  /** GET /api/2.0/offer/file/{file_id}/ */
  downloadFile(
    file_id: string,
    options?: ReadOptions,
  ): ResultAsync<DownloadedFile, FreelancerError<NotFound | Unavailable> | Transport>;
}

/** An error of a call by a payment token. */
export type FreelancerError<E> = E | Unauthorized;

type OfferCommand<Transport> = ResultAsync<
  FreelancerView,
  FreelancerError<CommandError> | Transport
>;
