import type { Draft } from '../life/draft.js';
import { follow } from '../life/follow.js';
import { formatMoney, fromMinorUnits } from '../money.js';
import type { Row } from '../records.js';
import { isFinal } from '../status.js';
import { dealEvent, paymentEvent } from './emit.js';
import {
  balanceOf,
  feesOf,
  least,
  minorUnits,
  post,
  processing,
  refundable,
  refunding,
  reservedBy,
  sum,
} from './ledger.js';
import { dueNow, feeFor, openRequests, owedByNow, priceOf, remainingStages } from './owed.js';

/**
 * Does what follows from the state of a deal, whatever has led to it: payouts that are not covered
 * any more are cancelled, others are scheduled, the employer is asked for what is due, and what is
 * held beyond that goes back once the deal has ended (decision 6.3).
 */
export function settle(draft: Draft): void {
  const isEnding = () => isFinal(draft.state.deal.status);
  if (isEnding()) cancelStages(draft);
  cancelPayouts(draft);
  if (!isEnding() && draft.state.deal.status !== 'disputed') {
    schedulePayouts(draft);
    follow(draft);
  }
  if (!isEnding()) {
    askForPayment(draft);
    return;
  }
  for (const payment of openRequests(draft.state)) endPayment(draft, payment, 'expired');
  cancelRefunds(draft);
  refundSurplus(draft);
}

function cancelStages(draft: Draft): void {
  for (const stage of draft.state.stage) {
    if (stage.status !== 'paid') draft.change('stage', stage, { status: 'cancelled' });
  }
}

/** Payouts that can still be taken back: those that the provider is not working on. */
function waitingPayouts(draft: Draft): readonly Row<'contractor_payment'>[] {
  return draft.state.contractor_payment.filter(({ status }) =>
    ['scheduled', 'failed', 'returned'].includes(status),
  );
}

function cancelPayouts(draft: Draft): void {
  const { deal, stage } = draft.state;
  const isStopped = isFinal(deal.status) || deal.status === 'disputed';
  const approved = new Set(stage.flatMap(({ id, status }) => (status === 'approved' ? id : [])));
  let free = balanceOf(draft.state.posting).held - processing(draft.state);
  for (const payout of waitingPayouts(draft)) {
    const taken = reservedBy(payout);
    if (!isStopped && approved.has(payout.stage_id) && taken <= free) free -= taken;
    else endPayout(draft, payout);
  }
}

function endPayout(draft: Draft, payout: Row<'contractor_payment'>): void {
  draft.change('contractor_payment', payout, { status: 'cancelled', updated_at: draft.now });
  endIntents(draft, payout.id, 'cancelled');
  paymentEvent(draft, 'contractor_payment', payout.id);
}

/** Ends what was asked of the provider about a payment. */
export function endIntents(draft: Draft, payment_id: string, status: 'done' | 'cancelled'): void {
  for (const intent of draft.state.intent) {
    if (intent.payment_id === payment_id && intent.status === 'pending' && intent.kind !== 'refund')
      draft.change('intent', intent, { status, due_at: null });
  }
}

/** Ends a request for payment. */
export function endPayment(
  draft: Draft,
  payment: Row<'employer_payment'>,
  status: 'failed' | 'expired',
): void {
  draft.change('employer_payment', payment, { status, updated_at: draft.now });
  endIntents(draft, payment.id, 'cancelled');
  paymentEvent(draft, 'employer_payment', payment.id);
}

/** Asks the gateway for something: its id is the idempotency key. */
export function intend(
  draft: Draft,
  kind: Row<'intent'>['kind'],
  payment_id: string,
  amount: string,
): void {
  draft.insert('intent', {
    id: draft.newId(),
    kind,
    payment_id,
    amount,
    remaining: amount,
    status: 'pending',
    attempts: 0,
    created_at: draft.now,
    // what somebody does by hand is never due here
    due_at: draft.executes === true ? (draft.real ?? draft.now) : null,
  });
}

