import { countDays, isPaidForWork, overdue, untold } from './model-due.js';
import {
  askForLess,
  askForMore,
  endRequests,
  expireRequests,
  reportIncoming,
  reportPayout,
} from './model-money.js';
import { approve, markFiles, resolveStages, unresolvable } from './model-moves.js';
import { settlePayouts } from './model-plan.js';
import {
  addBonus,
  closeProposal,
  decideProposal,
  isAboutProposals,
  isSubject,
  openProposal,
  standing,
} from './model-proposals.js';
import { coverRefunds, earlier, lessenRefunds, refundFall, refundLate } from './model-refunds.js';
import { concerned, isLegal, isRepeat, mayGive, moves, type Wish } from './model-rules.js';
import {
  deadlineOf,
  due,
  expiryNotice,
  isBroken,
  isFinal,
  isOpen,
  isWorking,
  type Model,
  net,
  offerEnd,
  owed,
  price,
  processing,
  reviewNotice,
  type Stage,
} from './model-state.js';
import { sendBack, writeOff } from './model-surplus.js';
import { renewFees } from './model-terms.js';
import { isTooFine } from './model-units.js';
import { day } from './states.js';

/** `repeat` changes nothing; a refusal has a reason, or one of several that the decisions allow. */
export type Answer =
  | { readonly kind: 'done'; readonly events: readonly string[] }
  | { readonly kind: 'repeat' | 'illegal' }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] };

const illegal: Answer = { kind: 'illegal' };
const repeat: Answer = { kind: 'repeat' };
const refused = (...reasons: string[]): Answer => ({ kind: 'refused', reasons });

/** Gives a command: changes the model, or returns a refusal. */
export function give(model: Model, wish: Wish, now: number): Answer {
  // form (400) goes before the state (409)
  if (isTooFine(model, wish)) return refused('too_fine');
  if (isAboutProposals(wish)) {
    if (wish.name !== 'propose' && model.proposals[wish.proposal ?? -1] === undefined) {
      return refused('not_found');
    }
    const kind = standing(model, wish, now);
    if (kind !== undefined) return { kind };
  } else {
    if (!mayGive(model, wish)) return illegal;
    if (isRepeat(model, wish)) return repeat;
    if (!isLegal(model, wish)) return illegal;
  }
  const before = { status: model.status, due: due(model), ...earlier(model) };
  const events: string[] = [];
  const refusal = carryOut(model, wish, now, events);
  if (refusal !== undefined) return refusal;
  const isSettled = events.includes('deal.settled') || wish.name === 'resolve';
  const isAmended = events.includes('deal.amended');
  const isFall = isAmended && owed(model) < before.owed;
  if (!isFinal(model)) lessenRefunds(model, before);
  settle(model, before.status, events);
  coverRefunds(model);
  if (isAmended || wish.name === 'write-off') {
    askForLess(model, now, events, wish.name === 'write-off');
  }
  // a dispute has cancelled the requests before it, so all is requested again
  const isAsking = !/^(request-payment|record-|retry-|write-off|refund-surplus)/.test(wish.name);
  if (isAsking && !isFinal(model)) {
    askForMore(model, isSettled ? undefined : before.due, now, events);
  }
  if (isFall) refundFall(model);
  refundLate(model);
  if (isFinal(model) || wish.name === 'resolve') closeProposal(model, 'superseded', now, events);
  countDays(model, now);
  return { kind: 'done', events };
}

