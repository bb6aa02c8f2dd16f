import type { Amendment, ProposalTerms } from '../deals/proposal-input.js';
import { createDraft, type DealState, type Draft, dealEvent } from '../payments/draft.js';
import { minorUnits } from '../payments/ledger.js';
import type { ProposalStatus } from '../values/proposal-status.js';
import { amend } from './amend.js';
import { openProposal, type ProposalRow } from './proposal.js';

/** Emits an event of a proposal. */
export function proposalEvent(
  draft: Draft,
  { id: proposal_id, kind, proposed_by: by, terms_sha256 }: ProposalRow,
  what: ProposalStatus | 'created',
  message?: string | null,
): void {
  const data = { proposal_id, kind, by, terms_sha256 };
  dealEvent(draft, `proposal.${what}`, { ...data, ...(message != null && { message }) });
}

/** Ends the open proposal, and returns it as it is kept. */
export function closeProposal(
  draft: Draft,
  open: ProposalRow,
  status: ProposalStatus,
  message?: string,
): ProposalRow {
  const closed = { ...open, status, decided_at: draft.now };
  draft.note('proposal', closed);
  draft.change('deal', draft.state.deal, { proposal: null });
  proposalEvent(draft, closed, status, message);
  return closed;
}

/**
 * Ends the open proposal, if there is one: something else has come in its place. One whose time was
 * over before has expired, though no timer has run.
 */
export function supersede(draft: Draft): ProposalRow | undefined {
  const open = openProposal(draft.state.deal);
  if (open === undefined) return undefined;
  const isOver = open.expires_at <= draft.now;
  const closed = closeProposal(draft, open, isOver ? 'expired' : 'superseded');
  return isOver ? undefined : closed;
}

/** Ends the open proposal, whose time is over. */
export function expireProposal(draft: Draft): undefined {
  const open = openProposal(draft.state.deal);
  if (open !== undefined) closeProposal(draft, open, 'expired');
}

/** The stages that a decision has added or changed. */
export function changedStages({ before, state }: Draft): readonly number[] {
  const known = new Map(before.stage.map((each) => [each.id, each]));
  return state.stage.filter((each) => known.get(each.id) !== each).map(({ id }) => id);
}

/** The terms that a proposal was sent with. */
export function readInput({ kind, changes }: Pick<ProposalRow, 'kind' | 'changes'>): ProposalTerms {
  const given = JSON.parse(changes);
  const money = (text: string | undefined) => text !== undefined && { amount: minorUnits(text) };
  if (kind === 'settlement') {
    return { kind, changes: { agreed_amount: minorUnits(given.agreed_amount) } };
  }
  const stages = given.stages?.map((each: { readonly budget?: string }) => ({
    ...each,
    ...(each.budget !== undefined && { budget: minorUnits(each.budget) }),
  }));
  return {
    kind,
    changes: { ...given, ...money(given.amount), ...(stages !== undefined && { stages }) },
  };
}

/** A deal as an amendment would leave it; nothing of it is written. */
export function amended(state: DealState, changes: Amendment): Draft {
  const draft = createDraft(state, { now: '', newId: () => '' });
  amend(draft, changes);
  return draft;
}

/**
 * Ends the open proposal if one of these stages, which have moved, is its subject: whoever consents
 * does so to the work as it stands (decision 10.16).
 */
export function supersedeMoved(draft: Draft, moved: readonly number[]): void {
  const open = openProposal(draft.before.deal);
  if (open === undefined) return;
  const { kind, changes } = readInput(open);
  const touched = kind === 'settlement' ? moved : changedStages(amended(draft.before, changes));
  if (touched.some((id) => moved.includes(id))) supersede(draft);
}
