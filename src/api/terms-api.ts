import type { ResultAsync } from 'neverthrow';
import type { ProposalInput } from '../domain/deals/proposal-input.js';
import type {
  CommandError,
  ListDealsError,
  NotFound,
  RetrieveDealError,
} from '../domain/input/errors.js';
import type { Proposal } from '../domain/terms/proposal.js';
import type { TermsVersion } from '../domain/terms/terms.js';
import type { CallOptions, ReadOptions } from './inputs.js';

/** The wanted page of a list of proposals, or of versions of terms. */
export interface TermsPageQuery {
  /** 1 to 100; default 20. */
  readonly page_size?: number;
  /** `next` or `previous` of an earlier page. */
  readonly cursor?: string;
}

/** The acceptance of a proposal: consent is to exact terms. */
export interface Acceptance {
  /** `terms_sha256` of the proposal: with another one it is refused, reason `terms_changed`. */
  readonly terms_sha256: string;
  /** 1 to 2,000 characters. */
  readonly message?: string;
}

/** A remark to a decision about a proposal. */
export interface ProposalRemark {
  /** 1 to 2,000 characters. */
  readonly message?: string;
}

/** A page of the proposals of a deal, the newest first. */
export interface ProposalsPage<P extends Proposal = Proposal> {
  readonly results: readonly P[];
  /** The cursor of older proposals, or `null` if there are no more. */
  readonly next: string | null;
  /** The cursor of newer proposals; `null` on the first page. */
  readonly previous: string | null;
}

/** A page of the versions of the terms of a deal, the oldest first. */
export interface TermsPage {
  readonly results: readonly TermsVersion[];
  /** The cursor of later versions, or `null` if there are no more. */
  readonly next: string | null;
  /** The cursor of earlier versions; `null` on the first page. */
  readonly previous: string | null;
}

/** Reads of the proposals and the terms of a deal of a partner (decisions 9.6 and 9.11). */
export interface TermsReads<Transport, O = ReadOptions> {
  /** The newest first: GET /api/2.0/deal/{partner_id}/proposal/ */
  listProposals(
    partner_id: string,
    query?: TermsPageQuery,
    options?: O,
  ): ResultAsync<ProposalsPage, ListTermsError | Transport>;
  /** GET /api/2.0/deal/{partner_id}/proposal/{proposal_id}/ */
  retrieveProposal(
    partner_id: string,
    proposal_id: string,
    options?: O,
  ): ResultAsync<Proposal, RetrieveDealError | Transport>;
  /** Every version, the oldest first: GET /api/2.0/deal/{partner_id}/terms/ */
  listTerms(
    partner_id: string,
    query?: TermsPageQuery,
    options?: O,
  ): ResultAsync<TermsPage, ListTermsError | Transport>;
}

/** The proposals of a partner (decision 9). */
export interface PartnerTerms<Transport, O = CallOptions, R = ReadOptions>
  extends TermsReads<Transport, R> {
  /**
   * Proposes other terms, or to settle the deal. Of an offer that nobody has accepted, an amendment
   * takes effect at once: POST /api/2.0/deal/{partner_id}/proposal/
   */
  propose(
    partner_id: string,
    input: ProposalInput,
    options?: O,
  ): ResultAsync<Proposal, CommandError | Transport>;
  /** POST /api/2.0/deal/{partner_id}/proposal/{proposal_id}/accept/ */
  acceptProposal(
    partner_id: string,
    proposal_id: string,
    input: Acceptance,
    options?: O,
  ): ResultAsync<Proposal, CommandError | Transport>;
  /** POST /api/2.0/deal/{partner_id}/proposal/{proposal_id}/reject/ */
  rejectProposal(
    partner_id: string,
    proposal_id: string,
    input?: ProposalRemark,
    options?: O,
  ): ResultAsync<Proposal, CommandError | Transport>;
  /** POST /api/2.0/deal/{partner_id}/proposal/{proposal_id}/withdraw/ */
  withdrawProposal(
    partner_id: string,
    proposal_id: string,
    input?: ProposalRemark,
    options?: O,
  ): ResultAsync<Proposal, CommandError | Transport>;
}

/** The errors of a list of proposals, or of versions of terms. */
export type ListTermsError = ListDealsError | NotFound;
