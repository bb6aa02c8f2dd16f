import { type Attention, attentionOf } from '../payments/billing.js';
import type { DealState, Draft } from '../payments/draft.js';
import { isInDoubt, isRefund } from '../payments/intents.js';
import { openRequests } from '../payments/owed.js';
import { surplusOf } from '../payments/surplus.js';
import type { Row } from '../records/records.js';
import { type Alert, alertNames } from '../values/alert.js';
import { isFinal } from '../values/status.js';
import { movedBy } from '../values/timestamp.js';
import { daysAfter, workDue } from './deadlines.js';
import { retriable } from './guards.js';

/** How often the gateway may fail before somebody has to look. */
const mostFailures = 3;

/** Days that a request for payment may be open. */
const daysToAsk = 7;

/** Milliseconds after which the operator decides about what is in doubt. */
const timeToDecide = 60 * 60 * 1000;

/** Days that a payout may wait. */
const daysToWait = 1;

/** Whether it is a payout that the gateway has not done, and can give a reason for. */
const waitsToPay = ({ kind, status, outcome, reason }: Row<'intent'>): boolean =>
  kind === 'pay_out' && status === 'pending' && outcome !== 'unknown' && reason !== null;

/** Days in which a provider reports a payout or a refund. */
const daysToReport = 3;

/**
 * Sets the reason why a deal needs the operator, and the time from which it does: of the reasons of
 * now the first one of the list, else the one that is foreseen first. A reason without a time of
 * its own counts since the decision that found it.
 */
export function setAlert(
  draft: Draft,
  attention: readonly Attention[] = attentionOf(draft.state, draft.books),
): void {
  const { state, now, real = now, change } = draft;
  const { deal } = state;
  // deals of all partners stand in one list, so it has the time that no sandbox has moved
  const moved = real === now ? 0 : new Date(real).getTime() - new Date(now).getTime();
  let [alert, alert_at]: [Alert | null, string | null] = [null, null];
  for (const each of alertNames) {
    const found = deal.alert === each ? deal.alert_at : null;
    for (const time of timesOf[each](state, attention, draft)) {
      const at = time === null ? (found ?? real) : movedBy(time, moved);
      // an earlier time counts, but for that of a reason of now which comes before in the list
      const isFirst = alert_at === null || at < alert_at;
      const isKept = alert !== each && alert_at !== null && alert_at <= real;
      if (isFirst && !isKept) [alert, alert_at] = [each, at];
    }
  }
  change('deal', deal, { alert, alert_at });
}

/** The times of each reason; `null` for one that has no time of its own. */
const timesOf: Readonly<
  Record<
    Alert,
    (state: DealState, attention: readonly Attention[], draft: Draft) => readonly (string | null)[]
  >
> = {
  disputed: ({ deal }) => (deal.status === 'disputed' ? [deal.status_since] : []),
  paid_twice: (_, attention) => (attention.includes('paid_twice') ? [null] : []),
  // one that is asked for again by itself needs nobody
  effect_in_doubt: ({ intent }) =>
    intent.flatMap((each) =>
      isInDoubt(each) && each.due_at === null
        ? [movedBy(each.outcome_at ?? each.created_at, timeToDecide)]
        : [],
    ),
  payout_failed: (state, attention) => [
    ...retriable(state, {}).map(({ updated_at }) => updated_at),
    // the money for another payout may be missing
    ...(attention.includes('payout_returned') ? [null] : []),
  ],
  refund_failed: (_, attention) => (attention.includes('refund_failed') ? [null] : []),
  effect_failing: ({ intent }) =>
    intent.flatMap((each) =>
      // the last attempt may be under way
      each.status === 'pending' &&
      each.attempts > mostFailures &&
      each.due_at !== null &&
      !waitsToPay(each)
        ? [null]
        : [],
    ),
  overdue: ({ deal, stage }) =>
    isFinal(deal.status) || deal.status === 'disputed'
      ? []
      : stage.map(workDue).filter((due) => due !== null),
  payment_overdue: (state) =>
    openRequests(state).map(({ requested_at }) => daysAfter(requested_at, daysToAsk)),
  overpaid: (_state, _attention, draft) =>
    surplusOf(draft) > (draft.tolerance ?? 0n) ? [null] : [],
  payout_waits: ({ intent }) =>
    intent.flatMap((each) =>
      waitsToPay(each) ? [daysAfter(each.outcome_at ?? each.created_at, daysToWait)] : [],
    ),
  payout_late: ({ contractor_payment }) =>
    contractor_payment.flatMap(({ status, updated_at }) =>
      status === 'scheduled' || status === 'processing'
        ? [daysAfter(updated_at, daysToReport)]
        : [],
    ),
  refund_late: ({ intent }) =>
    intent.flatMap((each) =>
      isRefund(each, 'pending') ? [daysAfter(each.created_at, daysToReport)] : [],
    ),
};