/** A payout for each approved stage, in order, as soon as enough is held. */
function schedulePayouts(draft: Draft): void {
  let isShort = false;
  for (const stage of draft.state.stage) {
    const { contractor_payment } = draft.state;
    const isCovered = contractor_payment.some(
      ({ stage_id, status }) => stage_id === stage.id && status !== 'cancelled',
    );
    if (stage.status !== 'approved' || isCovered) continue;
    const price = priceOf(stage);
    if (price === 0n) {
      payStage(draft, stage.id);
      continue;
    }
    if (isShort) continue;
    const live = contractor_payment.filter(({ status }) => status !== 'cancelled');
    const reserved = sum(live, (each) => (each.status === 'paid' ? 0n : reservedBy(each)));
    const fees = stageFees(draft, stage, live);
    // the next in order waits for this one, even where less would do for it
    isShort = price + fees.employer > balanceOf(draft.state.posting).held - reserved;
    if (isShort) continue;
    // a fee may leave nothing to pay out
    const isFree = price === fees.contractor;
    const payout = draft.insert('contractor_payment', {
      id: draft.newId(),
      stage_id: stage.id,
      amount: formatMoney(fromMinorUnits(price - fees.contractor)),
      employer_fee: formatMoney(fromMinorUnits(fees.employer)),
      contractor_fee: formatMoney(fromMinorUnits(fees.contractor)),
      status: isFree ? 'paid' : 'scheduled',
      reference: null,
      retries: 0,
      requested_at: draft.now,
      updated_at: draft.now,
    });
    paymentEvent(draft, 'contractor_payment', payout.id);
    if (isFree) {
      post(draft, 'fee', payout.id, ['held', 'fees'], feesOf(payout));
      payStage(draft, stage.id);
    } else intend(draft, 'pay_out', payout.id, payout.amount);
  }
}

/** The fees of a stage: in proportion, the remainder with the last. */
function stageFees(
  { state }: Draft,
  stage: Row<'stage'>,
  live: readonly Row<'contractor_payment'>[],
): { readonly employer: bigint; readonly contractor: bigint } {
  const price = priceOf(stage);
  const others = remainingStages(state).filter((each) => each !== stage && priceOf(each) > 0n);
  const isLast = others.every(({ id }) => live.some(({ stage_id }) => stage_id === id));
  const share = (fee: 'employer_fee' | 'contractor_fee', most: bigint) => {
    const left = minorUnits(state.deal[fee]) - sum(live, (each) => minorUnits(each[fee]));
    return least(isLast ? left : least(feeFor(state, fee)(price), left), most);
  };
  return {
    employer: share('employer_fee', minorUnits(state.deal.employer_fee)),
    contractor: share('contractor_fee', price),
  };
}

/** The contractor has the money of a stage, or there was none to have. */
export function payStage(draft: Draft, id: number): void {
  const stage = draft.state.stage.find((each) => each.id === id);
  if (stage?.status !== 'approved') return;
  draft.change('stage', stage, { status: 'paid' });
  follow(draft);
  const isLast = draft.state.deal.status === 'completed';
  dealEvent(draft, isLast ? 'deal.completed' : 'deal.stage_paid', { stage_ids: [id] });
}

/** Asks for what this decision has made due, or for all that is due once a dispute is resolved. */
function askForPayment(draft: Draft): void {
  const { before } = draft;
  if (draft.state.deal.status === 'disputed') return;
  const isResolved = before.deal.status === 'disputed';
  if (isResolved) {
    for (const payment of openRequests(draft.state)) endPayment(draft, payment, 'expired');
  }
  const due = dueNow(draft.state);
  const added = owedByNow(draft.state) - owedByNow(before);
  requestPayment(draft, isResolved ? due : least(due, added));
}

/** Asks the employer for this amount. */
export function requestPayment(draft: Draft, amount: bigint): void {
  if (amount <= 0n) return;
  const payment = draft.insert('employer_payment', {
    id: draft.newId(),
    amount: formatMoney(fromMinorUnits(amount)),
    status: 'requested',
    reference: null,
    requested_at: draft.now,
    updated_at: draft.now,
  });
  intend(draft, 'request_payment', payment.id, payment.amount);
  paymentEvent(draft, 'employer_payment', payment.id);
}

/** Takes refunds back that nothing is held for any more, unless they may be on their way. */
function cancelRefunds(draft: Draft): void {
  const { state } = draft;
  let free = balanceOf(state.posting).held - processing(state);
  for (const intent of state.intent) {
    if (intent.kind !== 'refund' || intent.status !== 'pending') continue;
    const left = least(free, refundable(state, intent.payment_id));
    const amount = minorUnits(intent.remaining);
    if (amount > left && intent.attempts === 0) {
      draft.change('intent', intent, { status: 'cancelled', due_at: null });
    } else free -= amount;
  }
}

/** What is held for nothing goes back, by the payments that it came with; then it makes up a loss. */
function refundSurplus(draft: Draft): void {
  const { state } = draft;
  const { held, loss } = balanceOf(state.posting);
  let surplus: bigint = held - processing(state) - refunding(state);
  // the latest first: it is what came beyond the others
  for (const payment of [...state.employer_payment].reverse()) {
    const left = refundable(state, payment.id) - refunding(state, payment.id);
    const amount = least(surplus, left);
    if (amount <= 0n) continue;
    surplus -= amount;
    intend(draft, 'refund', payment.id, formatMoney(amount));
  }
  post(
    draft,
    'charge_back',
    state.employer_payment[0]?.id ?? '',
    ['held', 'loss'],
    least(surplus, loss),
  );
}