function carryOut(model: Model, wish: Wish, now: number, events: string[]): Answer | undefined {
  const end = (status: string, freelancer: string, event: string): undefined => {
    model.status = status;
    model.freelancer = freelancer;
    for (const each of model.stages) if (each.status !== 'paid') each.status = 'cancelled';
    events.push(event);
  };
  const accept = () => {
    model.status = 'accepted';
    model.acceptedBy = wish.actor;
    model.freelancer = 'accepted';
    events.push('deal.accepted');
  };
  switch (wish.name) {
    case 'invite':
      model.freelancer = 'invited';
      events.push('deal.invited');
      return undefined;
    case 'accept':
      if (!isAgreed(model, wish)) return refused('terms_changed');
      accept();
      return undefined;
    case 'propose':
    case 'accept-proposal':
    case 'reject-proposal':
    case 'withdraw-proposal': {
      const reasons = decideProposal(model, wish, now, events, accept);
      return reasons.length > 0 ? refused(...reasons) : undefined;
    }
    case 'expire-proposal':
      if ((openProposal(model)?.expiresAt ?? Infinity) > now) return refused('not_due');
      closeProposal(model, 'expired', now, events);
      return undefined;
    case 'add-bonus': {
      const reasons = addBonus(model, wish, now, events);
      return reasons.length > 0 ? refused(...reasons) : undefined;
    }
    case 'tell-overdue': {
      const late = untold(model, now);
      if (late.length === 0) return refused('not_due');
      for (const each of late) each.told = deadlineOf(model, each);
      events.push('deal.overdue');
      return undefined;
    }
    case 'tell-expiry':
      if ((expiryNotice(model) ?? Infinity) > now) return refused('not_due');
      model.isExpiryTold = true;
      events.push('deal.expires_soon');
      return undefined;
    case 'tell-review-end': {
      const ending = model.stages.filter((each) => (reviewNotice(each) ?? Infinity) <= now);
      if (ending.length === 0) return refused('not_due');
      for (const each of ending) each.isReviewTold = true;
      events.push('deal.review_ends_soon');
      return undefined;
    }
    case 'decline':
    case 'cancel': {
      const reasons: string[] = [];
      const isLate = wish.name === 'cancel' && wish.actor !== 'operator' && needsDelay(model);
      const isWaiting = wish.actor === 'operator' || wish.name === 'decline' || isLate;
      if (isWaiting && processing(model) > 0n) reasons.push('payout_processing');
      if (isLate && overdue(model, now, 7).length === 0) {
        const isAhead = model.status !== 'changes_requested' && overdue(model, now).length === 0;
        reasons.push(isAhead ? 'already_paid' : 'not_overdue');
      }
      if (wish.actor !== 'operator' && model.stages.some(isDelivered)) {
        reasons.push('work_delivered');
      }
      if (reasons.length > 0) return refused(...reasons);
      if (wish.name === 'decline') return end('cancelled', 'declined', 'deal.declined');
      return end('cancelled', 'removed', 'deal.cancelled');
    }
    case 'expire':
      if ((offerEnd(model) ?? Infinity) > now) return refused('not_due');
      return end('expired', 'expired', 'deal.expired');
    case 'dispute':
      if (model.status === 'accepted' && net(model) <= 0n) return refused('not_paid');
      model.status = 'disputed';
      events.push('deal.disputed');
      return undefined;
    case 'resolve':
      return resolve(model, wish.agreed ?? 0n, events);
    case 'request-payment': {
      const before = model.incoming.length;
      askForMore(model, undefined, now, events);
      return model.incoming.length === before ? refused('nothing_outstanding') : undefined;
    }
    case 'expire-payment': {
      const isOld = ({ since }: { since: number }) => since + 14 * day <= now;
      if (!model.incoming.some((each) => isOpen(each) && isOld(each))) return refused('not_due');
      expireRequests(model, events, isOld);
      return undefined;
    }
    case 'retry-payout': {
      const those = model.payouts.filter((_, index) => (wish.payout ?? index) === index);
      if (!those.some(isBroken)) {
        return refused(
          those.length === 0 && wish.payout !== undefined ? 'unknown_payment' : 'nothing_to_retry',
        );
      }
      for (const each of those.filter(isBroken)) {
        each.status = 'scheduled';
        each.retries += 1;
        events.push('contractor_payment.scheduled');
      }
      return undefined;
    }
    case 'retry-refund':
      // the intents are checked separately; from now on it is to be refunded again
      if (wish.isRefundFailed !== true) return refused('nothing_to_retry', 'repeat');
      model.refunds.push(...model.failed.splice(0));
      events.push('employer_payment.refund_retried');
      return undefined;
    case 'write-off':
    case 'refund-surplus': {
      const reason =
        wish.name === 'write-off' ? writeOff(model, wish.amount ?? 1n, events) : sendBack(model);
      return reason === undefined ? undefined : refused(reason);
    }
    case 'record-employer-payment':
    case 'record-contractor-payment': {
      if (wish.report === undefined) return refused('required');
      if (wish.report.status === 'voided' && wish.actor !== 'operator')
        return refused('not_allowed');
      const problem =
        wish.name === 'record-employer-payment'
          ? reportIncoming(model, wish.report, now, events)
          : reportPayout(model, wish.report, events);
      return problem === undefined ? undefined : refused(problem);
    }
    default:
      return moveStages(model, wish, now, events, accept);
  }
}

