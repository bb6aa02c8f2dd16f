import type { AmendmentInput, SettlementInput } from '../deals/proposal-input.js';
import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits, readDecimal } from '../values/money.js';
import type { ProposalKind, ProposalStatus } from '../values/proposal-status.js';
import { withDescription, withoutDescription } from './kept-terms.js';
import type { Terms } from './terms.js';

/** A change of the terms of a deal that one side proposes to the other (decision 9.1). */
export interface Proposal {
  /** ULID. */
  readonly id: string;
  readonly kind: ProposalKind;
  /** Who called. */
  readonly by: 'partner' | 'freelancer';
  readonly status: ProposalStatus;
  /** As they were proposed; money has two decimals. */
  readonly changes: AmendmentInput | SettlementInput;
  /** The terms of the deal as they would be. */
  readonly terms: Terms;
  /** SHA-256 of the canonical JSON of `terms`: an acceptance carries it. */
  readonly terms_sha256: string;
  readonly message: string | null;
  /** The open proposal that this one has replaced. */
  readonly supersedes: string | null;
  /** RFC 3339, UTC, milliseconds, as all times. */
  readonly created_at: string;
  readonly expires_at: string;
  /** `null` of an open proposal. */
  readonly decided_at: string | null;
}

/** A proposal as the freelancer sees it: with what it would bring. */
export interface FreelancerProposal extends Proposal {
  /** The sum of the stages that would not be cancelled. */
  readonly gross: string;
  /** The contractor's fee of these terms. */
  readonly fee: string;
  readonly net: string;
}

/** The record of a proposal, as the deal keeps an open one. */
export type ProposalRow = Omit<Row<'proposal'>, 'partner_id'>;

type WithProposal = Pick<Row<'deal'>, 'proposal' | 'description'>;

/** The open proposal of a deal. */
export function openProposal({ proposal, description }: WithProposal): ProposalRow | undefined {
  if (proposal === null) return undefined;
  const row = JSON.parse(proposal) as ProposalRow;
  const own = () => (JSON.parse(row.changes) as AmendmentInput).description ?? description;
  return { ...row, terms: withDescription(row.terms, () => JSON.stringify(own())) };
}

/** An open proposal as its deal keeps it: the description is that of its changes, or of the deal. */
export function keptProposal(row: ProposalRow, terms: Terms): string {
  return JSON.stringify({ ...row, terms: withoutDescription(terms) });
}

/** A proposal as both sides and the operator see it. */
export function shownProposal(row: ProposalRow): Proposal {
  return {
    id: row.id,
    kind: row.kind,
    // no other actor proposes
    by: row.proposed_by as Proposal['by'],
    status: row.status,
    changes: JSON.parse(row.changes) as Proposal['changes'],
    terms: JSON.parse(row.terms) as Terms,
    terms_sha256: row.terms_sha256,
    message: row.message,
    supersedes: row.supersedes,
    created_at: row.created_at,
    expires_at: row.expires_at,
    decided_at: row.decided_at,
  };
}

/** A proposal as the freelancer sees it. */
export function offeredProposal(row: ProposalRow): FreelancerProposal {
  const shown = shownProposal(row);
  const gross = readDecimal(row.gross);
  return {
    ...shown,
    gross: row.gross,
    fee: row.contractor_fee,
    net: formatMoney(fromMinorUnits(gross - readDecimal(row.contractor_fee))),
  };
}

/** When the open proposal of a deal expires. */
export function proposalEnd(deal: WithProposal): string | null {
  return openProposal(deal)?.expires_at ?? null;
}
