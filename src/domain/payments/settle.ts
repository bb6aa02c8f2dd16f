import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import { isFinal } from '../values/status.js';
import { type Draft, paymentEvent } from './draft.js';
import { follow } from './follow.js';
import { endIntents, intend } from './intents.js';
import { least, makeUp } from './ledger.js';
import { dueNow, mostPayments, openRequests, outstanding, owedByNow } from './owed.js';
import { cancelPayouts, pausePayouts, schedulePayouts } from './payouts.js';
import { cancelRefunds, refundSurplus } from './refunds.js';

/**
 * Applies the consequences of the state of a deal, however it came about: held money makes up a
 * loss, payouts that are not covered are cancelled, others are scheduled, the employer is asked for
 * the sum due, and the surplus goes back once the deal has ended (decision 6.3).
 */
export function settle(draft: Draft): void {
  const isEnding = () => isFinal(draft.state.deal.status);
  makeUp(draft);
  if (isEnding()) cancelStages(draft);
  cancelPayouts(draft);
  schedulePayouts(draft);
  // money that is to be refunded, and was not asked for yet, goes to a contractor first
  cancelRefunds(draft);
  pausePayouts(draft);
  follow(draft);
  if (!isEnding()) {
    askForPayment(draft);
    return;
  }
  endRequests(draft);
  refundSurplus(draft);
}

function cancelStages(draft: Draft): void {
  for (const stage of [...draft.state.stage]) {
    if (stage.status !== 'paid') draft.change('stage', stage, { status: 'cancelled' });
  }
}

/** Ends requests as a deal ends, and later ones once nothing is outstanding (decision 6.7). */
function endRequests(draft: Draft): void {
  const { state, before, books } = draft;
  const isOver = !isFinal(before.deal.status) || outstanding(state, books.balance()) === 0n;
  if (!isOver) return;
  for (const payment of openRequests(state)) endPayment(draft, payment, 'expired');
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
 * Asks for the sum that this decision made due, or for all that is due once a dispute is resolved.
 */
function askForPayment(draft: Draft): void {
  const { before } = draft;
  if (draft.state.deal.status === 'disputed') return;
  const isResolved = before.deal.status === 'disputed';
  if (isResolved) {
    for (const payment of openRequests(draft.state)) endPayment(draft, payment, 'expired');
  }
  // beyond the limit the employer pays without a request
  if (draft.state.employer_payment.length >= mostPayments) return;
  const due = dueNow(draft.state, draft.books.balance());
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