const isDelivered = ({ status, isBonus }: Stage) =>
  !isBonus && (status === 'submitted' || status === 'approved');

/** 6.2: once something is paid, or work was sent back, a partner cancels only what is overdue. */
const needsDelay = (model: Model) => model.status === 'changes_requested' || net(model) > 0n;

/** 9.5: whoever accepts a deal that was changed says which terms. */
const isAgreed = ({ versions }: Model, { hash }: Wish) =>
  hash === 'right' || (hash === undefined && versions.length === 1);

function moveStages(
  model: Model,
  wish: Wish,
  now: number,
  events: string[],
  accept: () => void,
): Answer | undefined {
  const move = moves[wish.name];
  const those = concerned(model, wish);
  if (those.length === 0) return refused('unknown_stage');
  const open = those.filter(({ status }) => move?.from.includes(status));
  if (open.length === 0) return refused('stage_closed');
  const reasonOf = (stage: Stage): string | undefined => {
    if (wish.name === 'approve' && wish.actor === 'clock') {
      return (stage.submittedAt ?? now) + 7 * day <= now ? undefined : 'not_due';
    }
    if (wish.name !== 'deliver') return undefined;
    if (!model.files.some((each) => each.stage === stage.id && each.status === 'stored')) {
      return 'no_files';
    }
    return isPaidForWork(model) ? undefined : 'not_paid';
  };
  const movable = open.filter((each) => reasonOf(each) === undefined);
  const [first] = open;
  const isOther = wish.name === 'deliver' && model.status === 'created' && !isAgreed(model, wish);
  if (movable.length === 0 || isOther) {
    const known = movable.length === 0 && first !== undefined ? reasonOf(first) : undefined;
    return refused(...(known === undefined ? [] : [known]), ...(isOther ? ['terms_changed'] : []));
  }
  const isOfProposal = isSubject(model, movable);
  if (model.status === 'created') accept();
  for (const stage of movable) {
    if (wish.name === 'deliver') {
      stage.status = 'submitted';
      stage.submittedAt = now;
      stage.isReviewTold = false;
    } else if (wish.name === 'approve') {
      approve(model, stage);
    } else {
      stage.status = 'changes_requested';
      stage.touchedAt = now;
      markFiles(model, stage, 'superseded');
    }
  }
  events.push(
    { deliver: 'deal.delivered', approve: 'deal.approved' }[wish.name] ?? 'deal.changes_requested',
  );
  if (isOfProposal) closeProposal(model, 'superseded', now, events);
  return undefined;
}

function resolve(model: Model, agreed: bigint, events: string[]): Answer | undefined {
  const reasons = unresolvable(model, agreed);
  if (reasons.length > 0) return refused(...reasons);
  events.push('deal.dispute_resolved');
  resolveStages(model, agreed, events);
  renewFees(model);
  return undefined;
}

/** The consequences of a step: statuses from stages, payouts, and the end. */
function settle(model: Model, before: string, events: string[]): void {
  if (isWorking(model) || model.status === 'disputed') {
    // 6.7 (j): a stage without a price is paid as it is approved
    for (const each of model.stages) {
      if (each.status !== 'approved' || price(each) > 0n) continue;
      each.status = 'paid';
      events.push('deal.stage_paid');
    }
  }
  followStages(model);
  settlePayouts(model, events);
  // a stage that is all fee may have been the last one
  followStages(model);
  endRequests(model, before, events);
  if (model.status === 'completed' && before !== 'completed') {
    // the end of the deal is the event of the last stage
    const last = events.lastIndexOf('deal.stage_paid');
    if (last >= 0) events.splice(last, 1);
    events.push('deal.completed');
  }
}

function followStages(model: Model): void {
  if (!isWorking(model)) return;
  model.status = follow(model.stages.map(({ status }) => status));
  if (model.status === 'completed') model.freelancer = 'finished';
}

/** 6.2: the status of a deal under way follows from its stages. */
function follow(all: readonly string[]): string {
  const stages = all.filter((status) => status !== 'cancelled');
  const each = (...statuses: string[]) => stages.every((status) => statuses.includes(status));
  if (each('paid')) return 'completed';
  if (each('approved', 'paid')) return 'approved';
  if (stages.includes('changes_requested')) return 'changes_requested';
  return each('submitted', 'approved', 'paid') ? 'delivered' : 'accepted';
}
