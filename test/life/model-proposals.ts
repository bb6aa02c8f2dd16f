import { resolveStages, unresolvable } from './model-moves.js';
import type { Wish } from './model-rules.js';
import { isWorking, type Model, net, type Proposal, type Stage } from './model-state.js';
import {
  addVersion,
  carryOutPlan,
  hashOf,
  isChanged,
  type Plan,
  planOf,
  renewFees,
  termsAs,
  termsOf,
} from './model-terms.js';
import { day, largest, money } from './states.js';

/** The commands about proposals; `propose` has none yet. */
export const proposalCommands = [
  'propose',
  'accept-proposal',
  'reject-proposal',
  'withdraw-proposal',
] as const;
const ends: Readonly<Record<string, string>> = {
  'accept-proposal': 'accepted',
  'reject-proposal': 'rejected',
  'withdraw-proposal': 'withdrawn',
};
export const isAboutProposals = ({ name }: Wish): boolean =>
  proposalCommands.some((each) => each === name);

const isSettlement = (proposal: Pick<Proposal, 'changes'>) => typeof proposal.changes === 'bigint';
export const openProposal = ({ proposals }: Model): Proposal | undefined =>
  proposals.find(({ status }) => status === 'open');

/** The state of a proposal: the clock ends it, also where no timer has run (9.2). */
export const statusAt = ({ status, expiresAt }: Proposal, now: number): string =>
  status === 'open' && expiresAt <= now ? 'expired' : status;

/** The states of a deal in which such a proposal is made and accepted (9.3). */
const isTimely = (model: Model, of: Pick<Proposal, 'changes'>): boolean =>
  isWorking(model) || model.status === (isSettlement(of) ? 'disputed' : 'created');

/** The other side answers, the own side withdraws; in 1.0 the partner does both (9.2). */
function isOnSide({ shape }: Model, { name, actor }: Wish, { by }: Proposal): boolean {
  if (actor !== 'partner' && actor !== 'freelancer') return false;
  if (shape.version === '1.0' && actor === 'partner') return true;
  return (actor === by) === (name === 'withdraw-proposal');
}

/** Says whether a command about a proposal is a repeat, illegal, or neither. */
export function standing(model: Model, wish: Wish, now: number): 'repeat' | 'illegal' | undefined {
  if (wish.name === 'propose') {
    const isAble = wish.actor === 'partner' || wish.actor === 'freelancer';
    const isLegal = isAble && isTimely(model, { changes: wish.changes ?? {} });
    return isLegal ? undefined : 'illegal';
  }
  const proposal = model.proposals[wish.proposal ?? -1];
  if (proposal === undefined || !isOnSide(model, wish, proposal)) return 'illegal';
  const status = statusAt(proposal, now);
  if (status === ends[wish.name]) return 'repeat';
  const isAccepting = wish.name === 'accept-proposal';
  return status === 'open' && (!isAccepting || isTimely(model, proposal)) ? undefined : 'illegal';
}

/** Ends the open proposal, if there is one. */
export function closeProposal(model: Model, status: string, now: number, events: string[]): void {
  const open = openProposal(model);
  if (open === undefined) return;
  open.status = statusAt(open, now) === 'expired' ? 'expired' : status;
  open.decidedAt = now;
  // 10.14: three days are left of an offer
  if (model.expiresAt !== null) {
    model.expiresAt = Math.max(model.expiresAt, Math.min(now, open.expiresAt) + 3 * day);
  }
  events.push(`proposal.${open.status}`);
}

/** 10.16: whether the open proposal is about one of these stages. */
export function isSubject(model: Model, stages: readonly Stage[]): boolean {
  const { changes } = openProposal(model) ?? {};
  if (changes === undefined) return false;
  if (typeof changes === 'bigint') return true;
  const { plan } = planOf(model, changes);
  return stages.some((each) => isChanged(each, plan));
}

/** Why a proposal cannot be carried out as the deal is now. */
const problemsOf = (model: Model, changes: Proposal['changes']): string[] =>
  typeof changes === 'bigint' ? unresolvable(model, changes) : planOf(model, changes).reasons;

/** What only a freelancer can consent to, where the partner gives both sides' commands (9.2). */
function needsConsent(model: Model, { by, changes }: Proposal, { actor }: Wish): boolean {
  if (actor !== 'partner' || by !== 'partner') return false;
  if (typeof changes === 'bigint') return true;
  const { plan } = planOf(model, changes);
  return (
    (plan.amount < model.amount && plan.amount < net(model)) ||
    model.stages.some(
      (each) => /^(submitted|changes_requested)$/.test(each.status) && isChanged(each, plan),
    )
  );
}

