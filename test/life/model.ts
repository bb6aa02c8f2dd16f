import {
  askForMore,
  endRequests,
  expireRequests,
  reportIncoming,
  reportPayout,
  settlePayouts,
} from './model-money.js';
import { concerned, isLegal, isRepeat, mayGive, moves, type Wish } from './model-rules.js';
import {
  due,
  fullPrice,
  isBroken,
  isFinal,
  isOpen,
  isWorking,
  least,
  type Model,
  net,
  nextDue,
  openPrices,
  owed,
  price,
  processing,
  type Stage,
} from './model-state.js';
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
  if (!mayGive(model, wish)) return illegal;
  if (isRepeat(model, wish)) return repeat;
  if (!isLegal(model, wish)) return illegal;
  const before = { status: model.status, due: due(model) };
  const events: string[] = [];
  const refusal = carryOut(model, wish, now, events);
  if (refusal !== undefined) return refusal;
  settle(model, before.status, events);
  // a dispute has cancelled the requests before it, so all is requested again
  const isAsking = !/^(request-payment|record-|retry-)/.test(wish.name);
  if (isAsking && !isFinal(model)) {
    askForMore(model, wish.name === 'resolve' ? undefined : before.due, now, events);
  }
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
    model.freelancer = 'accepted';
    events.push('deal.accepted');
  };
  switch (wish.name) {
    case 'invite':
      model.freelancer = 'invited';
      events.push('deal.invited');
      return undefined;
    case 'accept':
      accept();
      return undefined;
    case 'decline':
    case 'cancel': {
      const reasons: string[] = [];
      const isWaiting = wish.actor === 'operator' || wish.name === 'decline';
      if (isWaiting && processing(model) > 0n) reasons.push('payout_processing');
      if (wish.actor !== 'operator') {
        if (wish.name === 'cancel' && net(model) > 0n) reasons.push('already_paid');
        if (model.stages.some(isDelivered)) reasons.push('work_delivered');
      }
      if (reasons.length > 0) return refused(...reasons);
      if (wish.name === 'decline') return end('cancelled', 'declined', 'deal.declined');
      return end('cancelled', 'removed', 'deal.cancelled');
    }
    case 'expire':
      if ((nextDue(model) ?? Infinity) > now) return refused('not_due');
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
      // a repeated request is not a figure of a deal: the intents are checked separately
      if (wish.isRefundFailed !== true) return refused('nothing_to_retry', 'repeat');
      events.push('employer_payment.refund_retried');
      return undefined;
    case 'record-employer-payment':
    case 'record-contractor-payment': {
      if (wish.report === undefined) return refused('required');
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

const isDelivered = ({ status }: Stage) => status === 'submitted' || status === 'approved';

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
    return model.shape.mode === 'prepaid' && net(model) < owed(model) ? 'not_paid' : undefined;
  };
  const movable = open.filter((each) => reasonOf(each) === undefined);
  const [first] = open;
  if (movable.length === 0) return refused((first && reasonOf(first)) ?? '');
  if (model.status === 'created') accept();
  for (const stage of movable) {
    if (wish.name === 'deliver') {
      stage.status = 'submitted';
      stage.submittedAt = now;
    } else if (wish.name === 'approve') {
      approve(model, stage);
    } else {
      stage.status = 'changes_requested';
      markFiles(model, stage, 'superseded');
    }
  }
  events.push(
    { deliver: 'deal.delivered', approve: 'deal.approved' }[wish.name] ?? 'deal.changes_requested',
  );
  return undefined;
}

function approve(model: Model, stage: Stage): void {
  stage.status = 'approved';
  markFiles(model, stage, 'accepted');
}

function markFiles({ files }: Model, stage: Stage, status: string): void {
  for (const each of files) {
    if (each.stage === stage.id && each.status === 'stored') each.status = status;
  }
}

function resolve(model: Model, agreed: bigint, events: string[]): Answer | undefined {
  const reasons: string[] = [];
  if (processing(model) > 0n) reasons.push('payout_processing');
  if (agreed < 0n || agreed > openPrices(model)) reasons.push('amount_out_of_bounds');
  if (reasons.length > 0) return refused(...reasons);
  events.push('deal.dispute_resolved');
  expireRequests(model, events);
  model.agreed = agreed;
  let rest = agreed;
  for (const stage of model.stages) {
    if (stage.status === 'paid' || stage.status === 'cancelled') continue;
    stage.agreed = least(fullPrice(stage), rest);
    if (rest > 0n) approve(model, stage);
    else stage.status = 'cancelled';
    rest -= stage.agreed;
  }
  const isNothing = model.stages.every(({ status }) => status === 'cancelled');
  model.status = isNothing ? 'cancelled' : 'approved';
  if (isNothing) model.freelancer = 'removed';
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
