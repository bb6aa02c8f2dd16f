import { createBooks } from '../payments/books.js';
import { openRequests } from '../payments/owed.js';
import type { PaymentReport } from '../payments/report.js';
import { isRecorded } from '../payments/reports.js';
import { isSentBack, sendBack } from '../payments/surplus.js';
import { expireProposal } from '../terms/open-proposal.js';
import { proposalEnd } from '../terms/proposal.js';
import {
  offerEnd,
  offerNotice,
  requestEnd,
  reviewEnd,
  reviewNotice,
  tellExpiry,
  tellOverdue,
  tellReviewEnd,
  tellTime,
} from './deadlines.js';
import {
  addBonus,
  expireRequests,
  isRefunding,
  isResolvedWith,
  isRetried,
  recordContractorPayment,
  recordEmployerPayment,
  requestDue,
  resolve,
  retryPayouts,
  retryRefunds,
  writeOffDue,
} from './effects.js';
import { guards } from './guards.js';
import type { Lifecycle } from './rules.js';

const working = ['accepted', 'delivered', 'changes_requested', 'approved'] as const;
const open = ['created', ...working, 'disputed'] as const;
const everyStatus = [...open, 'completed', 'cancelled', 'expired'] as const;
const undisputed = ['created', ...working, 'completed', 'cancelled', 'expired'] as const;
const payable = [...working, 'completed'] as const;
const deliverable = { from: ['pending', 'changes_requested'], to: 'submitted' } as const;
const submitted = ['submitted'] as const;
const delivery = {
  command: 'deliver',
  stage: deliverable,
  guards: [guards.hasFiles, guards.paidIfPrepaid],
  accepts: ['terms_sha256'],
  event: 'deal.delivered',
} as const;

const bySides = { by: ['partner', 'freelancer'] } as const;
const everyKind = ['amendment', 'settlement'] as const;

/**
 * The life of a deal, one row a command (decisions 6.1, 6.2 and 6.3): all code that says which
 * commands a deal allows is made from this table.
 *
 * @example
 * ```ts
 * import { type Lifecycle, lifecycle } from 'dealwright/life';
 *
 * const rows: Lifecycle = lifecycle;
 * rows.filter(({ by }) => by.includes('clock')).map(({ command }) => command);
 * ```
 */