/** Carries out a command about a proposal; returns the reasons of a refusal. */
export function decideProposal(
  model: Model,
  wish: Wish,
  now: number,
  events: string[],
  accept: () => void,
): string[] {
  if (wish.name === 'propose') return propose(model, wish, now, events);
  const at = wish.proposal ?? -1;
  const proposal = model.proposals[at] as Proposal;
  if (wish.name !== 'accept-proposal') {
    closeProposal(model, ends[wish.name] ?? '', now, events);
    return [];
  }
  const { changes, by } = proposal;
  const reasons = problemsOf(model, changes);
  if (wish.hash !== 'right') reasons.push('terms_changed');
  if (needsConsent(model, proposal, wish)) reasons.push('consent_needed');
  if (reasons.length > 0) return reasons;
  closeProposal(model, 'accepted', now, events);
  const isOffer = model.status === 'created';
  const version = { by, proposal: at, acceptedBy: isOffer ? null : wish.actor };
  takeEffect(model, changes, version, now, events);
  // nobody accepted the deal before: this does
  if (isOffer) accept();
  return [];
}

function propose(model: Model, wish: Wish, now: number, events: string[]): string[] {
  const { actor, changes = {} } = wish;
  const reasons = problemsOf(model, changes);
  if (model.proposals.filter(({ by }) => by === actor).length >= 500) reasons.push('too_many');
  if (reasons.length > 0) return reasons;
  const open = openProposal(model);
  const isStill = open !== undefined && statusAt(open, now) === 'open';
  closeProposal(model, 'superseded', now, events);
  const at = model.proposals.length;
  model.proposals.push({
    ...{ by: actor, changes, hash: hashOf(proposedTerms(model, changes)), status: 'open' },
    supersedes: isStill ? model.proposals.indexOf(open) : null,
    ...{ at: now, expiresAt: now + 14 * day, decidedAt: null },
  });
  events.push('proposal.created');
  // nobody has agreed to anything yet
  if (model.status === 'created' && actor === 'partner') {
    closeProposal(model, 'accepted', now, events);
    takeEffect(model, changes, { by: actor, proposal: at, acceptedBy: null }, now, events);
  }
  return [];
}

function proposedTerms(model: Model, changes: Proposal['changes']) {
  const version = model.versions.length + 1;
  if (typeof changes !== 'bigint') return termsAs(planOf(model, changes).plan, version);
  return { ...termsOf(model, version), agreed_amount: money(changes) };
}

type Source = Pick<Parameters<typeof addVersion>[1], 'by' | 'proposal' | 'acceptedBy'>;

function takeEffect(
  model: Model,
  changes: Proposal['changes'],
  of: Source,
  now: number,
  events: string[],
): void {
  const terms = proposedTerms(model, changes);
  if (typeof changes === 'bigint') {
    addVersion(model, { ...of, kind: 'settlement' }, now, terms);
    events.push('deal.settled');
    resolveStages(model, changes, events);
  } else {
    const plan: Plan = planOf(model, changes).plan;
    addVersion(model, { ...of, kind: 'amendment' }, now, terms);
    carryOutPlan(model, plan, now);
    events.push('deal.amended');
    // 10.14: an offer that is changed is a new one
    if (model.expiresAt !== null) model.expiresAt = now + 30 * day;
    model.isExpiryTold = false;
  }
  renewFees(model);
}

/** 9.9: a bonus is a stage that is approved at once. */
export function addBonus(model: Model, wish: Wish, now: number, events: string[]): string[] {
  const { bonus = 0n } = wish;
  const reasons: string[] = [];
  const stages = model.stages.filter(({ status }) => status !== 'cancelled');
  if (stages.length >= 100 || model.stages.length >= 1_000) reasons.push('too_many');
  if (model.amount + bonus > largest) reasons.push('amount_out_of_bounds');
  if (reasons.length > 0) return reasons;
  closeProposal(model, 'superseded', now, events);
  model.amount += bonus;
  model.stages.push({
    ...{ id: 0, name: 'Bonus', budget: bonus, workDays: null, isBonus: true, agreed: null },
    ...{
      status: 'approved',
      submittedAt: null,
      isReviewTold: false,
      startedAt: null,
      touchedAt: null,
      told: null,
    },
  });
  const of = { kind: 'bonus', by: 'partner', proposal: null, acceptedBy: 'partner' };
  addVersion(model, of, now);
  renewFees(model);
  events.push('deal.bonus_added');
  return [];
}
