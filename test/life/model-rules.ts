import { isKnown, type Report } from './model-money.js';
import {
  type Changes,
  isAskable,
  isBroken,
  isFinal,
  isOpen,
  isWorking,
  type Model,
  type Stage,
  tooMuch,
} from './model-state.js';

/** A command that an actor wants to give. */
export interface Wish {
  readonly name: string;
  readonly actor: string;
  readonly stage?: number;
  readonly agreed?: bigint;
  /** A payout, by its index in the order of creation. */
  readonly payout?: number;
  readonly report?: Report;
  /** Whether a refund is known to have failed: the code says so. */
  readonly isRefundFailed?: boolean;
  /** Of `propose`. */
  readonly changes?: Changes;
  /** A proposal, by its index in the order of creation. */
  readonly proposal?: number;
  /** The hash of the terms that the actor accepts: those of now, or others. */
  readonly hash?: 'right' | 'wrong';
  readonly bonus?: bigint;
  /** Of `write-off`. */
  readonly amount?: bigint;
}

/** The commands that move a stage, with its states before and after (6.1). */
export const moves: Readonly<Record<string, { from: readonly string[]; to: readonly string[] }>> = {
  deliver: { from: ['pending', 'changes_requested'], to: ['submitted'] },
  'request-changes': { from: ['submitted'], to: ['changes_requested'] },
  // a paid stage was approved before
  approve: { from: ['submitted'], to: ['approved', 'paid'] },
};

/** Which actors may give a command (6.1, 6.2, 6.7); in 1.0 the partner acts for the freelancer. */
export function mayGive({ shape }: Model, { name, actor }: Wish): boolean {
  const isFirst = shape.version === '1.0';
  switch (name) {
    case 'invite':
    case 'cancel':
    case 'request-payment':
      return actor === 'partner' || actor === 'operator';
    case 'accept':
    case 'decline':
      return actor === 'freelancer' || (isFirst && actor === 'partner');
    case 'deliver':
    case 'dispute':
      return actor === 'freelancer' || actor === 'partner';
    case 'request-changes':
    case 'add-bonus':
      return actor === 'partner';
    case 'approve':
      return actor === 'partner' || actor === 'clock';
    case 'resolve':
    case 'retry-payout':
    case 'retry-refund':
    case 'write-off':
    case 'refund-surplus':
      return actor === 'operator';
    case 'record-employer-payment':
    case 'record-contractor-payment':
      return actor === 'operator' || actor === 'payments';
    default:
      return (
        actor === 'clock' &&
        /^(expire|expire-(payment|proposal)|tell-(expiry|overdue|review-end))$/.test(name)
      );
  }
}

/** Says whether the effect exists already (6.7 b). */
export function isRepeat(model: Model, wish: Wish): boolean {
  const { status, freelancer, incoming, payouts } = model;
  const move = moves[wish.name];
  if (move !== undefined) {
    const those = concerned(model, wish)
      .filter(({ isBonus }) => !isBonus || wish.stage !== undefined)
      .map((each) => each.status);
    return (
      !those.some((each) => move.from.includes(each)) &&
      those.some((each) => move.to.includes(each))
    );
  }
  const is = (deal: string, of: string) => status === deal && freelancer === of;
  switch (wish.name) {
    case 'invite':
      return is('created', 'invited');
    case 'accept':
      return freelancer === 'accepted' || freelancer === 'finished';
    case 'decline':
      return is('cancelled', 'declined');
    case 'cancel':
      return is('cancelled', 'removed');
    case 'expire':
      return is('expired', 'expired');
    case 'dispute':
      return status === 'disputed';
    case 'resolve':
      return (
        model.agreed === wish.agreed &&
        (status === 'completed' ||
          (wish.agreed === 0n ? is('cancelled', 'removed') : status === 'approved'))
      );
    case 'request-payment':
      return incoming.some(isOpen);
    case 'retry-payout': {
      const those = payouts.filter((_, index) => (wish.payout ?? index) === index);
      return (
        !those.some(isBroken) && those.some((each) => each.retries > 0 && isRetryGoingOn(each))
      );
    }
    case 'record-employer-payment':
      return wish.report !== undefined && isKnown(incoming, wish.report);
    case 'record-contractor-payment':
      return wish.report?.payment !== undefined && isKnown(payouts, wish.report);
    case 'refund-surplus':
      return tooMuch(model) === 0n && model.refunds.length > 0;
    default:
      return false;
  }
}

/** The last attempt is under way, or was paid, and none that was paid came back. */
function isRetryGoingOn({ status, attempts, retries }: Model['payouts'][number]): boolean {
  const isGone = [...attempts.values()].some(({ isPaid, isBack }) => isPaid && isBack);
  const isPaid = attempts.get(retries)?.isPaid ?? false;
  return /scheduled|processing/.test(status) || (isPaid && !isGone);
}

export const concerned = ({ stages }: Model, { stage }: Wish): readonly Stage[] =>
  stages.filter(({ id }) => stage === undefined || id === stage);

/** Says whether the command is legal in the state, before its guards. */
export function isLegal(model: Model, wish: Wish): boolean {
  const { status, shape, stages } = model;
  if (!mayGive(model, wish)) return false;
  if (wish.name.startsWith('record-')) return true;
  const move = moves[wish.name];
  if (move !== undefined) {
    // delivering accepts a deal that is not accepted yet: only for the freelancer
    const isAccepting =
      wish.name === 'deliver' &&
      status === 'created' &&
      (wish.actor === 'freelancer' || shape.version === '1.0');
    if (!isAccepting && !isWorking(model)) return false;
    return stages.some((each) => move.from.includes(each.status));
  }
  switch (wish.name) {
    case 'invite':
      return status === 'created' && model.freelancer === 'new';
    case 'accept':
    case 'expire':
    case 'tell-expiry':
      return status === 'created';
    case 'decline':
      return ['created', 'accepted', 'changes_requested'].includes(status);
    case 'cancel':
      return wish.actor === 'operator'
        ? !isFinal(model)
        : ['created', 'accepted', 'changes_requested'].includes(status);
    case 'resolve':
      return status === 'disputed';
    case 'expire-proposal':
      return !isFinal(model);
    case 'tell-overdue':
      // in the others there is no stage to deliver
      return status === 'accepted' || status === 'changes_requested';
    case 'tell-review-end':
      // in the other there is no stage to approve
      return isWorking(model) && status !== 'approved';
    case 'add-bonus':
      return isWorking(model);
    case 'retry-payout':
    case 'retry-refund':
    case 'refund-surplus':
      return status !== 'disputed';
    case 'write-off':
    case 'request-payment':
    case 'expire-payment':
      return isAskable(model);
    default:
      return isWorking(model);
  }
}
