import { type ShownDeal, shownDeal } from '../deals/deal.js';
import { type WorkFile, workFileOf } from '../deals/work-file.js';
import { type Attention, attentionOf, type Billing, billingOf } from '../payments/billing.js';
import type { DealState } from '../payments/draft.js';
import { openProposal, type Proposal, shownProposal } from '../terms/proposal.js';
import { versionOf } from '../terms/terms.js';
import type { StageStatus } from '../values/status.js';
import { reviewEnd, shownDue } from './deadlines.js';
import type { Legal } from './legal.js';

/** A stage of a deal, with the files that were uploaded for it. */
export interface ShownStage {
  readonly id: number;
  readonly name: string;
  /** Decimal string with two decimals. */
  readonly budget: string;
  /** `null` if the stage sets none, as the first one of a deal of version 2.0 and a bonus. */
  readonly work_days: number | null;
  readonly status: StageStatus;
  /** The day by which its work is due (UTC), `null` if none is due. */
  readonly due_on: string | null;
  /** The moment by which its work is due (RFC 3339, UTC): `due_on` is its day. */
  readonly due_at: string | null;
  /** When it is approved if nobody answers (RFC 3339, UTC), `null` if it does not wait for that. */
  readonly review_ends_at: string | null;
  /** The part of the budget that a settlement or the end of a dispute has left, else `null`. */
  readonly agreed_amount: string | null;
  readonly work_files: readonly WorkFile[];
}

/** The stages of a deal as every face shows them. */
export function shownStages({
  deal,
  stage,
  work_file,
}: Pick<DealState, 'deal' | 'stage' | 'work_file'>): readonly ShownStage[] {
  // no deadline passes in a dispute
  const isDisputed = deal.status === 'disputed';
  return stage.map((each) => {
    const due_at = shownDue(each);
    return {
      id: each.id,
      name: each.name,
      budget: each.budget,
      work_days: each.work_days,
      status: each.status,
      due_on: due_at?.slice(0, 10) ?? null,
      due_at,
      review_ends_at: isDisputed ? null : reviewEnd(each),
      agreed_amount: each.agreed_amount,
      work_files: work_file.filter(({ stage_id }) => stage_id === each.id).map(workFileOf),
    };
  });
}

/** The kinds of records in the details of a deal. */
export const shownParts = [
  'stage',
  'work_file',
  'employer_payment',
  'contractor_payment',
  'posting',
] as const;
export type ShownParts = (typeof shownParts)[number];

/**
 * The records in the details of a deal. Intents are read only for a deal that needs the operator.
 */
export type Shown = Pick<DealState, 'deal' | ShownParts> & Partial<Pick<DealState, 'intent'>>;

/** The members of every view of a deal that tell how it goes on. */
export interface Outlook extends Legal {
  /** When the offer ends (RFC 3339, UTC); `null` once the deal is not `created` any more. */
  readonly expires_at: string | null;
  /** The name that the host has for the partner, else `null`. */
  readonly partner_name: string | null;
}

/**
 * A deal of either version under the names of version 2.0 (interface, Retrieve deal details;
 * decision 4). Fields that version 1.0 does not have are `null`. `amount` has two decimals, the
 * payment token is a secret, and `created_at` is RFC 3339 in UTC with milliseconds.
 */
export interface DealDetails extends ShownDeal, Outlook {
  readonly stages: readonly ShownStage[];
  readonly billing: Billing;
  /** Which of its money needs the operator. */
  readonly attention: readonly Attention[];
  readonly terms_version: number;
  /** SHA-256 of the canonical JSON of the terms; `null` for version 1. */
  readonly terms_sha256: string | null;
  /** The open proposal, or `null`. */
  readonly proposal: Proposal | null;
}

/** The details of a deal that its records say. */
export type RecordedDetails = Omit<DealDetails, keyof Outlook>;

/** A deal of either version as its records say. */
export function dealDetails(state: Shown): RecordedDetails {
  const details = shownDeal(state.deal) as {
    -readonly [K in keyof RecordedDetails]: RecordedDetails[K];
  };
  // one by one: `Object.assign` takes longer
  details.stages = shownStages(state);
  details.billing = billingOf(state);
  const { deal, intent = [] } = state;
  details.attention = deal.attention === null ? [] : attentionOf({ ...state, intent });
  details.terms_version = versionOf(deal);
  details.terms_sha256 = deal.terms_sha256;
  const open = openProposal(deal);
  details.proposal = open ? shownProposal(open) : null;
  return details;
}