export const lifecycle = [
  {
    command: 'invite',
    by: ['partner', 'operator'],
    from: ['created'],
    freelancer: ['new'],
    to: 'created',
    freelancerTo: 'invited',
    event: 'deal.invited',
  },
  {
    command: 'accept',
    by: ['freelancer'],
    from: ['created'],
    accepts: ['terms_sha256'],
    guards: [guards.termsAgreed],
    to: 'accepted',
    freelancerTo: 'accepted',
    repeats: ({ deal }) => ['accepted', 'finished'].includes(deal.freelancer_status),
    event: 'deal.accepted',
  },
  {
    command: 'decline',
    by: ['freelancer'],
    from: ['created', 'accepted', 'changes_requested'],
    guards: [guards.noWorkDelivered, guards.noPayoutProcessing],
    to: 'cancelled',
    freelancerTo: 'declined',
    event: 'deal.declined',
  },
  {
    command: 'cancel',
    by: ['partner'],
    from: ['created', 'accepted', 'changes_requested'],
    guards: [
      guards.unpaidOrLate,
      guards.unbegunOrOverdue,
      guards.noWorkDelivered,
      guards.noPayoutOfBegun,
    ],
    to: 'cancelled',
    freelancerTo: 'removed',
    event: 'deal.cancelled',
  },
  {
    command: 'cancel',
    by: ['operator'],
    from: open,
    requires: ['reason'],
    guards: [guards.noPayoutProcessing],
    to: 'cancelled',
    freelancerTo: 'removed',
    event: 'deal.cancelled',
  },
  // it comes before its end, even if the clock has stood still past both
  {
    command: 'tell-expiry',
    by: ['clock'],
    from: ['created'],
    due: ({ deal }) => [offerNotice(deal)],
    effect: tellExpiry,
    repeats: () => false,
    event: 'deal.expires_soon',
  },
  {
    command: 'expire',
    by: ['clock'],
    from: ['created'],
    due: ({ deal }) => [offerEnd(deal)],
    to: 'expired',
    freelancerTo: 'expired',
    event: 'deal.expired',
  },
  // delivering a deal that is not accepted yet accepts it
  {
    ...delivery,
    by: ['freelancer'],
    from: ['created'],
    guards: [guards.termsAgreed, ...delivery.guards],
    countsAs: 'accept',
  },
  { ...delivery, by: ['freelancer', 'partner'], from: ['accepted', 'changes_requested'] },
  {
    command: 'request-changes',
    by: ['partner'],
    from: ['accepted', 'changes_requested', 'delivered'],
    stage: { from: submitted, to: 'changes_requested' },
    requires: ['reason'],
    event: 'deal.changes_requested',
  },
  {
    command: 'approve',
    by: ['partner'],
    from: ['accepted', 'changes_requested', 'delivered'],
    stage: { from: submitted, to: 'approved' },
    event: 'deal.approved',
  },
  {
    command: 'tell-review-end',
    by: ['clock'],
    from: ['accepted', 'changes_requested', 'delivered'],
    due: ({ stage }) => stage.map(reviewNotice),
    effect: tellReviewEnd,
    repeats: () => false,
    event: 'deal.review_ends_soon',
  },
  {
    command: 'approve',
    by: ['clock'],
    from: ['accepted', 'changes_requested', 'delivered'],
    stage: { from: submitted, to: 'approved' },
    due: ({ stage }) => stage.map(reviewEnd),
    guards: [guards.reviewIsOver],
    event: 'deal.approved',
  },
  {
    command: 'dispute',
    by: ['partner', 'freelancer'],
    from: working,
    requires: ['reason'],
    guards: [guards.paidIfAccepted],
    to: 'disputed',
    event: 'deal.disputed',
  },
  {
    command: 'resolve',
    by: ['operator'],
    from: ['disputed'],
    requires: ['agreed_amount'],
    guards: [guards.noPayoutProcessing, guards.agreedWithinBounds],
    effect: resolve,
    endsProposals: true,
    to: 'approved',
    repeats: isResolvedWith,
    event: 'deal.dispute_resolved',
  },
  {
    command: 'request-payment',
    by: ['partner', 'operator'],
    from: payable,
    guards: [guards.somethingDue, guards.fewPayments],
    effect: requestDue,
    repeats: (state) => openRequests(state).length > 0,
  },
  {
    command: 'retry-payout',
    by: ['operator'],
    from: undisputed,
    guards: [guards.payoutToRetry],
    accepts: ['payment_id'],
    effect: retryPayouts,
    repeats: isRetried,
  },
  {
    command: 'retry-refund',
    by: ['operator'],
    from: undisputed,
    guards: [guards.refundToRetry],
    accepts: ['payment_id'],
    effect: retryRefunds,
    repeats: isRefunding,
  },
  {
    command: 'write-off',
    by: ['operator'],
    from: payable,
    requires: ['amount', 'reason'],
    guards: [guards.somethingOutstanding, guards.withinOutstanding],
    effect: writeOffDue,
    repeats: () => false,
    event: 'deal.written_off',
  },
  {
    command: 'refund-surplus',
    by: ['operator'],
    from: undisputed,
    guards: [guards.surplusToRefund],
    effect: sendBack,
    repeats: (state) => isSentBack({ state, books: createBooks(state.posting) }),
  },
  {
    command: 'record-employer-payment',
    by: ['operator', 'payments'],
    from: everyStatus,
    requires: ['report'],
    effect: recordEmployerPayment,
    repeats: (state, { report }) => isRecorded(state, 'employer_payment', report as PaymentReport),
  },
  {
    command: 'record-contractor-payment',
    by: ['operator', 'payments'],
    from: everyStatus,
    requires: ['report'],
    effect: recordContractorPayment,
    repeats: (state, { report }) =>
      isRecorded(state, 'contractor_payment', report as PaymentReport),
  },
  {
    command: 'add-bonus',
    by: ['partner'],
    from: working,
    requires: ['amount'],
    addsStage: true,
    guards: [guards.fewStages, guards.sumWithinBounds],
    effect: addBonus,
    repeats: () => false,
    event: 'deal.bonus_added',
  },
  { ...bySides, command: 'propose', from: ['created', ...working], about: ['amendment'] },
  { ...bySides, command: 'propose', from: [...working, 'disputed'], about: ['settlement'] },
  // to accept a counter-offer is to accept the deal
  {
    ...bySides,
    command: 'accept-proposal',
    from: ['created'],
    about: ['amendment'],
    to: 'accepted',
    freelancerTo: 'accepted',
    event: 'deal.amended',
  },
  {
    ...bySides,
    command: 'accept-proposal',
    from: working,
    about: ['amendment'],
    event: 'deal.amended',
  },
  {
    ...bySides,
    command: 'accept-proposal',
    from: [...working, 'disputed'],
    about: ['settlement'],
    to: 'approved',
    event: 'deal.settled',
  },
  { ...bySides, command: 'reject-proposal', from: open, about: everyKind },
  { ...bySides, command: 'withdraw-proposal', from: open, about: everyKind },
  {
    command: 'expire-proposal',
    by: ['clock'],
    from: open,
    due: ({ deal }) => [proposalEnd(deal)],
    effect: expireProposal,
    repeats: () => false,
  },
  {
    command: 'tell-overdue',
    by: ['clock'],
    from: ['accepted', 'changes_requested'],
    due: ({ stage }) => stage.map(tellTime),
    effect: tellOverdue,
    repeats: () => false,
    event: 'deal.overdue',
  },
  {
    command: 'expire-payment',
    by: ['clock'],
    from: payable,
    due: (state) => openRequests(state).map(requestEnd),
    effect: expireRequests,
    repeats: () => false,
  },
] as const satisfies Lifecycle;

/** The commands that this table has for a deal in one of these states. */
export type CommandOf<L extends Lifecycle, S extends string> = CommandOfRule<L[number], S>;

type CommandOfRule<R, S> = R extends {
  readonly command: infer C extends string;
  readonly from: readonly (infer F)[];
}
  ? S & F extends never
    ? never
    : C
  : never;

/** Every command of our life cycle. */
export type CommandName = (typeof lifecycle)[number]['command'];
