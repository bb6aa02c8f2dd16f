import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import { isFinal } from '../values/status.js';
import { type Draft, paymentEvent } from './draft.js';
import { follow } from './follow.js';
import { endIntents, intend } from './intents.js';
import { least, minorUnits, sum } from './ledger.js';
import { dueInAll, dueNow, mostPayments, openRequests, outstanding, owedByNow } from './owed.js';
import { pauseIntents } from './pauses.js';
import { cancelPayouts, schedulePayouts } from './payouts.js';
import { cancelRefunds, lessenRefunds, refundExcess } from './refunds.js';
import { refundSurplus } from './surplus.js';
import { makeUp, writesOff } from './write-off.js';

/** How the terms have changed: by an amendment, or by a settlement, which counts as a resolution. */
export type NewTerms = 'amended' | 'resolved';

/**
 * Applies the consequences of the state of a deal, however it came about: payouts that are not
 * covered are cancelled, others are scheduled, held money makes up a loss, the employer is asked for
 * the sum due, and the surplus goes back once the deal has ended (decision 6.3).
 */
export function settle(draft: Draft, terms?: NewTerms): void {
  const isEnding = () => isFinal(draft.state.deal.status);
  if (isEnding()) cancelStages(draft);
  else lessenRefunds(draft);
  cancelPayouts(draft, terms === 'resolved');
  schedulePayouts(draft);
  makeUp(draft);
  // money that is to be refunded, and was not asked for yet, goes to a contractor first
  cancelRefunds(draft);
  follow(draft);
  if (isEnding()) endLastRequests(draft);
  // a deal that is completed may have been asked for what is written off now
  if (!isEnding() || writesOff(draft)) askForPayment(draft, terms);
  if (isEnding()) refundSurplus(draft);
  else refundExcess(draft, terms === 'amended');
  pauseIntents(draft);
}

function cancelStages(draft: Draft): void {
  for (const stage of [...draft.state.stage]) {
    if (stage.status !== 'paid') draft.change('stage', stage, { status: 'cancelled' });
  }
}

/** Ends requests as a deal ends, and later ones once nothing is outstanding (decision 6.7). */
function endLastRequests(draft: Draft): void {
  const { state, before, books } = draft;
  const isOver = !isFinal(before.deal.status) || outstanding(state, books.balance()) === 0n;
  if (isOver) endRequests(draft, openRequests(state));
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

/**
 * Asks for the sum that this decision made due, or for all that is due once a dispute is resolved or
 * the deal settled.
 */
function askForPayment(draft: Draft, terms: NewTerms | undefined): void {
  const { before } = draft;
  if (draft.state.deal.status === 'disputed') return;
  const isResolved = terms === 'resolved' || before.deal.status === 'disputed';
  if (isResolved) endRequests(draft, openRequests(draft.state));
  const isPrepaid = draft.state.deal.mode === 'prepaid';
  const isLess = (terms === 'amended' && isPrepaid) || writesOff(draft);
  const replaced = isLess ? wantLess(draft) : 0n;
  // beyond the limit the employer pays without a request
  if (draft.state.employer_payment.length >= mostPayments) return;
  const due = dueNow(draft.state, draft.books.balance());
  const added = owedByNow(draft.state) - owedByNow(before);
  // a request that asked for too much gives way to one for all that is due
  requestPayment(draft, isResolved || replaced > 0n ? due : least(due, added));
}

/** Expires requests, and returns the sum that they asked for. */
function endRequests(draft: Draft, payments: readonly Row<'employer_payment'>[]): bigint {
  for (const payment of payments) endPayment(draft, payment, 'expired');
  return sum(payments, ({ amount }) => minorUnits(amount));
}

/**
 * Expires the requests that ask for more than is due now, and returns their sum. Of one that
 * is being paid, it is noted how much of it is still wanted.
 */
function wantLess(draft: Draft): bigint {
  const { state, books } = draft;
  let left: bigint = dueInAll(state, books.balance());
  const open = openRequests(state);
  for (const payment of open.filter(({ status }) => status === 'processing')) {
    const wanted = least(minorUnits(payment.amount), left);
    left -= wanted;
    const remaining = formatMoney(wanted);
    // what comes beyond it lessens what is written off
    if (writesOff(draft)) continue;
    for (const intent of draft.intentsOf(payment.id)) {
      if (intent.kind === 'request_payment') draft.change('intent', intent, { remaining });
    }
  }
  const requested = open.filter(({ status }) => status === 'requested');
  const asked = sum(requested, ({ amount }) => minorUnits(amount));
  return asked > left ? endRequests(draft, requested) : 0n;
}

/** Asks the employer for this amount. */
export function requestPayment(draft: Draft, amount: bigint): void {
  if (amount <= 0n) return;
  const payment = draft.insert('employer_payment', {
    id: draft.newId(),
    amount: formatMoney(fromMinorUnits(amount)),
    status: 'requested',
    reason: null,
    reference: null,
    requested_at: draft.now,
    updated_at: draft.now,
  });
  intend(draft, 'request_payment', payment.id, payment.amount);
  paymentEvent(draft, 'employer_payment', payment.id);
}
