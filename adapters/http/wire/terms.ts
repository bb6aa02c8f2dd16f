import type {
  Acceptance,
  Bonus,
  FreelancerProposal,
  Proposal,
  ProposalInput,
  ProposalRemark,
  ProposalsPage,
  Terms,
  TermsPage,
  TermsPageQuery,
  TermsStage,
  TermsVersion,
} from 'dealwright';
import type { WireErrorCode } from './problem.js';
import { commandErrors, listErrors, type Members, type MembersOf } from './route.js';
import type { AnyShape, Shape } from './shape.js';

export const termsStage: Shape<TermsStage> = {
  id: 'id or null',
  name: 'text',
  budget: 'money',
  work_days: 'integer or null',
};

export const terms: Shape<Terms> = {
  version: 'integer',
  title: 'text',
  description: 'text',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'copyright transfer or null',
  stages: [termsStage],
  agreed_amount: 'money or nothing',
};

export const termsVersion: Shape<TermsVersion> = {
  terms_version: 'integer',
  terms,
  terms_sha256: 'digest',
  kind: 'terms kind',
  proposal_id: 'ulid or null',
  proposed_by: 'actor',
  accepted_by: 'actor or null',
  at: 'time',
};

export const proposal: Shape<Proposal> = {
  id: 'ulid',
  kind: 'proposal kind',
  by: 'side',
  status: 'proposal status',
  changes: 'changes',
  terms,
  terms_sha256: 'digest',
  message: 'text or null',
  supersedes: 'ulid or null',
  created_at: 'time',
  expires_at: 'time',
  decided_at: 'time or null',
};

export const freelancerProposal: Shape<FreelancerProposal> = {
  ...proposal,
  gross: 'money',
  fee: 'money',
  net: 'money',
};

const pageOf = <S extends AnyShape>(shape: S) =>
  ({
    results: [shape],
    next: 'page cursor or null',
    previous: 'page cursor or null',
  }) as const;

export const proposalsPage: Shape<ProposalsPage> = pageOf(proposal);
export const freelancerProposalsPage: Shape<ProposalsPage<FreelancerProposal>> =
  pageOf(freelancerProposal);
export const termsPage: Shape<TermsPage> = pageOf(termsVersion);

const pageMembers: MembersOf<TermsPageQuery> = { page_size: true, cursor: true };
export const proposalMembers: MembersOf<ProposalInput> = {
  kind: true,
  changes: true,
  message: true,
};
const acceptanceMembers: MembersOf<Acceptance> = { terms_sha256: true, message: true };
const remarkMembers: MembersOf<ProposalRemark> = { message: true };
export const bonusMembers: MembersOf<Bonus> = { amount: true, message: true };

/** A new proposal for the deal at this place; `one` is the shape of a proposal there. */
export const proposeRow = (place: string, one: AnyShape) =>
  ({
    path: `${place}proposal/`,
    input: 'body',
    answer: one,
    members: proposalMembers,
    errors: commandErrors,
  }) as const;

/** What a decision about a proposal takes, and its errors. */
interface DecisionInput {
  readonly members: Members;
  readonly errors: readonly WireErrorCode[];
}

export const acceptanceInput: DecisionInput = { members: acceptanceMembers, errors: commandErrors };
/** Nothing but the state of the proposal is in its way. */
const remarkInput: DecisionInput = { members: remarkMembers, errors: ['illegal_transition'] };

/** A decision about a proposal. */
export const decisionRow = (
  place: string,
  decision: string,
  { members, errors }: DecisionInput,
  one: AnyShape,
) =>
  ({
    path: `${place}proposal/{proposal_id}/${decision}/`,
    input: 'command',
    answer: one,
    members,
    errors,
  }) as const;

/** What a side of a deal does with proposals. */
export const proposalRows = (place: string, one: AnyShape) => ({
  propose: proposeRow(place, one),
  acceptProposal: decisionRow(place, 'accept', acceptanceInput, one),
  rejectProposal: decisionRow(place, 'reject', remarkInput, one),
  withdrawProposal: decisionRow(place, 'withdraw', remarkInput, one),
});

/** The proposals and the terms of the deal at this place. */
export const termsReads = (place: string, one: AnyShape, page: AnyShape) => {
  const list = { input: 'query', members: pageMembers, errors: listErrors } as const;
  return {
    listProposals: { ...list, path: `${place}proposal/`, answer: page },
    retrieveProposal: {
      path: `${place}proposal/{proposal_id}/`,
      input: 'nothing',
      answer: one,
    },
    listTerms: { ...list, path: `${place}terms/`, answer: termsPage },
  } as const;
};
