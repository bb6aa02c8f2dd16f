import type { ResultAsync } from 'neverthrow';
import type { ProposalInput } from '../domain/deals/proposal-input.js';
import type { WorkFile } from '../domain/deals/work-file.js';
import type {
  CommandError,
  NotFound,
  RetrieveDealError,
  TimeLineError,
  Unavailable,
  UploadFileError,
} from '../domain/input/errors.js';
import type { FreelancerProposal } from '../domain/terms/proposal.js';
import type {
  DownloadedFile,
  FreelancerEventsPage,
  FreelancerView,
  ServicePromises,
} from './answers.js';
import type { OfferAcceptance, OfStage, Reasoned, Remarks } from './commands.js';
import type { CallOptions, EventPageQuery, FileUpload, ReadOptions } from './inputs.js';
import type {
  Acceptance,
  ListTermsError,
  ProposalRemark,
  ProposalsPage,
  TermsPage,
  TermsPageQuery,
} from './terms-api.js';
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
  accept(input?: OfferAcceptance, options?: CallOptions): OfferCommand<Transport>;
  /**
   * If no stage is submitted or approved, and no payout is being processed: POST
   * /api/2.0/offer/decline/
   */
  decline(input?: Remarks, options?: CallOptions): OfferCommand<Transport>;
  /** Each stage has a file; it counts as acceptance: POST /api/2.0/offer/deliver/ */
  deliver(input?: OfStage<OfferAcceptance>, options?: CallOptions): OfferCommand<Transport>;
  /** POST /api/2.0/offer/dispute/ */
  dispute(input: Reasoned, options?: CallOptions): OfferCommand<Transport>;
  /** Other terms, or to settle the deal: POST /api/2.0/offer/proposal/ */
  propose(input: ProposalInput, options?: CallOptions): OfferProposal<Transport>;
  /** POST /api/2.0/offer/proposal/{proposal_id}/accept/ */
  acceptProposal(
    proposal_id: string,
    input: Acceptance,
    options?: CallOptions,
  ): OfferProposal<Transport>;
  /** POST /api/2.0/offer/proposal/{proposal_id}/reject/ */
  rejectProposal(
    proposal_id: string,
    input?: ProposalRemark,
    options?: CallOptions,
  ): OfferProposal<Transport>;
  /** POST /api/2.0/offer/proposal/{proposal_id}/withdraw/ */
  withdrawProposal(
    proposal_id: string,
    input?: ProposalRemark,
    options?: CallOptions,
  ): OfferProposal<Transport>;
  /** The newest first: GET /api/2.0/offer/proposal/ */
  listProposals(
    query?: TermsPageQuery,
    options?: ReadOptions,
  ): ResultAsync<ProposalsPage<FreelancerProposal>, FreelancerError<ListTermsError> | Transport>;
  /** GET /api/2.0/offer/proposal/{proposal_id}/ */
  retrieveProposal(
    proposal_id: string,
    options?: ReadOptions,
  ): ResultAsync<FreelancerProposal, FreelancerError<RetrieveDealError> | Transport>;
  /** Every version of the terms, the oldest first: GET /api/2.0/offer/terms/ */
  listTerms(
    query?: TermsPageQuery,
    options?: ReadOptions,
  ): ResultAsync<TermsPage, FreelancerError<ListTermsError> | Transport>;
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
  /** What the service promises to this freelancer: GET /api/2.0/ */
  retrievePromises(
    options?: ReadOptions,
  ): ResultAsync<ServicePromises, FreelancerError<RetrieveDealError> | Transport>;
}

/** An error of a call by a payment token. */
export type FreelancerError<E> = E | Unauthorized;

type OfferProposal<Transport> = ResultAsync<
  FreelancerProposal,
  FreelancerError<CommandError> | Transport
>;

type OfferCommand<Transport> = ResultAsync<
  FreelancerView,
  FreelancerError<CommandError> | Transport
>;
