import type { Draft } from '../payments/draft.js';
import { paymentEvent } from '../payments/draft.js';
import { failedRefunds, intend, isRefund } from '../payments/intents.js';
import { least, minorUnits } from '../payments/ledger.js';
import { dueNow, fullPriceOf } from '../payments/owed.js';
import { hasArrived, reportContractorPayment } from '../payments/payout-reports.js';
import type { PaymentReport } from '../payments/report.js';
import { reportEmployerPayment } from '../payments/reports.js';
import { endPayment, requestPayment } from '../payments/settle.js';
import { writeOff } from '../payments/write-off.js';
import type { Row } from '../records/records.js';
import { addStage } from '../terms/amend.js';
import { supersede } from '../terms/open-proposal.js';
import { termsOf, versionOf } from '../terms/terms.js';
import { addVersion, atLeastPlanned, feesNow } from '../terms/versions.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import type { ContractorPaymentStatus, EmployerReportStatus } from '../values/payment-status.js';
import { reported } from './command-input.js';
import { overdueRequests } from './deadlines.js';
import { openStages, retriable } from './guards.js';
import type { Command } from './rules.js';

/** Approves open stages in order up to the agreed amount, the last one partly; cancels the rest. */
export function agree(
  draft: Draft,
  { agreed_amount = fromMinorUnits(0n) }: Pick<Command, 'agreed_amount'>,
): void {
  let left: bigint = agreed_amount;
  for (const stage of openStages(draft.state)) {
    const agreed = least(fullPriceOf(stage), left);
    draft.change('stage', stage, {
      status: left > 0n ? 'approved' : 'cancelled',
      agreed_amount: formatMoney(agreed),
    });
    left -= agreed;
  }
  draft.change('deal', draft.state.deal, { agreed_amount: formatMoney(agreed_amount) });
}

/** Ends a dispute with an agreed amount; the fees are those of what the deal is worth then. */
export function resolve(draft: Draft, command: Command): undefined {
  agree(draft, command);
  draft.change('deal', draft.state.deal, atLeastPlanned(draft, feesNow(draft)));
}

/** Adds a stage that is approved already, named by the first words of the message (decision 9.9). */
export function addBonus(draft: Draft, { actor, amount, message }: Command): undefined {
  const bonus = amount ?? fromMinorUnits(0n);
  supersede(draft);
  const name = [...(message ?? 'Bonus')].slice(0, longestName).join('');
  addStage(draft, { name, budget: bonus, work_days: null }, { status: 'approved', kind: 'bonus' });
  const { deal } = draft.state;
  draft.change('deal', deal, {
    amount: formatMoney(fromMinorUnits(minorUnits(deal.amount) + bonus)),
    issued_amount: deal.issued_amount ?? deal.amount,
  });
  const terms = termsOf(draft.state, versionOf(deal) + 1);
  const by = { proposed_by: actor, accepted_by: actor, proposal_id: null };
  addVersion(draft, { kind: 'bonus', terms, fees: feesNow(draft), ...by });
}

/** Code points of the name of a stage. */
const longestName = 200;

/** Asks the employer for all that is due. */
export function requestDue(draft: Draft): undefined {
  requestPayment(draft, dueNow(draft.state));
}

/** Takes an amount out of what the employer owes. */
export function writeOffDue(draft: Draft, { amount = fromMinorUnits(0n) }: Command): undefined {
  writeOff(draft, amount, 'operator');
}

/** Sends failed payouts again. */
export function retryPayouts(draft: Draft, command: Command): undefined {
  for (const payout of retriable(draft.state, command)) {
    draft.change('contractor_payment', payout, {
      status: 'scheduled',
      reason: null,
      retries: payout.retries + 1,
      updated_at: draft.now,
    });
    intend(draft, 'pay_out', payout.id, payout.amount);
    paymentEvent(draft, 'contractor_payment', payout.id);
  }
}

/** Asks for failed refunds again. */
export function retryRefunds(draft: Draft, { payment_id }: Command): undefined {
  for (const refund of failedRefunds(draft.state.intent, payment_id)) {
    draft.change('intent', refund, { status: 'cancelled' });
    intend(draft, 'refund', refund.payment_id, refund.remaining);
    const told = { what: 'refund_retried', amount: minorUnits(refund.remaining) } as const;
    paymentEvent(draft, 'employer_payment', refund.payment_id, told);
  }
}

/** Whether a failed refund is on its way again. */
export function isRefunding({ intent, payment_report }: Draft['state'], command: Command): boolean {
  const { payment_id } = command;
  const failed = payment_report.filter(({ status }) => status === 'refund_failed');
  const ids = new Set(failed.map((each) => each.payment_id));
  return (
    failedRefunds(intent, payment_id).length === 0 &&
    intent.some(
      (each) =>
        isRefund(each, 'pending') &&
        ids.has(each.payment_id) &&
        each.payment_id === (payment_id ?? each.payment_id),
    )
  );
}

/** Ends the requests that were not paid in time. */
export function expireRequests(draft: Draft): undefined {
  for (const payment of overdueRequests(draft.state, draft.now))
    endPayment(draft, payment, 'expired');
}

const ofPayments = reported['record-employer-payment'].filter((status) => status !== 'voided');

/** Records a report; the parser has checked its status, but only an operator knows what never came. */
export const recordEmployerPayment = (draft: Draft, { report, actor }: Command) =>
  report?.status === 'voided' && actor !== 'operator'
    ? ({ member: 'status', code: 'not_allowed', allowed: ofPayments } as const)
    : reportEmployerPayment(draft, report as PaymentReport<EmployerReportStatus>);
export const recordContractorPayment = (draft: Draft, { report }: Command) =>
  reportContractorPayment(draft, report as PaymentReport<ContractorPaymentStatus>);

/** Whether the deal is as a resolution with this very amount has left it. */
export function isResolvedWith({ deal }: Draft['state'], { agreed_amount }: Command): boolean {
  const { status } = deal;
  // an amendment may have added work since
  const isAsLeft =
    status === 'approved' ||
    status === 'completed' ||
    (status === 'cancelled' && agreed_amount === 0n);
  return (
    isAsLeft && deal.agreed_amount !== null && minorUnits(deal.agreed_amount) === agreed_amount
  );
}

/** Whether a payout was sent again, which has not failed, and none waits to be. */
export function isRetried(state: Draft['state'], command: Command): boolean {
  const own = state.contractor_payment.filter(({ id }) => (command.payment_id ?? id) === id);
  const isUnderWay = ({ status }: Row<'contractor_payment'>) =>
    status === 'scheduled' || status === 'processing';
  // what came back while another attempt is paid is not sent again
  const cameBack = (id: string) =>
    state.posting.some(({ kind, payment_id }) => kind === 'return' && payment_id === id);
  const isPaid = (each: Row<'contractor_payment'>) => hasArrived(state, each) && !cameBack(each.id);
  return (
    retriable(state, command).length === 0 &&
    own.some((each) => each.retries > 0 && (isUnderWay(each) || isPaid(each)))
  );
}
